import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { withSchemaEngine } from './schema-engine.ts';

/** From `src/swarm/store` and from `dist/swarm/store` alike. */
const MIGRATIONS = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));

/**
 * Brings the database up to the newest migration in prisma/migrations and returns the names of those applied now.
 * Keeps Prisma's own `_prisma_migrations` table, so that `prisma migrate deploy` may be used on the same database.
 * The caller holds the server lock: two of these must not run at once.
 */
export async function migrate(adapter: SqlMigrationAwareDriverAdapterFactory): Promise<string[]> {
  const entries = await readdir(MIGRATIONS, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const migrationDirectories = await Promise.all(
    names.sort().map(async (name) => ({
      path: name,
      migrationFile: {
        path: 'migration.sql',
        content: { tag: 'ok' as const, value: await readFile(path.join(MIGRATIONS, name, 'migration.sql'), 'utf8') },
      },
    })),
  );
  const lockfile = {
    path: 'migration_lock.toml',
    content: await readFile(path.join(MIGRATIONS, 'migration_lock.toml'), 'utf8'),
  };
  const { appliedMigrationNames } = await withSchemaEngine(adapter, (engine) =>
    engine.applyMigrations({
      migrationsList: { baseDir: MIGRATIONS, lockfile, shadowDbInitScript: '', migrationDirectories },
      filters: { externalTables: [], externalEnums: [] },
    }),
  );
  return appliedMigrationNames;
}
