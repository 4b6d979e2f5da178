import { readFile } from 'node:fs/promises';
import { lexicographicSortSchema, printSchema, validateSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { buildSchema, schema } from '../../src/schema/index.ts';

describe('the schema', () => {
  it('is what stands in schema.graphql', async () => {
    const kept = await readFile(new URL('../../schema.graphql', import.meta.url), 'utf8');

    // Differs? npm run schema writes it anew.
    expect(`${printSchema(lexicographicSortSchema(schema))}\n`).toBe(kept);
  });

  it('is valid, and the same each time', () => {
    expect(validateSchema(schema)).toEqual([]);
    expect(printSchema(buildSchema())).toBe(printSchema(schema));
  });
});
