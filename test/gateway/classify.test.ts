import { describe, expect, it } from 'vitest';
import type { Fault } from '../../src/swarm/domain/fault.ts';
import { classifyErrorObject, classifyRefusal } from '../../src/swarm/gateway/classify.ts';
import { errorBodyOf, readErrorBody } from '../../src/swarm/gateway/error-body.ts';

const asIs = (text: string) => text;

function refused(status: number, body: unknown = '', headers = {}): Fault {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return classifyRefusal({ status, headers, body: readErrorBody(text, asIs), nowMs: 0 });
}

const said = (message: string, code?: unknown, type?: string) => ({ error: { message, code, type } });

const rows: readonly [number, unknown, Fault['kind']][] = [
  [400, said('No.'), 'bad-request'],
  [400, said('Too long.', 'context_length_exceeded'), 'context-length-exceeded'],
  [400, said("This model's maximum context length is 8192 tokens. However, …"), 'context-length-exceeded'],
  [400, said('Your input exceeds the context window of this model.'), 'context-length-exceeded'],
  [400, said('prompt is too long: 210000 tokens > 200000 maximum'), 'context-length-exceeded'],
  [413, said('The prompt is too long.'), 'context-length-exceeded'],
  [422, said('maximum context length is 4096'), 'context-length-exceeded'],
  [400, said('No.', 'content_filter'), 'content-filtered'],
  [400, said('No.', 'content_policy_violation'), 'content-filtered'],
  [400, said('No.', null, 'content_filter'), 'content-filtered'],
  [400, { error: { message: 'No.', innererror: { code: 'ResponsibleAIPolicyViolation' } } }, 'content-filtered'],
  [403, said('openai/gpt requires moderation on A. Your input was flagged.', 403), 'content-filtered'],
  [400, said('Model Not Exist'), 'model-not-found'],
  [400, said('foo/bar is not a valid model ID'), 'model-not-found'],
  [400, said("Unsupported parameter: 'max_tokens' is not supported with this model."), 'bad-request'],
  [401, said('No.'), 'invalid-key'],
  [401, said('No.', 'insufficient_quota'), 'quota-exhausted'],
  [402, said('Pay.'), 'quota-exhausted'],
  [403, said('No.'), 'quota-exhausted'],
  [403, said('No.', 'invalid_api_key'), 'invalid-key'],
  [403, said('No access.', 'model_not_found'), 'model-not-found'],
  [404, said('The model `x` does not exist or you do not have access to it.', 'model_not_found'), 'model-not-found'],
  [404, said('The model `x` does not exist.'), 'model-not-found'],
  [404, { error: 'model "x" not found, try pulling it first' }, 'model-not-found'],
  [404, { detail: 'Not Found' }, 'bad-request'],
  [404, '<html><head><title>404 Not Found</title></head></html>', 'bad-request'],
  [405, '', 'bad-request'],
  [408, '', 'gateway-error'],
  [409, '', 'gateway-error'],
  [413, said('Request too large.'), 'bad-request'],
  [418, '', 'bad-request'],
  [422, { detail: [{ loc: ['body', 'model'], msg: 'field required' }] }, 'bad-request'],
  [425, '', 'gateway-error'],
  [429, said('Slow down.', 'rate_limit_exceeded'), 'rate-limited'],
  [429, '', 'rate-limited'],
  [429, said('You exceeded your current quota.', 'insufficient_quota', 'insufficient_quota'), 'quota-exhausted'],
  [429, said('No.', null, 'insufficient_quota'), 'quota-exhausted'],
  [429, said('No.', 'billing_hard_limit_reached'), 'quota-exhausted'],
  [500, said('Oh.'), 'gateway-error'],
  [500, said('Oh.', 'insufficient_user_quota'), 'quota-exhausted'],
  [502, '<html>Bad gateway</html>', 'gateway-error'],
  [503, said('Overloaded.', 'overloaded'), 'gateway-error'],
  [504, '', 'gateway-error'],
  [529, said('Overloaded.'), 'gateway-error'],
];

describe('a refusal', () => {
  it.each(rows)('of status %i with the body %j is %s', (status, body, kind) => {
    expect(refused(status, body).kind).toBe(kind);
  });

  it('keeps its status', () => {
    expect([refused(503), refused(418)]).toMatchObject([{ httpStatus: 503 }, { httpStatus: 418 }]);
  });

  it.each([429, 500, 503, 408])('of status %i carries how long to wait', (status) => {
    expect(refused(status, '', { 'retry-after-ms': '70' })).toMatchObject({ retryAfterMs: 70 });
    expect(refused(status)).toMatchObject({ retryAfterMs: undefined });
  });

  it('says in whole sentences what happened, what to do, and what the gateway said', () => {
    expect(refused(401, said('Incorrect API key.'))).toEqual({
      kind: 'invalid-key',
      message:
        'The gateway answered 401: it does not accept the API key. Check GATEWAY_API_KEY. It said: "Incorrect API key."',
    });
    expect(refused(404)).toMatchObject({
      message: 'The gateway answered 404: there is no chat at this address. Check GATEWAY_BASE_URL.',
    });
  });
});

describe('the body of a refusal', () => {
  it.each([
    [{ error: { message: 'A.' } }, 'A.'],
    [{ error: 'B.' }, 'B.'],
    [{ message: 'C.', code: 7 }, 'C.'],
    [{ detail: 'D.' }, 'D.'],
    [{ detail: { message: 'E.' } }, 'E.'],
    [{ detail: [{ msg: 'F.' }] }, '[{"msg":"F."}]'],
    [[{ error: { message: 'G.' } }], 'G.'],
    ['<!doctype html><html><head><title>H.</title></head></html>', 'H.'],
    ['<html>no title</html>', ''],
    ['plain words', 'plain words'],
    ['null', 'null'],
    ['', ''],
    [{}, ''],
  ])('%j says "%s"', (body, message) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);

    expect(readErrorBody(text, asIs).message).toBe(message);
  });
});

describe('an error object in an answer', () => {
  it.each([
    [said('Oh.', null, 'server_error'), 'stream-broken'],
    [said('Oh.', 500), 'gateway-error'],
    [said('Oh.', 429), 'rate-limited'],
    [said('Oh.', '502'), 'gateway-error'],
    [said('Oh.', 'rate_limit_exceeded'), 'rate-limited'],
    [said('Oh.', 'insufficient_quota'), 'quota-exhausted'],
    [said('Oh.', 'context_length_exceeded'), 'context-length-exceeded'],
    [said('Oh.', 'content_filter'), 'content-filtered'],
    [said('Oh.', 'invalid_api_key'), 'invalid-key'],
    [said('Oh.', 'model_not_found'), 'model-not-found'],
    [{ object: 'error', message: 'Oh.', code: 400 }, 'bad-request'],
    [{ error: 'Oh.' }, 'stream-broken'],
  ] as const)('%j is %s', (value, kind) => {
    expect(classifyErrorObject(errorBodyOf(value, asIs), 'stream-broken').kind).toBe(kind);
  });
});
