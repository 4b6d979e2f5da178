import type { SwarmEvent } from '../domain/event.ts';

/** How many events of a swarm are kept: some seconds' worth of a busy one. */
const KEPT = 2_048;

/**
 * The newest committed events of the swarms that run here, so that a thousand clients who watch one swarm do not ask
 * the database a thousand times. Whoever wants older ones reads the log.
 */
export class RecentEvents {
  readonly #swarms = new Map<string, SwarmEvent[]>();

  add(swarmId: string, events: readonly SwarmEvent[]): void {
    const kept = this.#swarms.get(swarmId) ?? [];
    kept.push(...events);
    // Now and then, not each time: a shift of thousands is dearer than a few thousand more kept.
    if (kept.length > 2 * KEPT) kept.splice(0, kept.length - KEPT);
    this.#swarms.set(swarmId, kept);
  }

  /** Up to `limit` events after a sequence; undefined when they are not all here. */
  after(swarmId: string, sequence: number, limit: number): readonly SwarmEvent[] | undefined {
    const kept = this.#swarms.get(swarmId);
    const oldest = kept?.[0];
    if (kept === undefined || oldest === undefined || sequence + 1 < oldest.sequence) return undefined;
    const start = sequence + 1 - oldest.sequence;
    return kept.slice(start, start + limit);
  }

  /** The run is over: late followers read the log. */
  forget(swarmId: string): void {
    this.#swarms.delete(swarmId);
  }
}
