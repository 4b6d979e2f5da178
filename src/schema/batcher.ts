import DataLoader from 'dataloader';

/** So many keys become one statement; Postgres takes 32,767 parameters in one. */
const MOST_KEYS = 5_000;

/**
 * Gathers the keys that are asked for in one turn of the event loop and reads them at once. It remembers nothing
 * afterwards: a subscription lives for hours on one context, and would be shown what was read for its first event.
 */
export function batcher<Key, Value>(
  read: (keys: readonly Key[]) => Promise<(key: Key) => Value>,
): DataLoader<Key, Value> {
  return new DataLoader<Key, Value>(
    async (keys) => {
      const find = await read(keys);
      return keys.map(find);
    },
    { cache: false, maxBatchSize: MOST_KEYS },
  );
}

/** One batcher for each different parameter, so that what is read alike is read together. */
export function batchers<Parameter, Key, Value>(
  make: (parameter: Parameter) => DataLoader<Key, Value>,
): (parameter: Parameter) => DataLoader<Key, Value> {
  const made = new Map<string, DataLoader<Key, Value>>();
  return (parameter) => {
    const name = JSON.stringify(parameter);
    const existing = made.get(name) ?? make(parameter);
    made.set(name, existing);
    return existing;
  };
}

/** Rows by a name of theirs, each group in the order it was read. */
export function groupBy<Row>(rows: readonly Row[], nameOf: (row: Row) => string): (name: string) => Row[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const name = nameOf(row);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [row]);
    else group.push(row);
  }
  return (name) => groups.get(name) ?? [];
}
