import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import type { Database } from './database.ts';
import { PrismaClient } from './generated/client.ts';

/** Postgres in the process (PGlite), kept in `folder`. The caller holds the folder's lock: two openers would spoil it. */
export async function openPglite(folder: string): Promise<Database> {
  if (!existsSync(folder)) await create(folder);
  return wrap(await PGlite.create({ dataDir: folder }), `PGlite in ${path.relative('', folder) || folder}`);
}

/** The same without a folder: gone with the process. */
export async function openMemoryPglite(loadDataDir?: PGliteOptions['loadDataDir']): Promise<Database> {
  return wrap(await PGlite.create(loadDataDir === undefined ? {} : { loadDataDir }), 'PGlite in memory');
}

/** Made beside its place and moved there when whole, so that a process killed here leaves no half a database. */
async function create(folder: string): Promise<void> {
  const draft = `${folder}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(path.dirname(folder), { recursive: true, mode: 0o700 });
  const pglite = await PGlite.create({ dataDir: draft });
  await pglite.close();
  await rename(draft, folder);
}

async function wrap(pglite: PGlite, label: string): Promise<Database> {
  await pglite.exec("SET TIME ZONE 'UTC'");
  // The adapter was built against another copy of the same interface.
  const adapter = new PrismaPGlite(pglite) as unknown as SqlMigrationAwareDriverAdapterFactory;
  const prisma = new PrismaClient({ adapter });
  const driver = await adapter.connect();
  const close = async () => {
    await prisma.$disconnect();
    await pglite.close();
  };
  return { label, kind: 'pglite', prisma, adapter, driver, close };
}
