import type { Prisma } from './database.ts';
import type { Attempt } from './generated/client.ts';

/** Attempts that a process began and, being dead, never ended. */
export async function readRunningAttempts(prisma: Prisma, swarmId: string): Promise<Attempt[]> {
  return prisma.attempt.findMany({ where: { swarmId, status: 'RUNNING' } });
}
