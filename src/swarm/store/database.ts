import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { PrismaClient } from './generated/client.ts';

export type Prisma = PrismaClient;

/** An open database, migrated by `migrate(adapter)`. */
export interface Database {
  /** For people: never holds a password. */
  readonly label: string;
  readonly kind: 'pglite' | 'postgres';
  readonly prisma: Prisma;
  readonly adapter: SqlMigrationAwareDriverAdapterFactory;
  /** A way of the journal's own past the Prisma client, which would write and read each megabyte of rows twice more. */
  readonly driver: SqlDriverAdapter;
  close(): Promise<void>;
}

/** Postgres through a pool. Sessions are forced to UTC: adapter-pg writes wrong instants in any other zone. */
export async function openPostgres(url: string, poolSize = 10): Promise<Database> {
  const adapter = new PrismaPg({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    options: '-c TimeZone=UTC',
  });
  const prisma = new PrismaClient({ adapter });
  const driver = await adapter.connect();
  const { host, pathname } = new URL(url);
  const close = async () => {
    await prisma.$disconnect();
    await driver.dispose();
  };
  return { label: `Postgres ${host}${pathname}`, kind: 'postgres', prisma, adapter, driver, close };
}
