import type { Failure } from './fault.ts';
import type { Progress } from './progress.ts';
import type { AgentStatus, SwarmStatus } from './status.ts';

/** The event's own fields; times are RFC 3339 in UTC. */
export type EventFact =
  | { readonly type: 'swarm-status'; readonly swarmStatus: SwarmStatus; readonly failure: Failure | null }
  | {
      readonly type: 'agent-status';
      readonly index: number;
      readonly key: string;
      readonly agentStatus: AgentStatus;
      /** The number of the attempt that it is about; 0 before the first. */
      readonly attempt: number;
      readonly model: string | null;
      readonly failure: Failure | null;
      readonly retryAt: string | null;
    };

/** What the log keeps: a fact, and the swarm right after it. */
export type EventData = EventFact & {
  readonly progress: Progress;
  /** Billionths of a dollar; a string, because JSON has no 64-bit integer. */
  readonly costNanoUsd: string;
};

export interface SwarmEvent {
  readonly swarmId: string;
  /** 1, 2, 3 … without a gap. */
  readonly sequence: number;
  readonly occurredAt: Date;
  readonly data: EventData;
}
