import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { withSchemaEngine } from './schema-engine.ts';

type Side = 'empty' | 'database' | { readonly schema: string };

function target(side: Side, schema: string) {
  const files = (content: string) => [{ path: 'schema.prisma', content }];
  if (side === 'empty') return { tag: 'empty' as const };
  if (side === 'database') return { tag: 'schemaDatasource' as const, files: files(schema), configDir: '' };
  return { tag: 'schemaDatamodel' as const, files: files(side.schema) };
}

/** The SQL that leads from an empty database, the adapter's own or another schema to this one; '' when they are equal. */
export async function diffSchema(
  adapter: SqlMigrationAwareDriverAdapterFactory,
  from: Side,
  schema: string,
): Promise<string> {
  const result = await withSchemaEngine(adapter, (engine) =>
    engine.diff({
      from: target(from, schema),
      to: target({ schema }, schema),
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    }),
  );
  const sql = result.stdout ?? '';
  return sql.includes('empty migration') ? '' : sql;
}
