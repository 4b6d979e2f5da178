import type { EventData, SwarmEvent } from '../domain/event.ts';
import type { Prisma } from './database.ts';

/** Up to `limit` events of a swarm with a sequence greater than `after`. */
export interface EventRange {
  readonly swarmId: string;
  readonly after: number;
  readonly limit: number;
}

/** The events of several swarms at once, in order. Sequences have no gaps, so that a range is its bounds. */
export async function readEventRanges(prisma: Prisma, ranges: readonly EventRange[]): Promise<SwarmEvent[]> {
  const rows = await prisma.swarmEvent.findMany({
    where: {
      OR: ranges.map(({ swarmId, after, limit }) => ({ swarmId, sequence: { gt: after, lte: after + limit } })),
    },
    orderBy: [{ swarmId: 'asc' }, { sequence: 'asc' }],
  });
  // The journal wrote it as EventData; nobody else writes there.
  return rows.map((row) => ({ ...row, data: row.data as unknown as EventData }));
}
