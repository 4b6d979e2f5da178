// Exit 1 when a database made by prisma/migrations is not what prisma/schema.prisma says.
import { readFile } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { diffSchema } from '../src/swarm/store/diff-schema.ts';
import { migrate } from '../src/swarm/store/migrate.ts';

const pglite = await PGlite.create();
const adapter = new PrismaPGlite(pglite) as unknown as SqlMigrationAwareDriverAdapterFactory;
await migrate(adapter);
const difference = await diffSchema(adapter, 'database', await readFile('prisma/schema.prisma', 'utf8'));
await pglite.close();
if (difference !== '') {
  process.stderr.write(`prisma/migrations lack this; make it one with npm run db:migration -- NAME:\n${difference}\n`);
  process.exitCode = 1;
}
