import type { Catalog } from '../domain/catalog.ts';
import type { LaunchInput } from '../domain/launch-input.ts';
import type { Caller } from './caller.ts';
import type { EventBatch, FollowOptions } from './follow.ts';
import type { OutputPiece } from './follow-output.ts';
import type { ChangeResult, LaunchResult } from './result.ts';

/** What the API may ask of the engine. Reads of stored things do not pass here. */
export interface Engine {
  /** Resolves when the swarm and all its agents are durable. */
  launch(input: LaunchInput, caller: Caller): Promise<LaunchResult>;
  cancelSwarm(swarmId: string, reason: string | undefined, caller: Caller): Promise<ChangeResult>;
  /** Attempts under way end; none is started until `resumeSwarm`. */
  pauseSwarm(swarmId: string, caller: Caller): Promise<ChangeResult>;
  resumeSwarm(swarmId: string, caller: Caller): Promise<ChangeResult>;
  /** Events after a sequence number, then live; ends after the swarm's last one. `return()` works while it waits. */
  follow(
    swarmId: string,
    after: number,
    options: FollowOptions,
    signal: AbortSignal,
  ): AsyncIterableIterator<EventBatch>;
  /** Live text of all agents, or of these. */
  followOutput(
    swarmId: string,
    agentIndexes: readonly number[] | undefined,
    minIntervalMs: number,
    signal: AbortSignal,
  ): AsyncIterableIterator<OutputPiece[]>;
  /** The text so far of an agent that is being answered in this process. */
  liveText(swarmId: string, agentIndex: number): string | undefined;
  /** Rules, models and prices in force. */
  catalog(): Promise<Catalog>;
}
