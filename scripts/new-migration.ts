// Writes prisma/migrations/<time>_<name>/migration.sql: what leads from the committed schema.prisma to the edited one.
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { diffSchema } from '../src/swarm/store/diff-schema.ts';

const name = process.argv[2];
if (name === undefined || !/^[a-z0-9_]+$/.test(name)) {
  throw new Error('Name the migration in snake_case: npm run db:migration -- add_labels');
}
const folder = 'prisma/migrations';
await mkdir(folder, { recursive: true });
const isFirst = (await readdir(folder, { withFileTypes: true })).every((entry) => !entry.isDirectory());
const committed = () => execFileSync('git', ['show', 'HEAD:prisma/schema.prisma'], { encoding: 'utf8' });
const before = isFirst ? 'empty' : { schema: committed() };
const pglite = new PGlite();
const sql = await diffSchema(new PrismaPGlite(pglite), before, await readFile('prisma/schema.prisma', 'utf8'));
await pglite.close();
const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
const target = path.join(folder, `${stamp}_${name}`);
await mkdir(target, { recursive: true });
await writeFile(path.join(target, 'migration.sql'), sql);
await writeFile(path.join(folder, 'migration_lock.toml'), 'provider = "postgresql"\n');
process.stdout.write(`${target}/migration.sql\n`);
