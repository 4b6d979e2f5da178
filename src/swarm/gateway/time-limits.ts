import type { TimeLimit } from '../domain/fault.ts';

/** `total` comes with each request. */
export interface TimeLimits {
  /** From the call until the connection stands. */
  readonly connectMs: number;
  /** From then until the model says, or thinks, its first word; streams only. */
  readonly firstTokenMs: number;
  /** The longest silence after that. */
  readonly idleMs: number;
  /** For what can no longer change the outcome: a refusal's body, the end of a stream that was told to be done. */
  readonly endingMs: number;
}

export const DEFAULT_LIMITS: TimeLimits = { connectMs: 15_000, firstTokenMs: 120_000, idleMs: 60_000, endingMs: 2_000 };

/** What an attempt waits for. `whole`: an answer in one piece, for which only the total counts. */
export type Stage = Exclude<TimeLimit, 'total'> | 'whole' | 'ending';

export type Overdue = { readonly limit: TimeLimit; readonly limitMs: number } | 'ending';

/** The time limits of one attempt. It has no timer: somebody asks it now and then. Times are of `performance.now()`. */
export class AttemptClock {
  readonly #limits: TimeLimits;
  readonly #totalMs: number;
  readonly #totalDueAt: number;
  #stage: Stage = 'connect';
  #stageDueAt: number;
  #hasMoved = false;

  constructor(limits: TimeLimits, totalMs: number, startedAt: number) {
    this.#limits = limits;
    this.#totalMs = totalMs;
    this.#totalDueAt = startedAt + totalMs;
    this.#stageDueAt = startedAt + limits.connectMs;
  }

  get stage(): Stage {
    return this.#stage;
  }

  enter(stage: Stage): void {
    this.#stage = stage;
    this.#stageDueAt = performance.now() + this.#lengthOf(stage);
  }

  /** The stage begins anew. Costs nothing: the time is looked up at the next question, so a little late. */
  move(): void {
    this.#hasMoved = true;
  }

  /** The limit that was passed first. */
  overdue(now: number): Overdue | undefined {
    if (this.#hasMoved) {
      this.#hasMoved = false;
      this.#stageDueAt = now + this.#lengthOf(this.#stage);
    }
    if (now < this.#stageDueAt && now < this.#totalDueAt) return undefined;
    if (this.#stage === 'ending') return 'ending';
    if (this.#stage === 'whole' || this.#totalDueAt <= this.#stageDueAt) {
      return { limit: 'total', limitMs: this.#totalMs };
    }
    return { limit: this.#stage, limitMs: this.#lengthOf(this.#stage) };
  }

  #lengthOf(stage: Stage): number {
    switch (stage) {
      case 'connect':
        return this.#limits.connectMs;
      case 'first-token':
        return this.#limits.firstTokenMs;
      case 'idle':
        return this.#limits.idleMs;
      case 'whole':
        return Number.POSITIVE_INFINITY;
      case 'ending':
        return this.#limits.endingMs;
    }
  }
}
