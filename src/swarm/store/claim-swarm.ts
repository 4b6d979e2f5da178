import type { Prisma } from './database.ts';
import type { Swarm } from './generated/client.ts';

/**
 * Takes an open swarm for this process and returns it with its new epoch; undefined when it has ended meanwhile. From
 * here on every write of an earlier owner changes nothing.
 */
export async function claimSwarm(prisma: Prisma, swarmId: string): Promise<Swarm | undefined> {
  const [swarm] = await prisma.swarm.updateManyAndReturn({
    where: { id: swarmId, status: { notIn: ['SUCCEEDED', 'PARTIAL', 'FAILED', 'CANCELED'] } },
    data: { epoch: { increment: 1 } },
  });
  return swarm;
}
