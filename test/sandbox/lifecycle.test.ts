import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { SandboxOptionsError } from '../../src/sandbox/check-settings.ts';
import { startSandbox } from '../../src/sandbox/start-sandbox.ts';
import { aSandbox, ask, askAs, askOnWire, completion, get, post, rootOf, until } from './client.ts';

const OURS = new Set(['TCPServerWrap', 'TCPSocketWrap', 'Timeout', 'GetAddrInfoReqWrap', 'TCPConnectWrap', 'TCPWrap']);
const open = () => process.getActiveResourcesInfo().filter((name) => OURS.has(name));

describe('closing', () => {
  it('ends every connection and leaves no socket, timer or listener', async () => {
    const before = open();
    const sandbox = await startSandbox({ latency: 600_000 });
    const { hostname, port } = new URL(sandbox.url);
    const prompts = ['wait', '[[sandbox: fault=stall]]', '[[sandbox: fault=stall_middle latency=0]]'];
    const wires = prompts.map((prompt) => askOnWire(sandbox, { prompt, isStream: true }));
    await until(() => sandbox.counters().inFlight === 3);
    await sandbox.close();
    await Promise.all(wires);

    expect(sandbox.counters()).toMatchObject({ inFlight: 0, openConnections: 0, brokenOff: 3, hangUps: 0 });
    // A timer of the runner's own may have ended meanwhile.
    expect(before).toEqual(expect.arrayContaining(open()));
    await expect(fetch(`http://${hostname}:${port}/v1/models`)).rejects.toThrow();
  });

  it('may be asked for twice', async () => {
    const sandbox = await startSandbox();

    await expect(Promise.all([sandbox.close(), sandbox.close()])).resolves.toEqual([undefined, undefined]);
  });
});

describe('starting', () => {
  it('tells the base URL of a free port', async () => {
    const sandboxes = [await aSandbox(), await aSandbox()];

    expect(sandboxes.map(({ url }) => /^http:\/\/127\.0\.0\.1:\d+\/v1$/.test(url))).toEqual([true, true]);
    expect(new Set(sandboxes.map(({ url }) => url)).size).toBe(2);
  });

  it('on a port that is taken fails with the reason', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;

    await expect(startSandbox({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    other.close();
  });

  it('with options that make no sense names all of them', async () => {
    const options = { latency: -1, cachedShare: 2, chunkCount: 0, limits: { m: { rpm: 1.5 } } };

    await expect(startSandbox(options)).rejects.toThrow(
      new SandboxOptionsError([
        'latency must be a number from 0.',
        'cachedShare must be a number from 0 to 1.',
        'chunkCount must be a whole number from 1.',
        'limits.m.rpm must be a whole number from 0.',
      ]),
    );
  });
});

describe('configuring', () => {
  it('changes what is given, and gives a default back for undefined', async () => {
    const sandbox = await aSandbox({ apiKey: 'right', cachedShare: 1 });
    const before = await ask(sandbox);
    sandbox.configure({ apiKey: undefined });
    const after = await ask(sandbox);

    expect([before.status, after.status]).toEqual([401, 200]);
    expect(completion(after).usage.prompt_tokens_details.cached_tokens).toBe(completion(after).usage.prompt_tokens);
  });

  it('leaves requests under way as they began', async () => {
    const sandbox = await aSandbox({ latency: 600_000 });
    const ended = askAs(sandbox, 1).catch(() => 'broken off');
    await until(() => sandbox.counters().inFlight === 1);
    sandbox.configure({ latency: 0 });
    const reply = await askAs(sandbox, 2);
    await sandbox.close();

    expect(reply.status).toBe(200);
    expect(await ended).toBe('broken off');
  });

  it('works over HTTP, where null gives a default back', async () => {
    const sandbox = await aSandbox();
    const statuses: number[] = [];
    for (const options of [{ faults: [{ status: 503 }] }, { apiKey: 'k', faults: null }, { apiKey: null }]) {
      const configured = await post(sandbox, '/sandbox/configure', JSON.stringify(options));
      statuses.push(configured.status, (await ask(sandbox)).status);
    }

    expect(statuses).toEqual([200, 503, 200, 401, 200, 200]);
  });

  it.each(['{"port":1}', '{"latency":"fast"}', '{"faults":[{"fault":"explode"}]}', '[]', 'x'])(
    'over HTTP with %s is refused',
    async (body) => {
      const reply = await post(await aSandbox(), '/sandbox/configure', body);

      expect(reply.status).toBe(400);
      expect(JSON.parse(reply.text)).toHaveProperty('error.message');
    },
  );
});

describe('the counters over HTTP', () => {
  it('are those of the process, and can be reset', async () => {
    const sandbox = await aSandbox();
    await askAs(sandbox, 1);
    const counted = JSON.parse((await get(sandbox, '/sandbox/counters')).text);
    await post(sandbox, '/sandbox/reset', '');
    const reset = JSON.parse((await get(sandbox, '/sandbox/counters?records=no')).text);

    expect(rootOf(sandbox)).not.toMatch(/v1$/);
    expect(counted).toMatchObject({ arrivals: 1, answeredByStatus: { 200: 1 }, records: [{ agentId: 'agent_x_1' }] });
    expect(reset).toMatchObject({ arrivals: 0, inFlight: 0 });
    expect(reset).not.toHaveProperty('records');
  });
});
