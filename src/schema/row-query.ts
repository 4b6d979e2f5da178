import { queryFromInfo } from '@pothos/plugin-prisma';

/**
 * What of a row the GraphQL query asks for: `select` or `include`, to be spread into a Prisma query of the field's
 * model. Shown as empty, because its columns are known at run time only: what is read off a row is named beside it.
 */
export interface RowQuery {
  readonly select?: never;
  readonly include?: never;
}

type Options = Pick<Parameters<typeof queryFromInfo>[0], 'context' | 'info' | 'typeName' | 'paths'> & {
  /** Columns that are needed whatever is asked for. */
  readonly select?: Readonly<Record<string, true>>;
};

/** Has to be called for each field anew: it also tells the Prisma plugin what the rows of this field will hold. */
export function rowQuery({ select, ...options }: Options): RowQuery {
  // The plugin makes it for the model of the type that it walks; TypeScript cannot follow it there.
  return queryFromInfo({ ...options, ...(select && { select }) }) as RowQuery;
}
