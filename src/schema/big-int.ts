import { type ASTNode, Kind } from 'graphql';
import { builder } from './builder.ts';
import { invalidInput, quoted } from './request-error.ts';

const INTEGER = /^-?\d{1,19}$/;

/** Undefined when it is no whole number of 64 bits. Numbers beyond 2^53 have lost digits on the way and are refused. */
export function parseBigInt(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  if (typeof value !== 'string' || !INTEGER.test(value)) return undefined;
  const integer = BigInt(value);
  return BigInt.asIntN(64, integer) === integer ? integer : undefined;
}

function refuse(value: unknown, node?: ASTNode): never {
  throw invalidInput(`BigInt cannot be ${quoted(value, node)}; write a whole number of 64 bits as a string.`, node);
}

builder.scalarType('BigInt', {
  description: 'A 64-bit integer as a decimal string (token totals outgrow Int).',
  serialize: (integer) => integer.toString(),
  parseValue: (value) => parseBigInt(value) ?? refuse(value),
  parseLiteral: (node) => {
    const text = node.kind === Kind.STRING || node.kind === Kind.INT ? node.value : undefined;
    return parseBigInt(text) ?? refuse(text, node);
  },
});
