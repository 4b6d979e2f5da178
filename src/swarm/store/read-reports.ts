import type { Prisma } from './database.ts';

/** What a fusion reads of an agent. */
export interface AgentReport {
  readonly index: number;
  readonly key: string;
  readonly role: string | null;
  /** Null: it did not succeed. */
  readonly output: string | null;
}

/** All agents of a swarm in their order, with the answers of those that succeeded. */
export async function readReports(prisma: Prisma, swarmId: string): Promise<AgentReport[]> {
  return prisma.$queryRaw<AgentReport[]>`
    SELECT index, key, role, CASE WHEN status = 'SUCCEEDED' THEN COALESCE(output, '') END AS output
    FROM "Agent" WHERE "swarmId" = ${swarmId} ORDER BY index`;
}
