/** What it is doing. On standard error, so that standard output holds the report alone. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
