import type { Feed } from '../cluster/feed.ts';
import type { EventData, SwarmEvent } from '../domain/event.ts';
import type { NanoUsd } from '../domain/money.ts';
import type { Progress } from '../domain/progress.ts';
import { isEndedSwarm, type SwarmStatus } from '../domain/status.ts';
import type { Prisma } from '../store/database.ts';
import { readEvents } from '../store/read-events.ts';
import { readPosition, type SwarmPosition } from '../store/read-position.ts';
import { pause } from './pause.ts';
import type { RecentEvents } from './recent-events.ts';

/** The most events in one batch. */
const PAGE = 500;
/** A wake-up can be lost; the log is looked at after this time in any case. */
const POLL_MS = 5_000;

export interface FollowOptions {
  /** After so long without an event, an empty batch. */
  readonly heartbeatMs: number;
  /** Events are gathered for so long; 0: each commit at once. */
  readonly minIntervalMs: number;
}

/** What came since the last batch; the state is as of its last event. */
export interface EventBatch {
  readonly events: readonly SwarmEvent[];
  readonly sequence: number;
  readonly status: SwarmStatus;
  readonly progress: Progress;
  readonly costNanoUsd: NanoUsd;
}

export interface FollowParts {
  readonly prisma: Prisma;
  readonly feed: Feed;
  readonly recent: RecentEvents;
}

function stateAfter(state: Omit<EventBatch, 'events'>, events: readonly SwarmEvent[]): Omit<EventBatch, 'events'> {
  const last = events.at(-1);
  if (last === undefined) return state;
  const swarmStatus = (data: EventData) => (data.type === 'swarm-status' ? data.swarmStatus : undefined);
  const status = events.reduce((now, event) => swarmStatus(event.data) ?? now, state.status);
  const { progress, costNanoUsd } = last.data;
  return { sequence: last.sequence, status, progress, costNanoUsd: BigInt(costNanoUsd) };
}

/**
 * Reads a swarm's log from after `after` on, and goes on with it as it grows. The wake-up only wakes; what is sent is
 * always read by `sequence > cursor`, so nothing is lost, doubled or out of order. Who reads slowly costs nothing but
 * its position. Ends after the swarm's last event.
 */
export async function* follow(
  swarmId: string,
  after: number,
  options: FollowOptions,
  { prisma, feed, recent }: FollowParts,
  signal: AbortSignal,
): AsyncGenerator<EventBatch, void, void> {
  const ears = feed.listen(swarmId);
  try {
    const position: SwarmPosition | undefined = await readPosition(prisma, swarmId, after);
    if (position === undefined) return;
    let state: Omit<EventBatch, 'events'> = { ...position, sequence: after };
    let silentSince = Date.now();
    while (!signal.aborted) {
      // Before the read: a wake-up that comes during it is not lost.
      ears.forget();
      const events =
        recent.after(swarmId, state.sequence, PAGE) ?? (await readEvents(prisma, swarmId, state.sequence, PAGE));
      if (signal.aborted) return;
      state = stateAfter(state, events);
      const silentMs = Date.now() - silentSince;
      if (events.length > 0 || silentMs >= options.heartbeatMs) {
        yield { events, ...state };
        silentSince = Date.now();
      }
      if (isEndedSwarm(state.status)) {
        if (events.length === 0) return;
        if (events.at(-1)?.data.type === 'swarm-status') return;
      }
      if (events.length === PAGE) continue;
      if (events.length > 0) await pause(options.minIntervalMs, signal);
      await ears.heard(Math.min(POLL_MS, Math.max(1, options.heartbeatMs - (Date.now() - silentSince))), signal);
    }
  } finally {
    ears.close();
  }
}
