import { getEventListeners, once } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { delta, ROLE, SSE, streamOf } from './support/answers.ts';
import { type Asked, aGateway, aRequest, ask, closeAll, stubGateway, stubSocket } from './support/stub-gateway.ts';

afterEach(closeAll);

const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;
const hasHungUp = (socket: Socket) => (socket.destroyed ? Promise.resolve() : once(socket, 'close'));

/** A promise, and what fulfils it. */
function later<T>() {
  let fulfil: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => {
    fulfil = resolve;
  });
  return { promise, fulfil };
}

describe('an abort', () => {
  it('before the call sends nothing', async () => {
    const stub = await stubGateway(() => undefined);

    const { completion } = await ask(aGateway(stub), {}, AbortSignal.abort());

    expect(completion).toMatchObject({ kind: 'aborted', text: '', isBillable: false, httpStatus: undefined });
    expect(stub.sockets).toEqual([]);
  });

  it('right after the call sends nothing', async () => {
    const requests: Asked[] = [];
    const stub = await stubGateway((asked) => requests.push(asked));
    const controller = new AbortController();
    const asked = ask(aGateway(stub), {}, controller.signal);
    controller.abort();

    expect((await asked).completion).toMatchObject({ kind: 'aborted', isBillable: false });
    expect(listeners(controller.signal)).toBe(0);
    expect(requests).toEqual([]);
  });

  it('while connecting closes the connection', async () => {
    const opened = later<Socket>();
    // It takes the connection, and never answers the TLS handshake.
    const stub = await stubSocket((socket) => socket.once('data', () => opened.fulfil(socket)));
    const controller = new AbortController();
    const asked = ask(aGateway({ url: `https://${stub.host}/v1` }), {}, controller.signal);
    const socket = await opened.promise;
    controller.abort();

    expect((await asked).completion).toMatchObject({ kind: 'aborted', isBillable: false });
    expect(listeners(controller.signal)).toBe(0);
    await hasHungUp(socket);
  });

  it('while waiting for the answer closes the connection, and may have cost something', async () => {
    const arrived = later<Asked>();
    const stub = await stubGateway(arrived.fulfil);
    const controller = new AbortController();
    const asked = ask(aGateway(stub), {}, controller.signal);
    const { request } = await arrived.promise;
    controller.abort();

    expect((await asked).completion).toMatchObject({ kind: 'aborted', isBillable: true, httpStatus: undefined });
    expect(listeners(controller.signal)).toBe(0);
    await hasHungUp(request.socket);
  });

  it('while the request is still being sent costs nothing', async () => {
    const opened = later<Socket>();
    const stub = await stubSocket((socket) => {
      // It reads the head of the request, and no more.
      socket.once('data', () => {
        socket.pause();
        opened.fulfil(socket);
      });
    });
    const controller = new AbortController();
    const prompt = 'x'.repeat(32 * 1024 * 1024);
    const asked = ask(aGateway(stub), { prompt }, controller.signal);
    const socket = await opened.promise;
    controller.abort();

    expect((await asked).completion).toMatchObject({ kind: 'aborted', isBillable: false });
    socket.resume();
    await hasHungUp(socket);
  });

  it('in the midst of the answer closes the connection and keeps what has come', async () => {
    const arrived = later<Asked>();
    const stub = await stubGateway((one) => {
      one.response.writeHead(200, SSE).write(ROLE + delta('So far'));
      arrived.fulfil(one);
    });
    const controller = new AbortController();
    const came = later<string>();
    const asked = aGateway(stub).complete(aRequest(), came.fulfil, controller.signal);
    const { request } = await arrived.promise;
    await came.promise;
    controller.abort();

    expect(await asked).toMatchObject({ kind: 'aborted', text: 'So far', httpStatus: 200, isBillable: true });
    expect(listeners(controller.signal)).toBe(0);
    await hasHungUp(request.socket);
  });

  it('by the one who gets the pieces ends them', async () => {
    const stub = await stubGateway(({ response }) => response.writeHead(200, SSE).end(streamOf(['a', 'b', 'c'])));
    const controller = new AbortController();
    const pieces: string[] = [];
    const onText = (piece: string) => {
      pieces.push(piece);
      if (piece === 'b') controller.abort();
    };

    expect(await aGateway(stub).complete(aRequest(), onText, controller.signal)).toMatchObject({
      kind: 'aborted',
      text: 'ab',
    });
    expect(pieces).toEqual(['a', 'b']);
  });

  it('in the midst of a refusal is an abort', async () => {
    const stub = await stubGateway(({ response }) => {
      response.writeHead(500).write('{', () => controller.abort());
    });
    const controller = new AbortController();

    expect((await ask(aGateway(stub), {}, controller.signal)).completion.kind).toBe('aborted');
  });

  it('of hundreds at once closes all their connections and opens none, and lets others be', async () => {
    const arrived: Asked[] = [];
    const all = later<void>();
    const stub = await stubGateway((asked) => {
      arrived.push(asked);
      if (arrived.length === 201) all.fulfil();
    });
    const gateway = aGateway(stub);
    const [one, other] = [new AbortController(), new AbortController()];
    const asked = Array.from({ length: 200 }, () => ask(gateway, { model: 'one' }, one.signal));
    const spared = ask(gateway, { model: 'other' }, other.signal);
    await all.promise;
    expect([listeners(one.signal), listeners(other.signal)]).toEqual([1, 1]);
    one.abort();

    const kinds = (await Promise.all(asked)).map(({ completion }) => completion.kind);
    expect(new Set(kinds)).toEqual(new Set(['aborted']));
    expect([listeners(one.signal), listeners(other.signal)]).toEqual([0, 1]);
    const ended = arrived.filter(({ body }) => body['model'] === 'one');
    await Promise.all(ended.map(({ request }) => hasHungUp(request.socket)));
    for (const { body, response } of arrived) {
      if (body['model'] === 'other') response.writeHead(200, SSE).end(streamOf(['a']));
    }
    expect((await spared).completion.kind).toBe('answered');
    expect(stub.sockets).toHaveLength(201);
    expect(stub.openSockets()).toBe(1);
  });

  it('does not end what comes after it', async () => {
    const stub = await stubGateway(({ response, body: { model } }) => {
      response.writeHead(200, SSE).write(delta('a'));
      if (model === 'whole') response.end(streamOf(['b']));
    });
    const gateway = aGateway(stub);
    for (let i = 0; i < 20; i += 1) {
      const controller = new AbortController();
      const aborted = gateway.complete(aRequest(), () => controller.abort(), controller.signal);
      expect((await ask(gateway, { model: 'whole' })).completion).toMatchObject({ kind: 'answered', text: 'ab' });
      expect((await aborted).kind).toBe('aborted');
    }
  });
});

describe('a signal', () => {
  it('has no listener left after an answer, a refusal, a broken stream or a refused connection', async () => {
    const { signal } = new AbortController();
    const stub = await stubGateway(({ response, body: { model } }) => {
      if (model === 'answer') response.writeHead(200, SSE).end(streamOf(['a']));
      else if (model === 'refusal') response.writeHead(429).end();
      else response.writeHead(200, SSE).write(ROLE, () => response.destroy());
    });
    const gateway = aGateway(stub);
    for (const model of ['answer', 'refusal', 'break']) {
      const asked = ask(gateway, { model }, signal);
      expect(listeners(signal)).toBe(1);
      await asked;
      expect(listeners(signal)).toBe(0);
    }
    await stub.close();
    await ask(gateway, {}, signal);
    expect(listeners(signal)).toBe(0);
  });
});
