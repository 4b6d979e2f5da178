import { type ASTNode, GraphQLError, print } from 'graphql';

/*
 * What stands in the top-level `errors`, always with a code. None of these names an HTTP status: over SSE the client
 * would then get the status without the message.
 */

/** An argument that cannot be used. What a mutation's input can have wrong is an InvalidInputError instead. */
export function invalidInput(message: string, node?: ASTNode): GraphQLError {
  return new GraphQLError(message, { ...(node && { nodes: node }), extensions: { code: 'INVALID_INPUT' } });
}

/** Missing and foreign alike. */
export function notFound(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'NOT_FOUND' } });
}

export function forbidden(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'FORBIDDEN' } });
}

const MOST_SHOWN = 80;

/** A value as an error quotes it: what stands in the query, else what came as a variable; a long one is cut. */
export function quoted(value: unknown, node?: ASTNode): string {
  const text = node === undefined ? (JSON.stringify(value) ?? 'nothing') : print(node);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}
