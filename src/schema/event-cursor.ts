import { type ASTNode, Kind } from 'graphql';
import { decodeCursor } from '../swarm/domain/cursor.ts';
import { builder } from './builder.ts';
import { invalidInput } from './request-error.ts';

/** The sequence a cursor stands for, or INVALID_INPUT. Absent: before the first event. */
export function sequenceOf(cursor: string | null | undefined, swarmId: string, lastSequence: number): number {
  if (cursor === null || cursor === undefined) return 0;
  const sequence = decodeCursor(swarmId, cursor);
  if (sequence === undefined) {
    throw invalidInput('after is no cursor of this swarm; take one from its events, or its latestEventCursor.');
  }
  if (sequence > lastSequence) {
    throw invalidInput(
      `after lies beyond the newest event: it is number ${sequence}, and the swarm has had ${lastSequence}.`,
    );
  }
  return sequence;
}

function read(value: unknown, node?: ASTNode): string {
  if (typeof value === 'string') return value;
  throw invalidInput('EventCursor has to be a string that the API gave out.', node);
}

builder.scalarType('EventCursor', {
  description: "An opaque position in one swarm's event log. Compare for equality only.",
  serialize: (cursor) => cursor,
  parseValue: (value) => read(value),
  parseLiteral: (node) => read(node.kind === Kind.STRING ? node.value : undefined, node),
});
