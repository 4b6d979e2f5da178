import { describe, expect, it } from 'vitest';
import { aSandbox, ask, errorOf, get, MODEL, post } from './client.ts';

describe('a request', () => {
  it.each([
    ['no JSON', '{"model":', null, null],
    ['no object', '[]', null, null],
    ['without a model', '{"messages":[{"role":"user","content":"a"}]}', 'model', null],
    ['without messages', `{"model":"${MODEL}"}`, 'messages', 'missing_required_parameter'],
    ['with an empty list of messages', `{"model":"${MODEL}","messages":[]}`, 'messages', 'empty_array'],
    [
      'with a message without a role',
      `{"model":"${MODEL}","messages":[{"content":"a"}]}`,
      'messages[0].role',
      'invalid_type',
    ],
    [
      'with a number as content',
      `{"model":"${MODEL}","messages":[{"role":"user","content":1}]}`,
      'messages[0].content',
      'invalid_type',
    ],
  ])('that is %s is refused with 400', async (_, body, param, code) => {
    const reply = await post(await aSandbox(), '/v1/chat/completions', body);

    expect(reply.status).toBe(400);
    expect(errorOf(reply)).toMatchObject({ type: 'invalid_request_error', param, code });
  });

  it.each([
    ['max_tokens', 0, 'integer_below_min_value'],
    ['max_tokens', 1.5, 'invalid_type'],
    ['temperature', 3, 'decimal_above_max_value'],
    ['n', 2, 'integer_above_max_value'],
    ['stream', 'yes', 'invalid_type'],
    ['stream_options', { include_usage: true }, null],
  ])('with %s %j is refused with 400', async (param, value, code) => {
    const reply = await ask(await aSandbox(), { body: { [param]: value } });

    expect(reply.status).toBe(400);
    expect(errorOf(reply)).toMatchObject({ param, code });
  });

  it('for an unknown model is refused with 404 model_not_found', async () => {
    const reply = await ask(await aSandbox(), { model: 'no/such' });

    expect(reply.status).toBe(404);
    expect(errorOf(reply)).toMatchObject({ code: 'model_not_found', type: 'invalid_request_error' });
  });

  it('for any model is answered when any is accepted', async () => {
    const reply = await ask(await aSandbox({ acceptAnyModel: true }), { model: 'no/such' });

    expect(reply.status).toBe(200);
  });

  it.each([[{}], [{ authorization: 'Bearer other' }]])(
    'with the headers %j is refused with 401 when a key is set',
    async (headers) => {
      const sandbox = await aSandbox({ apiKey: 'right' });
      const replies = [await ask(sandbox, { headers }), await get(sandbox, '/v1/models', headers)];

      expect(replies.map(({ status }) => status)).toEqual([401, 401]);
      expect(replies.map((reply) => errorOf(reply).code)).toEqual(['invalid_api_key', 'invalid_api_key']);
    },
  );

  it('with the right key is answered', async () => {
    const reply = await ask(await aSandbox({ apiKey: 'right' }), { headers: { authorization: 'Bearer right' } });

    expect(reply.status).toBe(200);
  });

  it('for another path is refused with a JSON 404', async () => {
    const sandbox = await aSandbox();
    const replies = [
      await get(sandbox, '/v1/other'),
      await get(sandbox, '/v1/chat/completions'),
      await post(sandbox, '/', ''),
    ];

    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(errorOf(replies[0] ?? replies[1] ?? expect.fail()).message).toBe('Invalid URL (GET /v1/other)');
  });
});

describe('the list of models', () => {
  it('names the known ones', async () => {
    const reply = await get(await aSandbox({ models: ['a', 'b'] }), '/v1/models');

    expect(JSON.parse(reply.text).data.map((model: { id: string }) => model.id)).toEqual(['a', 'b']);
  });
});

describe('a refusing fault', () => {
  it.each([
    ['rate_limit', 429, 'rate_limit_exceeded', 'requests'],
    ['insufficient_quota', 429, 'insufficient_quota', 'insufficient_quota'],
    ['invalid_api_key', 401, 'invalid_api_key', 'invalid_request_error'],
    ['model_not_found', 404, 'model_not_found', 'invalid_request_error'],
    ['context_length_exceeded', 400, 'context_length_exceeded', 'invalid_request_error'],
    ['content_filter', 400, 'content_filter', 'invalid_request_error'],
    ['server_error', 500, null, 'server_error'],
    ['overloaded', 503, 'overloaded', 'server_error'],
  ])('%s has status %i and code %s', async (fault, status, code, type) => {
    const reply = await ask(await aSandbox(), { prompt: `[[sandbox: fault=${fault}]]`, isStream: true });

    expect(reply.status).toBe(status);
    expect(errorOf(reply)).toMatchObject({ code, type });
    expect(errorOf(reply).message).not.toBe('');
  });

  it.each([400, 402, 403, 408, 409, 413, 418, 422, 425, 429, 500, 502, 504, 529])(
    'has the status %i that is asked for',
    async (status) => {
      const reply = await ask(await aSandbox(), { prompt: `[[sandbox: status=${status} message="It is so."]]` });

      expect(reply.status).toBe(status);
      expect(errorOf(reply)).toMatchObject({ message: 'It is so.', type: expect.any(String) });
    },
  );

  it('keeps its code under another status', async () => {
    const reply = await ask(await aSandbox(), { prompt: '[[sandbox: fault=insufficient_quota status=403]]' });

    expect(reply.status).toBe(403);
    expect(errorOf(reply).code).toBe('insufficient_quota');
  });

  it('has no header about waiting unless it is asked for', async () => {
    const { headers } = await ask(await aSandbox(), { prompt: '[[sandbox: fault=rate_limit]]' });

    expect(Object.keys(headers).filter((name) => /retry|limit/.test(name))).toEqual([]);
  });

  it.each([
    ['retry_after=2', { 'retry-after': '2' }],
    ['retry_after_ms=1500', { 'retry-after-ms': '1500' }],
    ['reset_requests=6m0s', { 'x-ratelimit-reset-requests': '6m0s', 'x-ratelimit-remaining-requests': '0' }],
    ['reset_tokens=12ms', { 'x-ratelimit-reset-tokens': '12ms', 'x-ratelimit-remaining-tokens': '0' }],
  ])('tells by %s when to come back', async (directive, expected) => {
    const { headers } = await ask(await aSandbox(), { prompt: `[[sandbox: fault=rate_limit ${directive}]]` });

    expect(headers).toMatchObject(expected);
  });

  it('tells by an HTTP date when to come back', async () => {
    const { headers } = await ask(await aSandbox(), { prompt: '[[sandbox: status=503 retry_after_date=3600]]' });

    const date = String(headers['retry-after']);
    expect(new Date(date).toUTCString()).toBe(date);
    expect(Date.parse(date)).toBeGreaterThan(Date.now());
  });

  it('quotes the key back when that is the fault', async () => {
    const headers = { authorization: 'Bearer sk-secret-1' };
    const reply = await ask(await aSandbox(), { prompt: '[[sandbox: fault=echo_key]]', headers });

    expect(reply.status).toBe(401);
    expect(errorOf(reply).message).toContain('sk-secret-1');
  });
});
