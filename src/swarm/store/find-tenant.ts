import type { Prisma } from './database.ts';
import { DEFAULT_TENANT } from './seed.ts';

/** The tenant for whom an admin without one launches. */
export async function findTenant(prisma: Prisma): Promise<string> {
  const tenant = await prisma.tenant.findUniqueOrThrow({ where: { name: DEFAULT_TENANT }, select: { id: true } });
  return tenant.id;
}
