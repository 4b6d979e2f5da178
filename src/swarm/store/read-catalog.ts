import type { Catalog } from '../domain/catalog.ts';
import type { Prisma } from './database.ts';

/** Rules, models and the prices in force at `now`. */
export async function readCatalog(prisma: Prisma, now: Date): Promise<Catalog> {
  const [rules, models] = await Promise.all([
    prisma.routingRule.findMany({ orderBy: [{ position: 'asc' }, { id: 'asc' }] }),
    prisma.model.findMany({
      orderBy: { name: 'asc' },
      include: { prices: { where: { validFrom: { lte: now } }, orderBy: { validFrom: 'desc' }, take: 1 } },
    }),
  ]);
  return { rules, models: new Map(models.map(({ prices, ...model }) => [model.name, { ...model, price: prices[0] }])) };
}
