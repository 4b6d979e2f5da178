import { type ASTNode, Kind } from 'graphql';
import { formatUsd, type NanoUsd, parseUsd } from '../swarm/domain/money.ts';
import { builder } from './builder.ts';
import { invalidInput, quoted } from './request-error.ts';

/** What the database's 64-bit columns hold. */
const MOST = 2n ** 63n - 1n;

/** A number's plain decimals. More than nine of them are refused, not rounded. */
function parseNumber(value: number): NanoUsd | undefined {
  const decimal = value.toFixed(9);
  return Number(decimal) === value ? parseUsd(decimal) : undefined;
}

/** Undefined when it is no amount of at most nine decimals. */
export function parseAmount(value: unknown): NanoUsd | undefined {
  const amount =
    typeof value === 'string' ? parseUsd(value) : typeof value === 'number' ? parseNumber(value) : undefined;
  return amount === undefined || amount > MOST || amount < -MOST ? undefined : amount;
}

function refuse(value: unknown, node?: ASTNode): never {
  const cure = 'write plain dollars with at most nine decimals and no exponent, such as "0.0012345".';
  throw invalidInput(`Usd cannot be ${quoted(value, node)}; ${cure}`, node);
}

builder.scalarType('Usd', {
  description:
    'Exact US dollars as a plain decimal string such as "0.0012345": at most nine decimals, no exponent, no superfluous zeros. Input may also be a JSON number.',
  serialize: (nanoUsd) => formatUsd(nanoUsd),
  parseValue: (value) => parseAmount(value) ?? refuse(value),
  parseLiteral: (node) => {
    if (node.kind === Kind.STRING) return parseAmount(node.value) ?? refuse(node.value, node);
    if (node.kind !== Kind.INT && node.kind !== Kind.FLOAT) return refuse(undefined, node);
    // Its digits first: as a binary number it may be another one.
    return parseAmount(node.value) ?? parseAmount(Number(node.value)) ?? refuse(node.value, node);
  },
});
