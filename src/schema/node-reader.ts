import type { OutputRef } from '@pothos/core';
import type { SchemaContext } from './context.ts';
import type { RowQuery } from './row-query.ts';

/** How rows of one type are found by their ids. */
export interface NodeReader {
  readonly ref: OutputRef & { readonly name: string };
  /** The rows that the caller may see, by id. Ids that are not in the map are missing, or foreign. */
  read(ids: readonly string[], query: RowQuery, context: SchemaContext): Promise<ReadonlyMap<string, object>>;
}
