import { randomUUID } from 'node:crypto';
import { GraphQLError } from 'graphql';

export interface HttpLog {
  error(fields: object, message: string): void;
}

/** Codes of graphql-js's own refusals, which carry none. */
function codeOf(error: GraphQLError): string {
  return error.source !== undefined && error.path === undefined ? 'GRAPHQL_VALIDATION_FAILED' : 'BAD_REQUEST';
}

/**
 * What a client is told of an error. Made on purpose: as it is, with a code. Anything else is a bug: its message stays
 * here, in the log, and the client gets the number to find it by.
 */
export function masker(log: HttpLog): (error: unknown) => GraphQLError {
  return (error) => {
    const isDeliberate =
      error instanceof GraphQLError &&
      (error.originalError === undefined || error.originalError instanceof GraphQLError);
    if (isDeliberate) {
      const { unexpected: _, ...extensions } = error.extensions;
      if (extensions['requestId'] !== undefined) return error;
      return new GraphQLError(error.message, {
        nodes: error.nodes ?? null,
        source: error.source ?? null,
        positions: error.positions ?? null,
        path: error.path ?? null,
        extensions: { code: codeOf(error), ...extensions },
      });
    }
    const requestId = randomUUID();
    log.error(
      { err: error instanceof GraphQLError ? (error.originalError ?? error) : error, requestId },
      'A request failed by a bug.',
    );
    const path = error instanceof GraphQLError ? (error.path ?? null) : null;
    return new GraphQLError('Unexpected error.', { path, extensions: { code: 'INTERNAL_SERVER_ERROR', requestId } });
  };
}
