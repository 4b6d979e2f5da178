import path from 'node:path';
import type { Config } from './config.ts';
import { type Database, openPostgres } from './swarm/store/database.ts';
import { lockFolder } from './swarm/store/lock-folder.ts';
import { lockPostgres } from './swarm/store/lock-postgres.ts';
import { migrate } from './swarm/store/migrate.ts';
import { openPglite } from './swarm/store/pglite.ts';
import { seed } from './swarm/store/seed.ts';

/**
 * Locks, opens, migrates and seeds the database that the configuration names. `onLockLost`: another server may come in
 * now. Rejects with AlreadyInUseError.
 */
export async function openDatabase(
  { databaseUrl, dataDir }: Config,
  say: (line: string) => void,
  onLockLost: (error: Error) => void,
): Promise<Database> {
  const lock = await (databaseUrl === undefined ? lockFolder(dataDir) : lockPostgres(databaseUrl, onLockLost));
  let database: Database | undefined;
  const close = async () => {
    await database?.close();
    await lock.release();
  };
  try {
    if (databaseUrl === undefined) {
      say('Opening the embedded database (about 5 seconds when it is made for the first time) …');
      database = await openPglite(path.join(dataDir, 'pglite'));
    } else database = await openPostgres(databaseUrl);
    const applied = await migrate(database.adapter);
    if (applied.length > 0) say(`Brought the database up to ${applied.at(-1)}.`);
    await seed(database.prisma);
    return { ...database, close };
  } catch (error) {
    await close();
    throw error;
  }
}
