import type { Prisma } from './database.ts';
import type { Agent } from './generated/client.ts';

/** What the run keeps of every agent, whatever their number. */
export interface AgentHead {
  readonly index: number;
  readonly status: Agent['status'];
}

export async function readAgentHeads(prisma: Prisma, swarmId: string): Promise<AgentHead[]> {
  return prisma.agent.findMany({
    where: { swarmId },
    select: { index: true, status: true },
    orderBy: { index: 'asc' },
  });
}

export async function readAgents(prisma: Prisma, swarmId: string, indexes: readonly number[]): Promise<Agent[]> {
  return prisma.agent.findMany({ where: { swarmId, index: { in: [...indexes] } }, orderBy: { index: 'asc' } });
}
