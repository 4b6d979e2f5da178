import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { withSchemaEngine } from './schema-engine.ts';

const NO_FILTER = { externalTables: [], externalEnums: [] };

/** The SQL that leads from one Prisma schema (undefined: an empty database) to another. Empty when they are equal. */
export async function diffSchema(
  adapter: SqlMigrationAwareDriverAdapterFactory,
  from: string | undefined,
  to: string,
): Promise<string> {
  const container = (content: string) => ({ files: [{ path: 'schema.prisma', content }] });
  const result = await withSchemaEngine(adapter, (engine) =>
    engine.diff({
      from: from === undefined ? { tag: 'empty' } : { tag: 'schemaDatamodel', ...container(from) },
      to: { tag: 'schemaDatamodel', ...container(to) },
      script: true,
      exitCode: null,
      filters: NO_FILTER,
    }),
  );
  return result.stdout ?? '';
}
