import pg from 'pg';
import { AlreadyInUseError, type Lock } from './lock-folder.ts';

/** "waggle" as a 48-bit number: any that no other program is likely to use. */
const LOCK_ID = 0x7761_6767_6c65;

/**
 * Keeps a second server off the database by an advisory lock on a connection of its own, which Postgres drops with its
 * process. `onLost` is called when that connection breaks: the lock is gone with it. Throws AlreadyInUseError.
 */
export async function lockPostgres(url: string, onLost: (error: Error) => void): Promise<Lock> {
  const client = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 10_000 });
  await client.connect();
  let isReleased = false;
  client.on('error', (error) => {
    if (!isReleased) onLost(error);
  });
  const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [LOCK_ID]);
  const release = async () => {
    isReleased = true;
    await client.end();
  };
  if (rows[0]?.locked === true) return { release };
  await release();
  throw new AlreadyInUseError(
    'Another Waggle server is using this database. Stop it, or give this one a database of its own with DATABASE_URL.',
  );
}
