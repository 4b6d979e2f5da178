import type { Catalog } from '../domain/catalog.ts';
import type { Prisma } from '../store/database.ts';
import { readCatalog } from '../store/read-catalog.ts';

/** A change of a rule, model or price takes effect within this time, for agents not yet begun. */
const FRESH_MS = 1_000;

/** Rules, models and prices in force, read at most once a second. */
export class CatalogCache {
  readonly #prisma: Prisma;
  readonly #clock: () => Date;
  #readAt = Number.NEGATIVE_INFINITY;
  #catalog: Promise<Catalog> | undefined;

  constructor(prisma: Prisma, clock: () => Date) {
    this.#prisma = prisma;
    this.#clock = clock;
  }

  current(): Promise<Catalog> {
    const now = this.#clock();
    if (this.#catalog !== undefined && now.getTime() - this.#readAt < FRESH_MS) return this.#catalog;
    this.#readAt = now.getTime();
    const reading = readCatalog(this.#prisma, now);
    // A failed read is not kept.
    reading.catch(() => {
      if (this.#catalog === reading) this.#catalog = undefined;
    });
    this.#catalog = reading;
    return reading;
  }
}
