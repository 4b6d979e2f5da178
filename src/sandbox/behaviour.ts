/** Every fault the sandbox can show, with what a client sees of it. */
export const FAULTS = {
  rate_limit: '429; with retry_after, retry_after_date, retry_after_ms, reset_requests, reset_tokens its headers',
  insufficient_quota: '429 insufficient_quota; another code with status=403',
  invalid_api_key: '401 invalid_api_key',
  model_not_found: '404 model_not_found',
  context_length_exceeded: '400 context_length_exceeded',
  content_filter: '400 content_filter',
  server_error: '500; another one with status=502',
  overloaded: '503',
  echo_key: '401 whose body quotes the Authorization key back',
  reset: 'the connection is reset before any answer',
  stall: 'silence before the headers (until the client goes, or for stall_ms)',
  stall_first_token: 'headers, then silence before the first text',
  stall_middle: 'silence in the middle of the answer',
  cut: 'the connection ends in the middle of a character (or at byte cut_at of the body)',
  error_in_stream: '200, half of the answer, then an error object instead of the rest',
  html: '200 with an HTML page',
  garbage_line: 'a line that is no JSON in the middle of the stream',
  comments_crlf: 'SSE comments between the events, CRLF line ends',
  no_finish: 'the stream ends in order, but without finish_reason, usage and [DONE]',
  content_filter_finish: 'half of the answer with finish_reason content_filter',
  other_model: 'the answer names another model (served_model)',
  empty: 'an answer without text',
  nul: 'U+0000 in the text',
  lone_surrogate: 'half of a surrogate pair in the text',
  split_emoji: 'an emoji split over two deltas, as two JSON escapes',
  fenced_json: 'JSON inside a ``` fence',
} as const;

export type FaultName = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as readonly FaultName[];

/**
 * Where a stream tells its usage. `after_finish` (as OpenAI does): a last chunk with empty choices. `empty_delta` (as
 * OpenRouter does): a last chunk with an empty delta. `twice`: other figures first, in the middle.
 */
export const USAGE_FORMS = ['none', 'twice', 'finish_chunk', 'empty_delta', 'after_finish'] as const;
export type UsageForm = (typeof USAGE_FORMS)[number];

/** What a rule or a directive asks for. All of it is optional; what is absent is as the options say. */
export interface Behaviour {
  readonly fault?: FaultName | undefined;
  /** Of the fault; alone it refuses the request with this status. */
  readonly status?: number | undefined;
  readonly message?: string | undefined;
  /** `Retry-After` in seconds. */
  readonly retryAfterSeconds?: number | undefined;
  /** `Retry-After` as an HTTP date so many seconds from now. */
  readonly retryAfterDateSeconds?: number | undefined;
  /** `retry-after-ms`. */
  readonly retryAfterMs?: number | undefined;
  /** `x-ratelimit-reset-requests`, as it is: `2s`, `6m0s`. */
  readonly resetRequests?: string | undefined;
  /** `x-ratelimit-reset-tokens`, as it is. */
  readonly resetTokens?: string | undefined;
  /** Also of refusals, which otherwise come at once. */
  readonly latencyMs?: number | undefined;
  readonly text?: string | undefined;
  /** Completion tokens of the answer; its text is made that long. */
  readonly tokens?: number | undefined;
  readonly reasoningTokens?: number | undefined;
  readonly usage?: UsageForm | undefined;
  readonly bytesPerWrite?: number | undefined;
  /** The connection ends after so many bytes of the body. */
  readonly cutAt?: number | undefined;
  /** How long a stall lasts; absent: until the client goes. */
  readonly stallMs?: number | undefined;
  readonly servedModel?: string | undefined;
}

type Kind = 'count' | 'positive' | 'status' | 'text' | 'fault' | 'usage';

interface Field {
  /** Its name in a directive. */
  readonly key: string;
  readonly kind: Kind;
  readonly help: string;
}

export const BEHAVIOUR_FIELDS = {
  fault: { key: 'fault', kind: 'fault', help: 'one of the faults below' },
  status: { key: 'status', kind: 'status', help: 'status of the fault; alone: refuse with this 4xx or 5xx' },
  message: { key: 'message', kind: 'text', help: 'message of the error body' },
  retryAfterSeconds: { key: 'retry_after', kind: 'count', help: 'Retry-After in seconds' },
  retryAfterDateSeconds: { key: 'retry_after_date', kind: 'count', help: 'Retry-After as a date, seconds from now' },
  retryAfterMs: { key: 'retry_after_ms', kind: 'count', help: 'retry-after-ms' },
  resetRequests: { key: 'reset_requests', kind: 'text', help: 'x-ratelimit-reset-requests, as it is (2s)' },
  resetTokens: { key: 'reset_tokens', kind: 'text', help: 'x-ratelimit-reset-tokens, as it is (6m0s)' },
  latencyMs: { key: 'latency', kind: 'count', help: 'milliseconds before the answer' },
  text: { key: 'text', kind: 'text', help: 'the text of the answer' },
  tokens: { key: 'tokens', kind: 'count', help: 'completion tokens of the answer' },
  reasoningTokens: { key: 'reasoning', kind: 'count', help: 'reasoning tokens of the answer' },
  usage: { key: 'usage', kind: 'usage', help: USAGE_FORMS.join(', ') },
  bytesPerWrite: { key: 'bytes', kind: 'positive', help: 'bytes in one TCP write' },
  cutAt: { key: 'cut_at', kind: 'count', help: 'end the connection after so many bytes of the body' },
  stallMs: { key: 'stall_ms', kind: 'count', help: 'length of a stall (without: until the client goes)' },
  servedModel: { key: 'served_model', kind: 'text', help: 'the model that the answer names' },
} as const satisfies Record<keyof Behaviour, Field>;

const EXPECTED: Record<Kind, string> = {
  count: 'a whole number from 0',
  positive: 'a whole number from 1',
  status: 'a status from 400 to 599',
  text: 'a text',
  fault: `one of ${FAULT_NAMES.join(', ')}`,
  usage: `one of ${USAGE_FORMS.join(', ')}`,
};

function fits(kind: Kind, value: unknown): boolean {
  if (kind === 'text') return typeof value === 'string';
  if (kind === 'fault') return FAULT_NAMES.some((name) => name === value);
  if (kind === 'usage') return USAGE_FORMS.some((form) => form === value);
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return false;
  if (kind === 'status') return value >= 400 && value <= 599;
  return value >= (kind === 'positive' ? 1 : 0);
}

/** What is wrong with a value of a behaviour; undefined: nothing. */
export function problemOf(field: keyof Behaviour, value: unknown): string | undefined {
  const { kind } = BEHAVIOUR_FIELDS[field];
  return value === undefined || fits(kind, value) ? undefined : `must be ${EXPECTED[kind]}`;
}
