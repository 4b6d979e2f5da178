import { describe, expect, it } from 'vitest';
import { MinuteWindow } from '../../src/sandbox/limits.ts';
import { aLeave, aSandbox, ask, askAs, errorOf, MODEL, until } from './client.ts';

const FOREVER = '[[sandbox: fault=stall]]';

describe('the limit of requests in flight', () => {
  it('refuses one more with 429, and lets one in when one has gone', async () => {
    const sandbox = await aSandbox({ maxConcurrency: 2 });
    const leaving = aLeave();
    const waiting = [ask(sandbox, { prompt: FOREVER, signal: leaving.signal }), ask(sandbox, { prompt: FOREVER })];
    const ended = Promise.allSettled(waiting);
    await until(() => sandbox.counters().inFlight === 2);
    const refused = await ask(sandbox);
    leaving.abort();
    await until(() => sandbox.counters().inFlight === 1);
    const admitted = await ask(sandbox);
    await sandbox.close();
    await ended;

    expect([refused.status, admitted.status]).toEqual([429, 200]);
    expect(errorOf(refused)).toMatchObject({ code: 'rate_limit_exceeded' });
  });

  it('may be a single model’s', async () => {
    const sandbox = await aSandbox({ limits: { 'kimi-k2-0711': { maxConcurrency: 0 } } });
    const replies = [await ask(sandbox, { model: 'kimi-k2-0711' }), await ask(sandbox, { model: MODEL })];

    expect(replies.map(({ status }) => status)).toEqual([429, 200]);
  });
});

describe('the limit of requests a minute', () => {
  it('refuses one more with 429 and says when to come back', async () => {
    const sandbox = await aSandbox({ rpm: 2 });
    const replies = [await ask(sandbox), await ask(sandbox), await ask(sandbox)];

    expect(replies.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(replies[2]?.headers).toMatchObject({
      'retry-after': '60',
      'retry-after-ms': expect.stringMatching(/^\d+$/),
      'x-ratelimit-reset-requests': '60s',
    });
  });

  it('may be a single model’s', async () => {
    const sandbox = await aSandbox({ limits: { 'kimi-k2-0711': { rpm: 1 } } });
    const models = ['kimi-k2-0711', 'kimi-k2-0711', MODEL, MODEL];
    const statuses: number[] = [];
    for (const model of models) statuses.push((await ask(sandbox, { model })).status);

    expect(statuses).toEqual([200, 429, 200, 200]);
  });

  it('never lets more than that many through in any 60 seconds', () => {
    const window = new MinuteWindow();
    const passed: number[] = [];
    for (let nowMs = 0; nowMs < 600_000; nowMs += 700) {
      if (window.waitMs(20, nowMs) > 0) continue;
      window.pass(nowMs);
      passed.push(nowMs);
    }

    const most = Math.max(...passed.map((at) => passed.filter((other) => other >= at && other < at + 60_000).length));
    expect(most).toBe(20);
    expect(passed.length).toBe(200);
  });

  it('tells the exact wait', () => {
    const window = new MinuteWindow();
    window.pass(1_000);
    window.pass(5_000);

    expect([window.waitMs(3, 6_000), window.waitMs(2, 6_000), window.waitMs(1, 6_000)]).toEqual([0, 55_000, 59_000]);
    expect([window.waitMs(2, 60_999), window.waitMs(2, 61_000)]).toEqual([1, 0]);
  });
});

describe('many requests at once', () => {
  it('never pass the limit, and all others are refused', async () => {
    const sandbox = await aSandbox({ maxConcurrency: 10, latency: 600_000 });
    const all = Array.from({ length: 200 }, (_, index) => askAs(sandbox, index));
    const ended = Promise.allSettled(all);
    // Those who were let in wait; all others have been refused.
    await until(() => sandbox.counters().answeredByStatus[429] === 190);

    expect(sandbox.counters()).toMatchObject({ arrivals: 200, inFlight: 10 });
    await sandbox.close();
    await ended;
  });
});
