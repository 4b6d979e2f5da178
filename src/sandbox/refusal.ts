import { type OutgoingHttpHeaders, STATUS_CODES } from 'node:http';
import type { Behaviour, FaultName } from './behaviour.ts';

/** A whole answer that says no. */
export interface Refusal {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

interface ErrorShape {
  readonly status: number;
  readonly message: string;
  readonly type: string;
  readonly code: string | null;
  readonly param?: string;
}

export function refuse({ status, message, type, code, param }: ErrorShape, headers: OutgoingHttpHeaders = {}): Refusal {
  return { status, headers, body: JSON.stringify({ error: { message, type, param: param ?? null, code } }) };
}

export function refuseRequest(message: string, param?: string, code: string | null = null): Refusal {
  return refuse({
    status: 400,
    message,
    type: 'invalid_request_error',
    code,
    ...(param === undefined ? {} : { param }),
  });
}

export function refuseModel(model: string): Refusal {
  return refuse(modelNotFound(model));
}

export function refuseKey(): Refusal {
  return refuse(INVALID_KEY);
}

function modelNotFound(model: string): ErrorShape {
  const message = `The model \`${model}\` does not exist or you do not have access to it.`;
  return { status: 404, message, type: 'invalid_request_error', code: 'model_not_found' };
}

const INVALID_KEY: ErrorShape = {
  status: 401,
  message: 'Incorrect API key provided. You can find your API key in the settings of your account.',
  type: 'invalid_request_error',
  code: 'invalid_api_key',
};
export const SERVER_ERROR_MESSAGE = 'The server had an error while processing your request. Sorry about that!';

/** What the wording of a refusal depends on. */
export interface Refused {
  readonly model: string;
  readonly promptTokens: number;
  /** The Authorization header, for the fault that quotes it. */
  readonly authorization: string | undefined;
}

const SHAPES: Partial<Record<FaultName, (refused: Refused) => ErrorShape>> = {
  rate_limit: ({ model }) => ({
    status: 429,
    message: `Rate limit reached for ${model} on requests per min (RPM). Please try again later.`,
    type: 'requests',
    code: 'rate_limit_exceeded',
  }),
  insufficient_quota: () => ({
    status: 429,
    message: 'You exceeded your current quota, please check your plan and billing details.',
    type: 'insufficient_quota',
    code: 'insufficient_quota',
  }),
  invalid_api_key: () => INVALID_KEY,
  model_not_found: ({ model }) => modelNotFound(model),
  context_length_exceeded: ({ promptTokens }) => ({
    status: 400,
    message: `This model's maximum context length is ${Math.max(1, promptTokens - 1)} tokens. However, your messages resulted in ${promptTokens} tokens. Please reduce the length of the messages.`,
    type: 'invalid_request_error',
    code: 'context_length_exceeded',
    param: 'messages',
  }),
  content_filter: () => ({
    status: 400,
    message: 'The response was filtered due to the prompt triggering the content management policy.',
    type: 'invalid_request_error',
    code: 'content_filter',
    param: 'prompt',
  }),
  server_error: () => ({ status: 500, message: SERVER_ERROR_MESSAGE, type: 'server_error', code: null }),
  overloaded: () => ({
    status: 503,
    message: 'The engine is currently overloaded, please try again later.',
    type: 'server_error',
    code: 'overloaded',
  }),
  echo_key: ({ authorization }) => ({
    ...INVALID_KEY,
    message: `Incorrect API key provided: ${authorization?.replace(/^Bearer /i, '') ?? '(none)'}.`,
  }),
};

function shapeOfStatus(status: number, refused: Refused): ErrorShape {
  const fault: Partial<Record<number, FaultName>> = {
    401: 'invalid_api_key',
    404: 'model_not_found',
    429: 'rate_limit',
    500: 'server_error',
    503: 'overloaded',
  };
  const shape = SHAPES[fault[status] ?? 'reset']?.(refused);
  if (shape !== undefined) return shape;
  const message = `${STATUS_CODES[status] ?? 'Error'}.`;
  return { status, message, type: status >= 500 ? 'server_error' : 'invalid_request_error', code: null };
}

function waitHeaders(behaviour: Behaviour): OutgoingHttpHeaders {
  const { retryAfterSeconds, retryAfterDateSeconds, retryAfterMs, resetRequests, resetTokens } = behaviour;
  const headers: OutgoingHttpHeaders = {};
  if (retryAfterDateSeconds !== undefined) {
    headers['retry-after'] = new Date(Date.now() + retryAfterDateSeconds * 1_000).toUTCString();
  }
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds);
  if (retryAfterMs !== undefined) headers['retry-after-ms'] = String(retryAfterMs);
  if (resetRequests !== undefined) {
    headers['x-ratelimit-remaining-requests'] = '0';
    headers['x-ratelimit-reset-requests'] = resetRequests;
  }
  if (resetTokens !== undefined) {
    headers['x-ratelimit-remaining-tokens'] = '0';
    headers['x-ratelimit-reset-tokens'] = resetTokens;
  }
  return headers;
}

/** The refusal that a behaviour asks for; undefined: it asks for none. */
export function refusalOf(behaviour: Behaviour, refused: Refused): Refusal | undefined {
  const { fault, status, message } = behaviour;
  const shape =
    fault !== undefined ? SHAPES[fault]?.(refused) : status !== undefined ? shapeOfStatus(status, refused) : undefined;
  if (shape === undefined) return undefined;
  return refuse(
    { ...shape, status: status ?? shape.status, message: message ?? shape.message },
    waitHeaders(behaviour),
  );
}
