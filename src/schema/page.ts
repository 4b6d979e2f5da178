import { invalidInput } from './request-error.ts';

export const DEFAULT_PAGE = 50;
export const MAX_PAGE = 1_000;

export interface PageArgs {
  readonly first?: number | null | undefined;
  readonly last?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly before?: string | null | undefined;
}

/** A part of an ordered list: up to `limit` entries between two positions, from its start or from its end. */
export interface Page<Position> {
  readonly limit: number;
  readonly isBackward: boolean;
  readonly after: Position | undefined;
  readonly before: Position | undefined;
}

function checkLimit(name: string, limit: number): number {
  if (limit < 0) throw invalidInput(`${name} is ${limit}; give a number from 0 to ${MAX_PAGE}.`);
  if (limit > MAX_PAGE) {
    throw invalidInput(`${name} is ${limit}; a page has at most ${MAX_PAGE} entries. Read on with after: endCursor.`);
  }
  return limit;
}

/** Reads a connection's arguments, or throws INVALID_INPUT. `decode` gives undefined for what is no cursor of this list. */
export function pageOf<Position>(
  { first, last, after, before }: PageArgs,
  decode: (cursor: string) => Position | undefined,
): Page<Position> {
  const position = (name: string, cursor: string | null | undefined) => {
    if (cursor === null || cursor === undefined) return undefined;
    const decoded = decode(cursor);
    if (decoded === undefined) throw invalidInput(`${name} is no cursor of this list in this order.`);
    return decoded;
  };
  // `first` has a default, so that it is always there: `last`, which has none, is the stronger word.
  const isBackward = last !== null && last !== undefined;
  const limit = isBackward ? checkLimit('last', last) : checkLimit('first', first ?? DEFAULT_PAGE);
  return { limit, isBackward, after: position('after', after), before: position('before', before) };
}

export interface PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

/**
 * Makes the page of what was read: in the page's reading direction, and one entry more than its limit if there is one.
 * Against the reading direction there are more entries if it was read from a cursor on (the cursor's own, at least).
 */
export function cutPage<Entry>(
  read: readonly Entry[],
  page: Page<unknown>,
  cursorOf: (entry: Entry) => string,
): { readonly entries: readonly Entry[]; readonly pageInfo: PageInfo } {
  const entries = read.slice(0, page.limit);
  if (page.isBackward) entries.reverse();
  const [first, last] = [entries[0], entries.at(-1)];
  const hasMore = read.length > page.limit;
  const pageInfo = {
    hasNextPage: page.isBackward ? page.before !== undefined : hasMore,
    hasPreviousPage: page.isBackward ? hasMore : page.after !== undefined,
    startCursor: first === undefined ? null : cursorOf(first),
    endCursor: last === undefined ? null : cursorOf(last),
  };
  return { entries, pageInfo };
}
