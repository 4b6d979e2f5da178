import { readFile } from 'node:fs/promises';
import { inject } from 'vitest';
import { type Database, openPostgres } from '../../src/swarm/store/database.ts';
import { openMemoryPglite } from '../../src/swarm/store/pglite.ts';
import { seed } from '../../src/swarm/store/seed.ts';
import { administer, withDatabase } from './with-database.ts';

/** A migrated and seeded database of a test's own. `drop` closes it and leaves nothing. */
export interface TestDatabase {
  readonly database: Database;
  /** Set for Postgres. */
  readonly url: string | undefined;
  drop(): Promise<void>;
}

async function aPglite(): Promise<TestDatabase> {
  const database = await openMemoryPglite(new Blob([await readFile(inject('pgliteDump'))]));
  await seed(database.prisma);
  return { database, url: undefined, drop: () => database.close() };
}

let made = 0;

async function aPostgres(): Promise<TestDatabase> {
  const { url, template } = inject('postgres') ?? { url: '', template: '' };
  made += 1;
  const name = `waggle_test_${process.pid}_${made}`;
  await administer(url, `DROP DATABASE IF EXISTS ${name}`, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const own = withDatabase(url, name);
  const database = await openPostgres(own);
  const drop = async () => {
    await database.close();
    await administer(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  };
  return { database, url: own, drop };
}

/** The databases that suites run on: PGlite always, Postgres where it answers. */
export const databases: readonly { readonly name: string; readonly open: () => Promise<TestDatabase> }[] =
  inject('postgres') === undefined
    ? [{ name: 'PGlite', open: aPglite }]
    : [
        { name: 'PGlite', open: aPglite },
        { name: 'Postgres', open: aPostgres },
      ];
