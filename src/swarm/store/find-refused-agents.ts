import { commitJournal } from './commit-journal.ts';
import type { Prisma } from './database.ts';
import type { SwarmCommit } from './journal-rows.ts';
import { isRefusedStatement } from './sql-state.ts';

class RolledBack extends Error {}

/** Which agents of a refused commit the database refuses on their own: each is tried alone and rolled back. */
export async function findRefusedAgents(prisma: Prisma, commit: SwarmCommit): Promise<number[]> {
  const refused: number[] = [];
  for (const agent of commit.agents) {
    const attempts = commit.attempts.filter((attempt) => attempt.agentIndex === agent.index);
    const alone: SwarmCommit = { swarm: commit.swarm, agents: [agent], attempts, events: [], rollups: [] };
    try {
      await prisma.$transaction(async (tx) => {
        await commitJournal(tx, [alone]);
        throw new RolledBack();
      });
    } catch (error) {
      if (error instanceof RolledBack) continue;
      if (!isRefusedStatement(error)) throw error;
      refused.push(agent.index);
    }
  }
  return refused;
}
