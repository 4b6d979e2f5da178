import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { SSE, streamOf } from './support/answers.ts';
import { type Asked, aGateway, ask, closeAll, stubGateway, stubSocket } from './support/stub-gateway.ts';

afterEach(closeAll);

/** A gateway that answers nobody until `count` have asked. */
function answeringTogether(count: number) {
  const waiting: Asked[] = [];
  return stubGateway((asked) => {
    waiting.push(asked);
    if (waiting.length < count) return;
    for (const { response } of waiting.splice(0)) response.writeHead(200, SSE).end(streamOf(['a']));
  });
}

describe('connections', () => {
  it('are as many as there are requests: 300 are in flight at once', async () => {
    const gateway = aGateway(await answeringTogether(300));

    const all = await Promise.all(Array.from({ length: 300 }, () => ask(gateway)));

    expect(new Set(all.map(({ completion }) => completion.kind))).toEqual(new Set(['answered']));
  });

  it('are no more than there are requests at once, when each is followed by the next', async () => {
    const stub = await answeringTogether(10);
    const gateway = aGateway(stub);
    const inTurn = async () => {
      for (let i = 0; i < 20; i += 1) await ask(gateway);
    };
    await Promise.all(Array.from({ length: 10 }, inTurn));

    expect(stub.sockets).toHaveLength(10);
  });
});

describe('close', () => {
  it('leaves no socket, of requests or idle', async () => {
    const arrived: Asked[] = [];
    const stub = await stubGateway((asked) => {
      arrived.push(asked);
      if (asked.body['model'] === 'quick') asked.response.writeHead(200, SSE).end(streamOf(['a']));
    });
    const gateway = aGateway(stub);
    const slow = ask(gateway, { model: 'slow' });
    await ask(gateway, { model: 'quick' });
    while (arrived.length < 2) await new Promise((resolve) => setImmediate(resolve));
    await gateway.close();

    expect((await slow).completion).toMatchObject({ kind: 'aborted', isBillable: true });
    await Promise.all(stub.sockets.map((socket) => socket.destroyed || once(socket, 'close')));
    expect(stub.openSockets()).toBe(0);
  });

  it('leaves no socket that is connecting', async () => {
    const stub = await stubSocket((socket) => socket.resume());
    const gateway = aGateway({ url: `https://${stub.host}/v1` });
    const asked = ask(gateway);
    while (stub.sockets.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await gateway.close();

    expect((await asked).completion).toMatchObject({ kind: 'aborted', isBillable: false });
    await Promise.all(stub.sockets.map((socket) => socket.destroyed || once(socket, 'close')));
  });

  it('sends nothing afterwards, and may be asked twice', async () => {
    const stub = await stubGateway(() => undefined);
    const gateway = aGateway(stub);
    await gateway.close();
    await gateway.close();

    expect((await ask(gateway)).completion).toMatchObject({ kind: 'aborted', isBillable: false });
    expect(stub.sockets).toEqual([]);
  });
});
