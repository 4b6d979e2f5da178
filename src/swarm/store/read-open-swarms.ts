import type { Prisma } from './database.ts';

/** Swarms that somebody has to run: all open ones but those that wait for a caller. Oldest first. */
export async function readOpenSwarms(prisma: Prisma): Promise<string[]> {
  const swarms = await prisma.swarm.findMany({
    where: { status: { in: ['QUEUED', 'PLANNING', 'RUNNING', 'FUSING'] } },
    select: { id: true },
    orderBy: { createdAt: 'asc' },
  });
  return swarms.map((swarm) => swarm.id);
}
