/** Rows by a name of theirs, in the order they came in. */
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
