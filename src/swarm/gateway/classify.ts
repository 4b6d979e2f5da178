import type { Fault } from '../domain/fault.ts';
import type { ErrorBody } from './error-body.ts';
import { type ResponseHeaders, retryAfterMs } from './retry-after.ts';

/** An HTTP answer that says no: a status from 400 on. */
export interface Refusal {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: ErrorBody;
  /** Since the epoch. */
  readonly nowMs: number;
}

const NO_QUOTA =
  /insufficient_?\w*(quota|balance|credit|fund)|billing|payment_required|credit_limit|balance_not_enough/;
const TOO_LONG = /context_(length|window)_exceeded|prompt_too_long|context_too_long/;
const TOO_LONG_SAID =
  /maximum context length|context (window|length)|(prompt|input) is too long|input token count .*exceeds/i;
const FILTERED = /content_filter|content_policy|responsibleaipolicy|content_moderation|data_inspection_failed/;
const FILTERED_SAID = /content management policy|content exists risk|input was flagged|requires moderation/i;
const NO_MODEL = /model_?not_?found|no_such_model|invalid_model|unknown_model/;
const NO_MODEL_SAID =
  /\bmodels?\b[^.]{0,100}\b(not exist|not found|not available|unknown)\b|(no such|unknown|invalid) model|not a valid model/i;
const WRONG_KEY = /invalid_?(api_?)?key|authentication_error|unauthenticated|unauthorized/;
const RATE = /rate_?limit|too_many_requests|resource_exhausted/;

/** One sentence of what happened with its cure, and what the gateway said itself. */
function sentence(happened: string, said: string): string {
  return said === '' ? happened : `${happened} It said: "${said}"`;
}

/** What the code alone tells, whatever status it came with. `who`: the beginning of the sentence. */
function byCode({ codes, message }: ErrorBody, who: string): Fault | undefined {
  if (NO_QUOTA.test(codes)) return outOfQuota(who, message);
  if (TOO_LONG.test(codes)) return tooLong(who, message);
  if (FILTERED.test(codes)) return filtered(who, message);
  if (NO_MODEL.test(codes)) return noModel(who, message);
  return undefined;
}

function outOfQuota(who: string, said: string): Fault {
  const happened = `${who} the account may not pay for this. Top it up or check its billing and rights, then resume.`;
  return { kind: 'quota-exhausted', message: sentence(happened, said) };
}

function tooLong(who: string, said: string): Fault {
  const happened = `${who} the prompt is longer than the model reads. Shorten it, or take a model with a larger context.`;
  return { kind: 'context-length-exceeded', message: sentence(happened, said) };
}

function filtered(who: string, said: string): Fault {
  const happened = `${who} its content filter refused this. Word the prompt differently, or take another model.`;
  return { kind: 'content-filtered', message: sentence(happened, said) };
}

function noModel(who: string, said: string): Fault {
  const happened = `${who} it does not have this model. Check the model's name, and that the key may use it.`;
  return { kind: 'model-not-found', message: sentence(happened, said) };
}

function wrongKey(who: string, said: string): Fault {
  const happened = `${who} it does not accept the API key. Check GATEWAY_API_KEY.`;
  return { kind: 'invalid-key', message: sentence(happened, said) };
}

function rateLimited(who: string, said: string, waitMs: number | undefined): Fault {
  const happened = `${who} too many requests. Lower the concurrency, or ask the gateway for a higher limit.`;
  return { kind: 'rate-limited', retryAfterMs: waitMs, message: sentence(happened, said) };
}

function gatewayError(httpStatus: number, who: string, said: string, waitMs: number | undefined): Fault {
  const happened = `${who} it has trouble of its own. Try again later.`;
  return { kind: 'gateway-error', httpStatus, retryAfterMs: waitMs, message: sentence(happened, said) };
}

function badRequest(httpStatus: number, who: string, said: string): Fault {
  const cure =
    httpStatus === 404 || httpStatus === 405
      ? 'there is no chat at this address. Check GATEWAY_BASE_URL.'
      : httpStatus === 413
        ? 'the request is too large. Shorten the prompt.'
        : 'it does not take this request. Change the prompt or the settings.';
  return { kind: 'bad-request', httpStatus, message: sentence(`${who} ${cure}`, said) };
}

/** The request itself is wrong, or something it names. */
function refusedRequest(status: number, { message }: ErrorBody, who: string): Fault {
  const mayBeTooLong = status === 400 || status === 413 || status === 422;
  if (mayBeTooLong && TOO_LONG_SAID.test(message)) return tooLong(who, message);
  if (FILTERED_SAID.test(message)) return filtered(who, message);
  const mayBeNoModel = status === 400 || status === 404 || status === 422;
  if (mayBeNoModel && NO_MODEL_SAID.test(message)) return noModel(who, message);
  return badRequest(status, who, message);
}

function byStatus(status: number, body: ErrorBody, who: string, waitMs: number | undefined): Fault {
  const { message } = body;
  if (status >= 500 || status === 408 || status === 409 || status === 425) {
    return gatewayError(status, who, message, waitMs);
  }
  switch (status) {
    case 401:
      return wrongKey(who, message);
    case 402:
      return outOfQuota(who, message);
    case 403:
      if (WRONG_KEY.test(body.codes)) return wrongKey(who, message);
      return FILTERED_SAID.test(message) ? filtered(who, message) : outOfQuota(who, message);
    case 429:
      return rateLimited(who, message, waitMs);
    default:
      return refusedRequest(status, body, who);
  }
}

/** The only place that decides what an HTTP refusal means. Codes go before statuses: gateways wrap others' refusals. */
export function classifyRefusal({ status, headers, body, nowMs }: Refusal): Fault {
  const who = `The gateway answered ${status}:`;
  return byCode(body, who) ?? byStatus(status, body, who, retryAfterMs(headers, nowMs));
}

/** An error object in an answer whose status was 200: what its code says, else `otherwise`. */
export function classifyErrorObject(body: ErrorBody, otherwise: 'stream-broken' | 'bad-answer'): Fault {
  const who = 'The gateway sent an error in place of the answer:';
  const known = byCode(body, who);
  if (known !== undefined) return known;
  if (body.status !== undefined) return byStatus(body.status, body, who, undefined);
  if (RATE.test(body.codes)) return rateLimited(who, body.message, undefined);
  if (WRONG_KEY.test(body.codes)) return wrongKey(who, body.message);
  if (TOO_LONG_SAID.test(body.message)) return tooLong(who, body.message);
  return { kind: otherwise, message: sentence('The gateway sent an error in place of the answer.', body.message) };
}
