import type { Prisma } from './database.ts';
import type { Agent } from './generated/client.ts';

/** What the run keeps of every agent, whatever their number. */
export type AgentHead = Pick<Agent, 'index' | 'status'>;

export async function readAgentHeads(prisma: Prisma, swarmId: string): Promise<AgentHead[]> {
  return prisma.$queryRaw<AgentHead[]>`
    SELECT index, status::text AS status FROM "Agent" WHERE "swarmId" = ${swarmId} ORDER BY index`;
}

type AgentJson = Omit<Agent, 'costNanoUsd' | 'startedAt' | 'finishedAt'> & {
  readonly costNanoUsd: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
};

/**
 * Agents by index, in that order. They come as one JSON text: rows through Prisma cost the event loop ten times as much,
 * and every agent of a swarm passes here.
 */
export async function readAgents(prisma: Prisma, swarmId: string, indexes: readonly number[]): Promise<Agent[]> {
  const [row] = await prisma.$queryRaw<{ agents: string | null }[]>`
    SELECT json_agg(to_jsonb(a) || jsonb_build_object('costNanoUsd', a."costNanoUsd"::text) ORDER BY a.index)::text AS agents
    FROM "Agent" a WHERE a."swarmId" = ${swarmId} AND a.index = ANY(${[...indexes]}::int[])`;
  const agents: AgentJson[] = JSON.parse(row?.agents ?? '[]');
  const instant = (text: string | null) => (text === null ? null : new Date(text));
  return agents.map((agent) => ({
    ...agent,
    costNanoUsd: BigInt(agent.costNanoUsd),
    startedAt: instant(agent.startedAt),
    finishedAt: instant(agent.finishedAt),
  }));
}
