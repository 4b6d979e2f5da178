import type { Caller } from '../swarm/engine/caller.ts';
import type { Engine } from '../swarm/engine/engine.ts';
import type { Prisma } from '../swarm/store/database.ts';
import { type AgentLoaders, createAgentLoaders } from './agent-loaders.ts';
import { createSwarmLoaders, type SwarmLoaders } from './swarm-loaders.ts';

/** Reads that lists make once for each of their entries; here they become one statement a list. */
export interface Loaders extends AgentLoaders, SwarmLoaders {}

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
  const { prisma, engine } = parts;
  return { ...parts, loaders: { ...createAgentLoaders(prisma, engine), ...createSwarmLoaders(prisma) } };
}
