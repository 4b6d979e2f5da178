import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import type { TestProject } from 'vitest/node';
import { openPostgres } from '../../src/swarm/store/database.ts';
import { migrate } from '../../src/swarm/store/migrate.ts';
import { seed } from '../../src/swarm/store/seed.ts';
import { administer, withDatabase } from './with-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A data folder of a migrated, seeded PGlite, packed: each test file unpacks a copy. */
    pgliteDump: string;
    /** Where Postgres answers, and the template database to clone; undefined: it does not answer. */
    postgres: { url: string; template: string } | undefined;
  }
}

function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1_000 });
    socket.once('connect', () => resolve(socket.destroy() && true));
    socket.once('timeout', () => resolve(socket.destroy() && false));
    socket.once('error', () => resolve(false));
  });
}

async function makePgliteDump(folder: string): Promise<string> {
  const pglite = await PGlite.create();
  const file = path.join(folder, 'pglite.tar');
  // The same steps as the server's, on a database that can be packed.
  await migrate(new PrismaPGlite(pglite) as unknown as Parameters<typeof migrate>[0]);
  const dump = await pglite.dumpDataDir('none');
  await writeFile(file, Buffer.from(await dump.arrayBuffer()));
  await pglite.close();
  return file;
}

async function makeTemplate(url: string): Promise<string> {
  const template = `waggle_test_${process.pid}_template`;
  await administer(url, `DROP DATABASE IF EXISTS ${template}`, `CREATE DATABASE ${template}`);
  const database = await openPostgres(withDatabase(url, template));
  await migrate(database.adapter);
  await seed(database.prisma);
  await database.close();
  return template;
}

// biome-ignore lint/style/noDefaultExport: vitest asks for it.
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // biome-ignore lint/style/noProcessEnv: the tests' own switches.
  const { DATABASE_URL, WAGGLE_TEST_REQUIRE_ALL } = process.env;
  const folder = await mkdtemp(path.join(tmpdir(), 'waggle-test-'));
  project.provide('pgliteDump', await makePgliteDump(folder));
  const url = DATABASE_URL ?? 'postgresql://root@127.0.0.1:5432/postgres';
  const { hostname, port } = new URL(url);
  const hasPostgres = await answers(hostname, Number(port || '5432'));
  if (!hasPostgres) {
    const line = `No Postgres answers at ${hostname}:${port || '5432'} (DATABASE_URL)`;
    if (WAGGLE_TEST_REQUIRE_ALL !== undefined) throw new Error(`${line}, and everything is required.`);
    process.stdout.write(`\nLEFT OUT: the Postgres suites. ${line}.\n\n`);
  }
  const template = hasPostgres ? await makeTemplate(url) : undefined;
  project.provide('postgres', template === undefined ? undefined : { url, template });
  return async () => {
    await rm(folder, { recursive: true, force: true });
    if (template !== undefined) await administer(url, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
  };
}
