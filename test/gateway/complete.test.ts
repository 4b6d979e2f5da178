import { once } from 'node:events';
import type { OutgoingHttpHeaders } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { DONE, delta, event, FINISH, JSON_TYPE, ROLE, SSE, streamOf, USAGE, wholeOf } from './support/answers.ts';
import {
  type Asked,
  aGateway,
  aRequest,
  ask,
  closeAll,
  faultOf,
  KEY,
  stubGateway,
  stubSocket,
} from './support/stub-gateway.ts';

afterEach(closeAll);

const TEXTS = ['안녕하세요, ', '세계! ', '👩‍👩‍👧‍👦'];
const TEXT = TEXTS.join('');

function answering(body: string, headers: OutgoingHttpHeaders = SSE, status = 200) {
  return stubGateway(({ response }) => {
    response.writeHead(status, headers);
    response.end(body);
  });
}

/** What a request with `body` as the answer comes to. */
async function answered(body: string, headers: OutgoingHttpHeaders = SSE, status = 200) {
  return ask(aGateway(await answering(body, headers, status)));
}

describe('a request', () => {
  async function sent(
    config: Parameters<typeof aGateway>[1] = {},
    changes: Parameters<typeof ask>[1] = {},
  ): Promise<Asked> {
    const asked: Asked[] = [];
    const stub = await stubGateway((one) => {
      asked.push(one);
      one.response.writeHead(200, SSE).end(streamOf(['a']));
    });
    await ask(aGateway(stub, config), changes);
    const [first] = asked;
    if (first === undefined) throw new Error('Nothing was asked.');
    return first;
  }

  it('is one chat completion, streamed with usage', async () => {
    const { request, body } = await sent({}, { systemPrompt: 'Be short.' });

    expect([request.method, request.url, request.httpVersion]).toEqual(['POST', '/v1/chat/completions', '1.1']);
    expect(body).toEqual({
      model: 'some/model',
      messages: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'Say something.' },
      ],
      temperature: 0.5,
      max_tokens: 100,
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('has no system message when there is none', async () => {
    expect((await sent()).body['messages']).toEqual([{ role: 'user', content: 'Say something.' }]);
  });

  it('does not ask for a stream where there is none', async () => {
    const { request, body } = await sent({ isStreaming: false });

    expect(body['stream']).toBe(false);
    expect(body).not.toHaveProperty('stream_options');
    expect(request.headers.accept).toBe('application/json');
  });

  it('says who asks, and in which headers', async () => {
    const { request } = await sent({ headers: { 'X-Title': 'Waggle', Authorization: 'none' } });

    expect(request.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json',
      'accept-encoding': 'identity',
      'user-agent': 'waggle/test',
      'x-title': 'Waggle',
      'x-waggle-swarm-id': 'swarm_1',
      'x-waggle-agent-id': 'swarm_1_7',
      'x-waggle-attempt-id': 'swarm_1_7_1',
      'idempotency-key': 'swarm_1_7_1',
    });
  });

  it('has no Authorization without a key', async () => {
    expect((await sent({ apiKey: undefined })).request.headers).not.toHaveProperty('authorization');
  });

  it('goes to the base URL, with or without a slash at its end', async () => {
    const stub = await answering(streamOf(['a']));
    for (const baseUrl of [stub.url, `${stub.url}/`]) {
      const gateway = aGateway({ url: baseUrl });

      expect(gateway.baseUrl).toBe(stub.url);
      expect((await ask(gateway)).completion.kind).toBe('answered');
    }
  });

  it('that no HTTP can carry is a bug, not a fault', async () => {
    const stub = await answering(streamOf(['a']));

    await expect(ask(aGateway(stub), { attemptId: 'a\nb' })).rejects.toThrow('invalid x-waggle-attempt-id header');
    expect(stub.sockets).toEqual([]);
  });
});

describe('an answer', () => {
  it('comes with all that is known of it', async () => {
    const { completion, pieces } = await answered(streamOf(TEXTS));

    expect(completion).toEqual({
      kind: 'answered',
      isTruncated: false,
      text: TEXT,
      usage: USAGE,
      servedModel: 'served/model',
      upstreamId: 'chatcmpl-1',
      httpStatus: 200,
      latencyMs: expect.any(Number),
      firstTokenMs: expect.any(Number),
      isBillable: true,
    });
    expect(pieces).toEqual(TEXTS);
    expect(Number.isInteger(completion.latencyMs) && Number.isInteger(completion.firstTokenMs)).toBe(true);
    expect(completion.latencyMs).toBeGreaterThanOrEqual(completion.firstTokenMs ?? Number.NaN);
  });

  it('has the same figures streamed and whole', async () => {
    const stub = await stubGateway(({ response, body }) => {
      if (body['stream'] === true) response.writeHead(200, SSE).end(streamOf(TEXTS));
      else response.writeHead(200, JSON_TYPE).end(wholeOf(TEXT));
    });
    const times = { latencyMs: 0, firstTokenMs: 0 };

    const streamed = await ask(aGateway(stub));
    const whole = await ask(aGateway(stub, { isStreaming: false }));

    expect({ ...whole.completion, ...times }).toEqual({ ...streamed.completion, ...times });
    expect(whole.pieces).toEqual([TEXT]);
  });

  it('may be whole although a stream was asked for, and streamed although it was not', async () => {
    expect((await answered(wholeOf(TEXT), JSON_TYPE)).completion).toMatchObject({ kind: 'answered', text: TEXT });
    const gateway = aGateway(await answering(streamOf(TEXTS)), { isStreaming: false });
    expect((await ask(gateway)).completion).toMatchObject({ kind: 'answered', text: TEXT, usage: USAGE });
  });

  it('is whole with its [DONE], even if the connection breaks then', async () => {
    const stub = await stubGateway(({ response }) => {
      response.writeHead(200, SSE);
      response.write(streamOf(TEXTS), () => response.destroy());
    });

    expect((await ask(aGateway(stub))).completion).toMatchObject({ kind: 'answered', text: TEXT, usage: USAGE });
  });

  it('is whole with its [DONE], even if the gateway leaves the connection open', async () => {
    const stub = await stubGateway(({ response }) => response.writeHead(200, SSE).write(streamOf(TEXTS)));

    const gateway = aGateway(stub, { limits: { endingMs: 1 } });
    expect((await ask(gateway)).completion).toMatchObject({ kind: 'answered', text: TEXT, usage: USAGE });
  });

  it('is read after informational ones', async () => {
    const stub = await stubGateway(({ response }) => {
      response.writeEarlyHints({ link: '</a>; rel=preload' });
      response.writeHead(200, SSE).end(streamOf(TEXTS));
    });

    expect((await ask(aGateway(stub))).completion).toMatchObject({ kind: 'answered', text: TEXT, httpStatus: 200 });
  });

  it('may have names that are too long or cannot be stored', async () => {
    const named = (id: string, model: string) => event({ id, model, choices: [{ delta: { content: 'a' } }] });
    const { completion } = await answered(
      named('i\u0000d', 'm'.repeat(1_000)) + FINISH.replace(/"id".*?"model":"served.model",/, '') + DONE,
    );

    expect(completion).toMatchObject({ kind: 'answered', upstreamId: 'i␀d', servedModel: 'm'.repeat(200) });
  });

  it('does not hide what the caller does wrong with its pieces', async () => {
    const stub = await answering(streamOf(TEXTS));
    const gateway = aGateway(stub);
    const { signal } = new AbortController();
    const fail = () => {
      throw new Error('A bug.');
    };

    await expect(gateway.complete(aRequest(), fail, signal)).rejects.toThrow('A bug.');
    expect((await ask(gateway)).completion.kind).toBe('answered');
  });
});

describe('an answer in any cut of its bytes', () => {
  const body = streamOf(TEXTS);
  const bytes = Buffer.from(body);
  const finishEnd = Buffer.byteLength(body.slice(0, body.indexOf(FINISH) + FINISH.length));

  it('is read when every byte is a write of its own', async () => {
    const stub = await stubGateway(({ response }) => {
      response.writeHead(200, SSE);
      const write = (at: number) => {
        if (at === bytes.length) response.end();
        else response.write(bytes.subarray(at, at + 1), () => setImmediate(write, at + 1));
      };
      write(0);
    });

    const { completion, pieces } = await ask(aGateway(stub));

    expect(completion).toMatchObject({ kind: 'answered', text: TEXT, usage: USAGE });
    expect(pieces).toEqual(TEXTS);
  });

  it('is broken when it is cut before its finish, at whatever byte, and keeps what had come', async () => {
    const stub = await stubGateway(({ response, body: { model } }) => {
      response.writeHead(200, SSE);
      response.write(bytes.subarray(0, Number(model)), () => response.destroy());
    });
    const gateway = aGateway(stub);
    for (let length = 1; length < bytes.length; length += 1) {
      const { completion, pieces } = await ask(gateway, { model: String(length) });
      if (length < finishEnd) expect(faultOf(completion).kind, `${length} bytes`).toBe('stream-broken');
      else expect(completion.kind, `${length} bytes`).toBe('answered');
      expect(TEXT.startsWith(completion.text)).toBe(true);
      expect(completion.text).not.toContain('\ufffd');
      expect(pieces.join('')).toBe(completion.text);
      expect(completion).toMatchObject({ httpStatus: 200, isBillable: true });
    }
  });

  it('is broken when a body without a length ends before its finish', async () => {
    const stub = await stubSocket((socket) => {
      socket.once('data', () => {
        socket.end(`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n${ROLE}${delta('a')}`);
      });
    });

    expect((await ask(aGateway(stub))).completion).toMatchObject({ text: 'a', fault: { kind: 'stream-broken' } });
  });
});

describe('a refusal', () => {
  const REFUSED = JSON.stringify({ error: { message: 'No.', type: 'some_error', code: null } });

  it.each([
    [400, 'bad-request'],
    [401, 'invalid-key'],
    [402, 'quota-exhausted'],
    [404, 'bad-request'],
    [429, 'rate-limited'],
    [500, 'gateway-error'],
  ])('of status %i costs nothing, and is %s', async (status, kind) => {
    const { completion } = await answered(REFUSED, JSON_TYPE, status);

    expect(completion).toMatchObject({ httpStatus: status, isBillable: false, text: '', usage: undefined });
    expect(faultOf(completion)).toMatchObject({ kind, message: expect.stringContaining('It said: "No."') });
  });

  it('says how long to wait', async () => {
    const { completion } = await answered(REFUSED, { ...JSON_TYPE, 'retry-after': '9', 'retry-after-ms': '70' }, 429);

    expect(faultOf(completion)).toMatchObject({ kind: 'rate-limited', retryAfterMs: 70 });
  });

  it('is read up to a limit when its body has no end', async () => {
    const stub = await stubGateway(({ response }) => {
      response.writeHead(500, { 'content-type': 'text/plain' });
      const more = () => response.write('x'.repeat(10_000), (error) => error ?? more());
      more();
    });

    const { completion } = await ask(aGateway(stub, { limits: { endingMs: 3_600_000 } }));

    const fault = faultOf(completion);
    expect(fault.kind).toBe('gateway-error');
    expect('message' in fault && fault.message.length).toBeLessThan(700);
  });

  it('is not unpacked when it is compressed', async () => {
    const { completion } = await answered('plain words', { 'content-encoding': 'gzip' }, 503);

    expect(faultOf(completion)).toMatchObject({ kind: 'gateway-error', message: expect.not.stringContaining('said') });
  });

  it('is what its status says when its body breaks off or does not end', async () => {
    for (const end of [(asked: Asked) => asked.response.destroy(), () => undefined]) {
      const stub = await stubGateway((asked) => {
        asked.response.writeHead(429, JSON_TYPE);
        asked.response.write('{"error":', () => end(asked));
      });
      const gateway = aGateway(stub, { limits: { endingMs: 1 } });
      expect(faultOf((await ask(gateway)).completion).kind).toBe('rate-limited');
    }
  });

  it.each([
    ['the key', () => `Incorrect API key provided: ${KEY}`],
    ['the header', ({ request }: Asked) => `Header was "${request.headers.authorization}"`],
    ['a URL with the key', () => `GET /v1?api_key=${encodeURIComponent(KEY)} failed`],
    ['the key cut off', () => `Your key ${KEY.slice(0, 14)}`],
    ['the key, in no JSON', () => `{"error": "${KEY}`],
  ])('never quotes %s', async (_, say) => {
    for (const status of [200, 401, 500]) {
      const stub = await stubGateway((asked) => {
        asked.response.writeHead(status, JSON_TYPE).end(JSON.stringify({ error: { message: say(asked) } }));
      });
      const text = JSON.stringify((await ask(aGateway(stub))).completion);
      expect(text).toContain('faulted');
      for (let from = 0; from + 8 <= KEY.length; from += 1) expect(text).not.toContain(KEY.slice(from, from + 8));
    }
  });
});

describe('an answer that is none', () => {
  it.each([301, 302, 307, 308])('but a redirect (%i) is not followed', async (status) => {
    const stub = await stubGateway(({ response }) => response.writeHead(status, { location: '/elsewhere' }).end());

    const { completion } = await ask(aGateway(stub));

    expect(completion).toMatchObject({ httpStatus: status, isBillable: false });
    expect(faultOf(completion)).toMatchObject({ kind: 'bad-answer', message: expect.stringContaining('/elsewhere') });
    expect(stub.sockets).toHaveLength(1);
  });

  it.each([
    ['a web page', '<html></html>', { 'content-type': 'text/html' }],
    ['a body that is compressed unasked', 'data: x', { ...SSE, 'content-encoding': 'gzip' }],
    ['nothing', '', SSE],
  ])('but %s is a bad answer', async (_, body, headers) => {
    expect(faultOf((await answered(body, headers)).completion).kind).toBe('bad-answer');
  });

  it.each([
    ['garbage', event('garbage')],
    ['an error', event({ error: { message: 'Oh.' } })],
    ['a web page', '<html>'],
  ])('but %s is not read to its end', async (_, body) => {
    const stub = await stubGateway(({ response }) => response.writeHead(200, SSE).write(body));

    expect((await ask(aGateway(stub))).completion.kind).toBe('faulted');
    await Promise.all(stub.sockets.map((socket) => socket.destroyed || once(socket, 'close')));
  });

  it('but larger than the limit is left at once', async () => {
    const stub = await stubGateway(({ response }) => {
      response.writeHead(200, SSE);
      const more = () => response.write(delta('x'.repeat(1_000)), (error) => error ?? more());
      more();
    });

    const { completion } = await ask(aGateway(stub, { maxAnswerBytes: 100_000 }));

    expect(faultOf(completion).kind).toBe('bad-answer');
    expect(completion.text.length).toBeLessThan(100_000);
  });

  it('but an error at once is not billed, and one in the midst is', async () => {
    const error = event({ error: { message: 'Oh.' } });

    expect((await answered(error)).completion).toMatchObject({ kind: 'faulted', isBillable: false });
    expect((await answered(ROLE + delta('a') + error)).completion).toMatchObject({
      kind: 'faulted',
      isBillable: true,
      text: 'a',
    });
  });
});

describe('a connection', () => {
  it('that is refused is a fault, and costs nothing', async () => {
    const stub = await stubSocket(() => undefined);
    await stub.close();

    const { completion } = await ask(aGateway(stub));

    expect(completion).toMatchObject({ httpStatus: undefined, isBillable: false });
    expect(faultOf(completion)).toEqual({
      kind: 'connection-failed',
      message: `Nothing listens at ${stub.host}. Check GATEWAY_BASE_URL, and that the gateway runs. (ECONNREFUSED)`,
    });
  });

  it('to a host that does not exist is a fault', async () => {
    const { completion } = await ask(aGateway({ url: 'http://gateway.invalid/v1' }));

    expect(faultOf(completion).kind).toBe('connection-failed');
    expect(completion.isBillable).toBe(false);
  });

  it.each([
    ['closed', (asked: Asked) => asked.response.destroy()],
    ['reset', (asked: Asked) => asked.request.socket.resetAndDestroy()],
  ])('that is %s before the answer is a fault, and may have cost something', async (_, end) => {
    const { completion } = await ask(aGateway(await stubGateway(end)));

    expect(faultOf(completion).kind).toBe('connection-failed');
    expect(completion.isBillable).toBe(true);
  });

  it.each(['https', 'http'])('that does not speak %s is a fault', async (protocol) => {
    const stub = await stubSocket((socket) => socket.on('data', () => socket.write('SSH-2.0-Hi\r\n')));

    const { completion } = await ask(aGateway({ url: `${protocol}://${stub.host}/v1` }));

    expect(faultOf(completion).kind).toBe('connection-failed');
  });

  it('is used again', async () => {
    const stub = await answering(streamOf(TEXTS));
    const gateway = aGateway(stub);
    for (let i = 0; i < 20; i += 1) expect((await ask(gateway)).completion.kind).toBe('answered');

    expect(stub.sockets).toHaveLength(1);
  });

  it('is opened again when the gateway closes it after each answer', async () => {
    const stub = await answering(streamOf(TEXTS), { ...SSE, connection: 'close' });
    const gateway = aGateway(stub);
    for (let i = 0; i < 20; i += 1) expect((await ask(gateway)).completion.kind).toBe('answered');

    expect(stub.sockets).toHaveLength(20);
  });

  it('is not used again when the gateway closes it without a word', async () => {
    const stub = await stubGateway(({ request, response }) => {
      response.writeHead(200, SSE).end(streamOf(TEXTS), () => request.socket.destroy());
    });
    const gateway = aGateway(stub);
    for (let i = 0; i < 20; i += 1) {
      expect((await ask(gateway)).completion.kind).toBe('answered');
      await Promise.all(
        stub.sockets.map((socket) => socket.closed || new Promise((resolve) => socket.once('close', resolve))),
      );
    }
    expect(stub.sockets).toHaveLength(20);
  });
});
