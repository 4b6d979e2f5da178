/**
 * Counts by key. With a limit it forgets the oldest keys, a tenth of them at a time, so that a sandbox may run for ever.
 */
export class Tally {
  readonly #counts = new Map<string, number>();
  readonly #limit: number;

  constructor(limit: number = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
  }

  get(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  set(key: string, count: number): void {
    if (count === 0) this.#counts.delete(key);
    else this.#counts.set(key, count);
    if (this.#counts.size > this.#limit) this.#forget();
  }

  /** The count after the change. */
  add(key: string, change: number): number {
    const count = this.get(key) + change;
    this.set(key, count);
    return count;
  }

  clear(): void {
    this.#counts.clear();
  }

  entries(): Iterable<[string, number]> {
    return this.#counts;
  }

  #forget(): void {
    let surplus = Math.ceil(this.#limit / 10);
    for (const oldest of this.#counts.keys()) {
      this.#counts.delete(oldest);
      surplus -= 1;
      if (surplus === 0) return;
    }
  }
}
