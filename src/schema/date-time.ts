import { type ASTNode, Kind } from 'graphql';
import { builder } from './builder.ts';
import { invalidInput, quoted } from './request-error.ts';

const RFC_3339 = /^(\d{4})-(\d{2})-(\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/i;

/** What is not of this day by its own calendar would be shifted to another one by Date: 30 February, for example. */
function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** Undefined when it is no RFC 3339 instant with a zone, in the years 1 to 9999 of UTC. Cut to milliseconds. */
export function parseDateTime(text: string): Date | undefined {
  const match = RFC_3339.exec(text);
  if (match === null || !isDay(Number(match[1]), Number(match[2]), Number(match[3]))) return undefined;
  const date = new Date(text.toUpperCase());
  const year = date.getUTCFullYear();
  return Number.isNaN(date.getTime()) || year < 1 || year > 9999 ? undefined : date;
}

function read(value: unknown, node?: ASTNode): Date {
  const date = typeof value === 'string' ? parseDateTime(value) : undefined;
  if (date !== undefined) return date;
  const cure = 'write an RFC 3339 instant with a zone, such as "2026-08-01T09:30:00Z" or "…+09:00".';
  throw invalidInput(`DateTime cannot be ${quoted(value, node)}; ${cure}`, node);
}

builder.scalarType('DateTime', {
  description: 'An instant, RFC 3339. Input needs a zone or offset; output is always UTC with milliseconds.',
  serialize: (date) => date.toISOString(),
  parseValue: (value) => read(value),
  parseLiteral: (node) => read(node.kind === Kind.STRING ? node.value : undefined, node),
});
