import { userInfo } from 'node:os';
import pg from 'pg';

/** Where a server of the benchmark keeps its data. */
export interface BenchDatabase {
  readonly kind: 'postgres' | 'pglite';
  /** For people. */
  readonly label: string;
  /** Undefined: PGlite in the server's data folder. */
  readonly url: string | undefined;
  drop(): Promise<void>;
}

export const PGLITE: BenchDatabase = {
  kind: 'pglite',
  label: 'PGlite, in the server process',
  url: undefined,
  drop: () => Promise.resolve(),
};

async function administer<Row extends pg.QueryResultRow>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Makes a database of its own beside the one that DATABASE_URL names. Rejects when no Postgres answers. */
export async function createPostgres(databaseUrl: string | undefined): Promise<BenchDatabase> {
  const url = databaseUrl ?? `postgresql://${encodeURIComponent(userInfo().username)}@127.0.0.1:5432/postgres`;
  const name = `waggle_bench_${process.pid}`;
  const [row] = await administer<{ server_version: string }>(url, 'SHOW server_version');
  await administer(url, `DROP DATABASE IF EXISTS ${name}`);
  await administer(url, `CREATE DATABASE ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return {
    kind: 'postgres',
    label: `Postgres ${row?.server_version.split(' ')[0] ?? ''}`,
    url: own.toString(),
    drop: async () => {
      await administer(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}
