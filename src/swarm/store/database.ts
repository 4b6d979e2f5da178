import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { PrismaClient } from './generated/client.ts';

export type Prisma = PrismaClient;

/** An open database, migrated by `migrate(adapter)`. */
export interface Database {
  /** For people: never holds a password. */
  readonly label: string;
  readonly kind: 'pglite' | 'postgres';
  readonly prisma: Prisma;
  readonly adapter: SqlMigrationAwareDriverAdapterFactory;
  close(): Promise<void>;
}

/** Postgres through a pool. Sessions are forced to UTC: adapter-pg writes wrong instants in any other zone. */
export function openPostgres(url: string, poolSize = 10): Database {
  const adapter = new PrismaPg({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    options: '-c TimeZone=UTC',
  });
  const prisma = new PrismaClient({ adapter });
  const { host, pathname } = new URL(url);
  return { label: `Postgres ${host}${pathname}`, kind: 'postgres', prisma, adapter, close: () => prisma.$disconnect() };
}
