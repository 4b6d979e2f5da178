import type { Caller } from '../swarm/engine/caller.ts';
import type { Engine } from '../swarm/engine/engine.ts';
import type { Prisma } from '../swarm/store/database.ts';
import { createLoaders, type Loaders } from './loaders.ts';

/** What every resolver is given. One for each operation: a request, or a subscription for as long as it lives. */
export interface SchemaContext {
  readonly caller: Caller;
  readonly engine: Engine;
  readonly prisma: Prisma;
  readonly loaders: Loaders;
  /** Aborted when the client is gone, or the server stops: ends the streams of this operation. */
  readonly signal: AbortSignal;
}

export function createContext(parts: Omit<SchemaContext, 'loaders'>): SchemaContext {
  return { ...parts, loaders: createLoaders(parts.prisma, parts.engine) };
}
