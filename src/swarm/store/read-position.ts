import type { EventData } from '../domain/event.ts';
import type { NanoUsd } from '../domain/money.ts';
import { type Progress, queuedProgress } from '../domain/progress.ts';
import type { SwarmStatus } from '../domain/status.ts';
import type { Prisma } from './database.ts';

/** A swarm as it was right after one of its events. */
export interface SwarmPosition {
  readonly status: SwarmStatus;
  readonly progress: Progress;
  readonly costNanoUsd: NanoUsd;
}

/** The swarm right after its event `sequence` (0: before the first); undefined when there is no such swarm. */
export async function readPosition(
  prisma: Prisma,
  swarmId: string,
  sequence: number,
): Promise<SwarmPosition | undefined> {
  const swarm = await prisma.swarm.findUnique({ where: { id: swarmId }, select: { total: true } });
  if (swarm === null) return undefined;
  const [last, lastStatus] = await Promise.all([
    prisma.swarmEvent.findUnique({ where: { swarmId_sequence: { swarmId, sequence } } }),
    prisma.swarmEvent.findFirst({
      where: { swarmId, sequence: { lte: sequence }, data: { path: ['type'], equals: 'swarm-status' } },
      orderBy: { sequence: 'desc' },
    }),
  ]);
  // The journal wrote both as EventData.
  const data = last?.data as unknown as EventData | undefined;
  const statusData = lastStatus?.data as unknown as EventData | undefined;
  return {
    status: statusData?.type === 'swarm-status' ? statusData.swarmStatus : 'QUEUED',
    progress: data?.progress ?? queuedProgress(swarm.total),
    costNanoUsd: BigInt(data?.costNanoUsd ?? '0'),
  };
}
