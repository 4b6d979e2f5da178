import type { Engine } from '../swarm/engine/engine.ts';
import type { Prisma } from '../swarm/store/database.ts';
import { type AgentLoaders, createAgentLoaders } from './agent-loaders.ts';
import { createSwarmLoaders, type SwarmLoaders } from './swarm-loaders.ts';

/** Reads that lists make once for each of their entries; here they become one statement a list. */
export interface Loaders extends AgentLoaders, SwarmLoaders {}

export function createLoaders(prisma: Prisma, engine: Engine): Loaders {
  return { ...createAgentLoaders(prisma, engine), ...createSwarmLoaders(prisma) };
}
