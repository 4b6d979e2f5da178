import type DataLoader from 'dataloader';
import type { SwarmEvent } from '../swarm/domain/event.ts';
import type { Prisma } from '../swarm/store/database.ts';
import { type Breakdown, type BreakdownKey, readBreakdown } from '../swarm/store/read-breakdown.ts';
import { type EventRange, readEventRanges } from '../swarm/store/read-event-ranges.ts';
import { type Latencies, readLatencies } from '../swarm/store/read-latencies.ts';
import { batcher, batchers, groupBy } from './batcher.ts';
import type { RowQuery } from './row-query.ts';

/** By the swarm's id. None of them asks who may see it: whoever has the id from a row that was read may. */
export interface SwarmLoaders {
  readonly swarms: (query: RowQuery) => DataLoader<string, { readonly id: string } | undefined>;
  readonly events: DataLoader<EventRange, SwarmEvent[]>;
  /** Undefined: no attempt has succeeded. */
  readonly latencies: DataLoader<string, Latencies | undefined>;
  readonly breakdown: (by: BreakdownKey) => DataLoader<string, Breakdown[]>;
}

export function createSwarmLoaders(prisma: Prisma): SwarmLoaders {
  return {
    swarms: batchers((query) =>
      batcher(async (ids) => {
        const rows: { id: string }[] = await prisma.swarm.findMany({ ...query, where: { id: { in: [...ids] } } });
        const found = new Map(rows.map((row) => [row.id, row]));
        return (id) => found.get(id);
      }),
    ),
    events: batcher(async (ranges) => {
      const ofSwarm = groupBy(await readEventRanges(prisma, ranges), (event) => event.swarmId);
      // Another range of the same swarm may have been read along with it.
      return ({ swarmId, after, limit }) =>
        ofSwarm(swarmId).filter(({ sequence }) => sequence > after && sequence <= after + limit);
    }),
    latencies: batcher(async (swarmIds) => {
      const rows = await readLatencies(prisma, swarmIds);
      const found = new Map(rows.map((row) => [row.swarmId, row]));
      return (swarmId) => found.get(swarmId);
    }),
    breakdown: batchers((by) =>
      batcher(async (swarmIds) => groupBy(await readBreakdown(prisma, by, swarmIds), (row) => row.swarmId)),
    ),
  };
}
