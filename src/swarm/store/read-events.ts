import type { EventData, SwarmEvent } from '../domain/event.ts';
import type { Prisma } from './database.ts';

/** Up to `limit` events of a swarm with a sequence greater than `after`, in order. */
export async function readEvents(prisma: Prisma, swarmId: string, after: number, limit: number): Promise<SwarmEvent[]> {
  const rows = await prisma.swarmEvent.findMany({
    where: { swarmId, sequence: { gt: after } },
    orderBy: { sequence: 'asc' },
    take: limit,
  });
  // The journal wrote it as EventData; nobody else writes there.
  return rows.map((row) => ({ ...row, data: row.data as unknown as EventData }));
}
