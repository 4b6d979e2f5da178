import { createHash } from 'node:crypto';
import type { LaunchInput } from '../domain/launch-input.ts';

/** Keys in order, so that the same input has the same text however it was written. */
function canonical(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, field]) => field !== null && field !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, field]) => [key, canonical(field)]));
}

/** SHA-256 of a launch's input. Absent and null fields are the same; the idempotency key itself does not count. */
export function inputHash({ idempotencyKey: _, ...input }: LaunchInput): string {
  return createHash('sha256')
    .update(JSON.stringify(canonical(input)))
    .digest('hex');
}
