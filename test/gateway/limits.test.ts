import { execFile } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { delta, event, FINISH, JSON_TYPE, ROLE, SSE, streamOf, wholeOf } from './support/answers.ts';
import { type Asked, aGateway, ask, closeAll, faultOf, stubGateway, stubSocket } from './support/stub-gateway.ts';

afterEach(closeAll);

/** In the tests a limit is either over at the next look at the clock, or never. */
const NEVER = 3_600_000;
const PATIENT = { connectMs: NEVER, firstTokenMs: NEVER, idleMs: NEVER, endingMs: NEVER };
const THINKS = event({ choices: [{ delta: { reasoning_content: 'Hm.' } }] });

/** A gateway that sends `body`, and then neither ends nor goes on. */
async function stalling(body: string | undefined, limits: Partial<typeof PATIENT>, isStreaming = true) {
  const sockets: Socket[] = [];
  const stub = await stubGateway(({ request, response }: Asked) => {
    sockets.push(request.socket);
    if (body !== undefined) response.writeHead(200, SSE).write(body);
  });
  return { gateway: aGateway(stub, { limits: { ...PATIENT, ...limits }, isStreaming }), sockets };
}

describe('a time limit', () => {
  it('strikes while connecting, and costs nothing', async () => {
    const stub = await stubSocket((socket) => socket.resume());
    // The TLS handshake is not answered.
    const gateway = aGateway({ url: `https://${stub.host}/v1` }, { limits: { ...PATIENT, connectMs: 1 } });

    const { completion } = await ask(gateway);

    expect(faultOf(completion)).toEqual({ kind: 'timed-out', limit: 'connect', limitMs: 1 });
    expect(completion.isBillable).toBe(false);
    await Promise.all(stub.sockets.map((socket) => socket.destroyed || once(socket, 'close')));
  });

  it.each([
    ['before the headers', undefined, { firstTokenMs: 1 }, 'first-token'],
    ['before the first token', ROLE, { firstTokenMs: 1 }, 'first-token'],
    ['before the first token, whatever comments come', ': wait\n\n', { firstTokenMs: 1 }, 'first-token'],
    ['between two tokens', ROLE + delta('a'), { idleMs: 1 }, 'idle'],
    ['between two thoughts', THINKS, { idleMs: 1 }, 'idle'],
  ] as const)('strikes %s', async (_, body, limits, limit) => {
    const { gateway, sockets } = await stalling(body, limits);

    const { completion } = await ask(gateway);

    expect(faultOf(completion)).toEqual({ kind: 'timed-out', limit, limitMs: 1 });
    expect(completion.text).toBe(body?.includes('"a"') ? 'a' : '');
    // The request may not even have arrived when the limit struck.
    await Promise.all(sockets.map((socket) => socket.destroyed || once(socket, 'close')));
  });

  it.each([
    ['while waiting', undefined, true],
    ['in the midst of the answer', ROLE + delta('a'), true],
    ['while waiting for an answer in one piece', undefined, false],
  ] as const)('of the total strikes %s', async (_, body, isStreaming) => {
    const { gateway } = await stalling(body, {}, isStreaming);

    const { completion } = await ask(gateway, { timeoutMs: 200 });

    expect(faultOf(completion)).toEqual({ kind: 'timed-out', limit: 'total', limitMs: 200 });
    expect(completion.isBillable).toBe(true);
  });

  it('does not take a finished answer away', async () => {
    const { gateway } = await stalling(ROLE + delta('a') + FINISH, { idleMs: 1 });

    expect((await ask(gateway)).completion).toMatchObject({ kind: 'answered', text: 'a' });
  });

  it('of the first token does not hold for an answer in one piece', async () => {
    const stub = await stubGateway(({ response }) => {
      // Later than two looks at the clock.
      setTimeout(() => response.writeHead(200, JSON_TYPE).end(wholeOf('a')), 150);
    });
    const gateway = aGateway(stub, { limits: { ...PATIENT, firstTokenMs: 1, idleMs: 1 }, isStreaming: false });

    expect((await ask(gateway)).completion).toMatchObject({ kind: 'answered', text: 'a' });
  });

  it('does not strike what came while this process was busy', async () => {
    const stub = await stubGateway(({ response }) => {
      response.writeHead(200, SSE).write(ROLE + delta('a'));
      // After some looks at the clock: all the rest is in the socket when the time is up, and nobody could read it.
      setTimeout(() => {
        response.end(streamOf(['b']));
        const until = performance.now() + 700;
        while (performance.now() < until);
      }, 200);
    });
    const gateway = aGateway(stub, { limits: { ...PATIENT, idleMs: 600 } });

    expect((await ask(gateway)).completion).toMatchObject({ kind: 'answered', text: 'ab' });
  });
});

describe('a healthy stream', () => {
  it('may last many times its idle limit', async () => {
    const stub = await stubGateway(({ response }) => {
      response.writeHead(200, SSE).write(ROLE);
      let count = 0;
      const timer = setInterval(() => {
        count += 1;
        response.write(count <= 40 ? delta(`${count} `) : FINISH);
        if (count <= 40) return;
        clearInterval(timer);
        response.end();
      }, 25);
    });
    // A piece each 25 ms for a second; the limit is a quarter of that.
    const gateway = aGateway(stub, { limits: { ...PATIENT, idleMs: 250 } });

    const { completion, pieces } = await ask(gateway);

    expect(completion.kind).toBe('answered');
    expect(pieces).toHaveLength(40);
  });
});

describe('the timer', () => {
  it('is one for all that is in flight, and none when nothing is', async () => {
    const stub = await stubGateway(({ response }) => response.writeHead(200, SSE).end(streamOf(['a'])));
    const program = fileURLToPath(new URL('support/ask-and-end.ts', import.meta.url));
    const run = promisify(execFile);

    // It ends although nobody closes the gateway.
    const { stdout } = await run(process.execPath, ['--import', 'tsx', program, stub.url]);

    expect(JSON.parse(stdout)).toEqual({ kinds: ['answered'], timers: [0, 1, 0] });
  });
});
