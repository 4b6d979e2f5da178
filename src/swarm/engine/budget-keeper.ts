import type { NanoUsd } from '../domain/money.ts';

/**
 * Keeps booked cost within a swarm's budget, whatever runs at once: the worst case is reserved before each request
 * and given back, less what it cost, after it. Without a budget it always says yes.
 */
export class BudgetKeeper {
  readonly #budget: NanoUsd | null;
  #spent: NanoUsd;
  #reserved: NanoUsd = 0n;
  #setAside: NanoUsd;

  /** `setAside`: kept back from the start, for the fusion. */
  constructor(budget: NanoUsd | null, spent: NanoUsd, setAside: NanoUsd) {
    this.#budget = budget;
    this.#spent = spent;
    this.#setAside = setAside;
  }

  get hasReservations(): boolean {
    return this.#reserved > 0n;
  }

  reserve(worst: NanoUsd): boolean {
    if (this.#budget !== null && this.#spent + this.#reserved + this.#setAside + worst > this.#budget) return false;
    this.#reserved += worst;
    return true;
  }

  settle(worst: NanoUsd, cost: NanoUsd | null): void {
    this.#reserved -= worst;
    this.#spent += cost ?? 0n;
  }

  /** The fusion itself asks now: what was set aside for it is free. */
  releaseSetAside(): void {
    this.#setAside = 0n;
  }
}
