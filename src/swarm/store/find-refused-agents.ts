import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils';
import { commitJournal } from './commit-journal.ts';
import type { SwarmCommit } from './journal-rows.ts';
import { isRefusedStatement } from './sql-state.ts';

async function isRefused(driver: SqlDriverAdapter, commit: SwarmCommit): Promise<boolean> {
  const transaction = await driver.startTransaction();
  // Some drivers begin and end a transaction by themselves, some only hold a connection for it.
  const say = (sql: string) =>
    transaction.options.usePhantomQuery ? undefined : transaction.executeRaw({ sql, args: [], argTypes: [] });
  await say('BEGIN');
  try {
    await commitJournal(transaction, [commit]);
    return false;
  } catch (error) {
    if (!isRefusedStatement(error)) throw error;
    return true;
  } finally {
    await say('ROLLBACK');
    await transaction.rollback();
  }
}

/** Which agents of a refused commit the database refuses on their own: each is tried alone and rolled back. */
export async function findRefusedAgents(driver: SqlDriverAdapter, commit: SwarmCommit): Promise<number[]> {
  const refused: number[] = [];
  for (const agent of commit.agents) {
    const attempts = commit.attempts.filter((attempt) => attempt.agentIndex === agent.index);
    const alone: SwarmCommit = { swarm: commit.swarm, agents: [agent], attempts, events: [], rollups: [] };
    if (await isRefused(driver, alone)) refused.push(agent.index);
  }
  return refused;
}
