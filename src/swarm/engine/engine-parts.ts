import type { Gateway } from '../gateway/gateway.ts';
import type { Prisma } from '../store/database.ts';
import type { CatalogCache } from './catalog-cache.ts';
import type { Journal } from './journal.ts';
import type { Log } from './log.ts';

/** What a run works with. */
export interface EngineParts {
  readonly prisma: Prisma;
  readonly journal: Journal;
  readonly catalog: CatalogCache;
  readonly gateway: Gateway;
  readonly log: Log;
  readonly clock: () => Date;
  /** From 0 to below 1. */
  readonly random: () => number;
}
