/** What a caller is told of a failure: `code` is stable, `message` is a full sentence, nothing in it is secret. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  /** The same request may succeed later. */
  readonly isRetryable: boolean;
}

export type TimeLimit = 'connect' | 'first-token' | 'idle' | 'total';

/** Why an attempt was not answered; decided where the answer is read. An abort by ourselves is none of these. */
export type Fault =
  | { readonly kind: 'rate-limited'; readonly retryAfterMs: number | undefined; readonly message: string }
  /** 408, 409, 425, 5xx: the gateway's own trouble. */
  | {
      readonly kind: 'gateway-error';
      readonly httpStatus: number;
      readonly retryAfterMs: number | undefined;
      readonly message: string;
    }
  /** Refused, reset, unreachable, name not found, TLS. */
  | { readonly kind: 'connection-failed'; readonly message: string }
  /** A 200 whose stream broke off, carried an error object, or ended without a finish. */
  | { readonly kind: 'stream-broken'; readonly message: string }
  | { readonly kind: 'timed-out'; readonly limit: TimeLimit; readonly limitMs: number }
  /** A 200 that is no chat completion: an HTML page, no JSON, an answer beyond the size limit. */
  | { readonly kind: 'bad-answer'; readonly message: string }
  /** 400, 404, 413, 422 and other 4xx: the request itself is refused. */
  | { readonly kind: 'bad-request'; readonly httpStatus: number; readonly message: string }
  | { readonly kind: 'model-not-found'; readonly message: string }
  | { readonly kind: 'context-length-exceeded'; readonly message: string }
  | { readonly kind: 'content-filtered'; readonly message: string }
  | { readonly kind: 'invalid-key'; readonly message: string }
  | { readonly kind: 'quota-exhausted'; readonly message: string };

/** True: the same request, sent again as it is, may be answered. */
export function isTransient(fault: Fault): boolean {
  switch (fault.kind) {
    case 'rate-limited':
    case 'gateway-error':
    case 'connection-failed':
    case 'stream-broken':
    case 'timed-out':
    case 'bad-answer':
      return true;
    case 'bad-request':
    case 'model-not-found':
    case 'context-length-exceeded':
    case 'content-filtered':
    case 'invalid-key':
    case 'quota-exhausted':
      return false;
  }
}

const LIMIT_TEXT: Record<TimeLimit, string> = {
  connect: 'no connection to the gateway',
  'first-token': 'no first token',
  idle: 'silence in the middle of the answer',
  total: 'no whole answer',
};

const CODE: Record<Fault['kind'], string> = {
  'rate-limited': 'RATE_LIMITED',
  'gateway-error': 'GATEWAY_ERROR',
  'connection-failed': 'CONNECTION_FAILED',
  'stream-broken': 'STREAM_BROKEN',
  'timed-out': 'TIMED_OUT',
  'bad-answer': 'BAD_ANSWER',
  'bad-request': 'BAD_REQUEST',
  'model-not-found': 'MODEL_NOT_FOUND',
  'context-length-exceeded': 'CONTEXT_LENGTH_EXCEEDED',
  'content-filtered': 'CONTENT_FILTERED',
  'invalid-key': 'INVALID_API_KEY',
  'quota-exhausted': 'GATEWAY_QUOTA',
};

export function failureOf(fault: Fault): Failure {
  const message =
    fault.kind === 'timed-out' ? `Timed out: ${LIMIT_TEXT[fault.limit]} within ${fault.limitMs} ms.` : fault.message;
  return { code: CODE[fault.kind], message, isRetryable: isTransient(fault) };
}
