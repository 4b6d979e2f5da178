// Writes schema.graphql, the API as clients see it; with --check, exits 1 when the file is not what the code prints.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { schema } from '../src/schema/index.ts';

const FILE = fileURLToPath(new URL('../schema.graphql', import.meta.url));
const printed = `${printSchema(lexicographicSortSchema(schema))}\n`;

if (process.argv.includes('--check')) {
  const kept = await readFile(FILE, 'utf8').catch(() => '');
  if (kept !== printed) {
    process.stderr.write('schema.graphql is not what the code prints; run npm run schema and commit it.\n');
    process.exitCode = 1;
  }
} else {
  await writeFile(FILE, printed);
}
