import type { Prisma } from './database.ts';

const DAY_MS = 24 * 3_600_000;

export interface EarlierLaunch {
  readonly id: string;
  readonly inputHash: string;
}

/** The swarm that this tenant launched under the key within a day. A key that is older is set free. */
export async function findLaunch(
  prisma: Prisma,
  tenantId: string,
  idempotencyKey: string,
  now: Date,
): Promise<EarlierLaunch | undefined> {
  const where = { tenantId, idempotencyKey };
  await prisma.swarm.updateMany({
    where: { ...where, createdAt: { lte: new Date(now.getTime() - DAY_MS) } },
    data: { idempotencyKey: null },
  });
  return (await prisma.swarm.findFirst({ where, select: { id: true, inputHash: true } })) ?? undefined;
}
