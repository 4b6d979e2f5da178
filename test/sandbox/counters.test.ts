import { describe, expect, it } from 'vitest';
import { Counters, type SandboxCounters } from '../../src/sandbox/counters.ts';
import { senderOf } from '../../src/sandbox/facts.ts';
import { aLeave, aSandbox, ask, askAs, askOnWire, chunksOf, MODEL, until } from './client.ts';

const FOREVER = '[[sandbox: fault=stall]]';

function accounted({ inFlight, hangUps, brokenOff, answeredByStatus }: SandboxCounters): number {
  return inFlight + hangUps + brokenOff + Object.values(answeredByStatus).reduce((sum, count) => sum + count, 0);
}

describe('the counters', () => {
  it('count arrivals by model and by agent', async () => {
    const sandbox = await aSandbox();
    await Promise.all([askAs(sandbox, 1), askAs(sandbox, 2), askAs(sandbox, 2, { model: 'kimi-k2-0711' })]);

    expect(sandbox.counters()).toMatchObject({
      arrivals: 3,
      arrivalsByModel: { [MODEL]: 2, 'kimi-k2-0711': 1 },
      arrivalsByAgent: { agent_x_1: 1, agent_x_2: 2 },
    });
  });

  it('count what is in flight, and its peak, by model', async () => {
    const sandbox = await aSandbox();
    const leaving = aLeave();
    const models = [MODEL, MODEL, 'kimi-k2-0711'];
    const ended = Promise.allSettled(
      models.map((model) => ask(sandbox, { prompt: FOREVER, model, signal: leaving.signal })),
    );
    await until(() => sandbox.counters().inFlight === 3);
    const during = sandbox.counters();
    leaving.abort();
    await ended;
    await until(() => sandbox.counters().inFlight === 0);

    expect(during).toMatchObject({ inFlightByModel: { [MODEL]: 2, 'kimi-k2-0711': 1 }, peakInFlight: 3 });
    expect(sandbox.counters()).toMatchObject({
      inFlightByModel: {},
      peakInFlight: 3,
      peakInFlightByModel: { [MODEL]: 2, 'kimi-k2-0711': 1 },
      hangUps: 3,
    });
  });

  it('have an ended request no longer in flight when its client has the answer', async () => {
    const sandbox = await aSandbox({ latency: 1 });
    const inFlight: number[] = [];
    for (let index = 0; index < 50; index += 1) {
      await ask(sandbox, { isStream: true });
      inFlight.push(sandbox.counters().inFlight);
    }

    expect(inFlight).toEqual(Array(50).fill(0));
    expect(sandbox.counters().peakInFlight).toBe(1);
  });

  it('count answers by status', async () => {
    const sandbox = await aSandbox({ faults: [{ first: 2, status: 503 }] });
    for (let count = 0; count < 3; count += 1) await ask(sandbox);
    await ask(sandbox, { model: 'no/such' });

    expect(sandbox.counters().answeredByStatus).toEqual({ 200: 1, 404: 1, 503: 2 });
  });

  it('count a client that goes while it waits for its latency as a hang-up', async () => {
    const sandbox = await aSandbox({ latency: 600_000 });
    const leaving = aLeave();
    const asked = Array.from({ length: 100 }, (_, index) => askAs(sandbox, index, { signal: leaving.signal }));
    const ended = Promise.allSettled(asked);
    await until(() => sandbox.counters().inFlight === 100);
    leaving.abort();
    await ended;
    await until(() => sandbox.counters().inFlight === 0);

    expect(sandbox.counters()).toMatchObject({ arrivals: 100, hangUps: 100, answeredByStatus: {}, brokenOff: 0 });
  });

  it('count a client that goes in the middle of a stream as a hang-up', async () => {
    const sandbox = await aSandbox();
    const answer = await fetch(`${sandbox.url}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({
        model: MODEL,
        stream: true,
        messages: [{ role: 'user', content: '[[sandbox: fault=stall_middle]]' }],
      }),
    });
    const reader = answer.body?.getReader();
    const first = await reader?.read();
    await reader?.cancel();
    await until(() => sandbox.counters().inFlight === 0);

    expect(first?.done).toBe(false);
    expect(sandbox.counters()).toMatchObject({ hangUps: 1, answeredByStatus: {} });
  });

  it('count a client that goes in the middle of a paced stream as a hang-up', async () => {
    const sandbox = await aSandbox({ tokensPerSecond: 0.001 });
    const leaving = aLeave();
    const ended = ask(sandbox, { isStream: true, signal: leaving.signal }).catch(() => undefined);
    await until(() => sandbox.counters().inFlight === 1);
    leaving.abort();
    await ended;
    await until(() => sandbox.counters().inFlight === 0);

    expect(sandbox.counters().hangUps).toBe(1);
  });

  it('turn an answer into a hang-up when the client went before it had all of it', () => {
    const counters = new Counters();
    const visit = counters.arrive(senderOf({}), 'm', false);
    counters.answered(visit, 200);
    counters.hungUp(visit);

    expect(counters.snapshot(0)).toMatchObject({ answeredByStatus: {}, hangUps: 1, inFlight: 0 });
  });

  it('account for every arrival', async () => {
    const sandbox = await aSandbox({ latency: 2 });
    const faults = ['fault=reset', 'fault=cut', 'status=500', 'usage=none', 'fault=html', 'latency=600000'];
    const leaving = aLeave();
    const ended = Promise.allSettled(
      Array.from({ length: 120 }, (_, index) =>
        askAs(sandbox, index, { prompt: `[[sandbox: ${faults[index % faults.length]}]]`, signal: leaving.signal }),
      ),
    );
    await until(() => sandbox.counters().arrivals === 120 && sandbox.counters().inFlight === 20);
    const during = sandbox.counters();
    leaving.abort();
    await ended;
    await until(() => sandbox.counters().inFlight === 0);

    expect(accounted(during)).toBe(120);
    expect(sandbox.counters()).toMatchObject({ hangUps: 20, brokenOff: 40, answeredByStatus: { 200: 40, 500: 20 } });
  });

  it('begin anew at a reset, which keeps what is in flight', async () => {
    const sandbox = await aSandbox();
    const leaving = aLeave();
    await ask(sandbox);
    const ended = ask(sandbox, { prompt: FOREVER, signal: leaving.signal }).catch(() => undefined);
    await until(() => sandbox.counters().inFlight === 1);
    sandbox.resetCounters();
    const during = sandbox.counters();
    leaving.abort();
    await ended;
    await until(() => sandbox.counters().inFlight === 0);

    expect(during).toMatchObject({ arrivals: 0, inFlight: 1, peakInFlight: 1, answeredByStatus: {}, records: [] });
    expect(sandbox.counters()).toMatchObject({ arrivals: 0, inFlight: 0, hangUps: 0, records: [] });
  });

  it('count open connections', async () => {
    const sandbox = await aSandbox();
    await askOnWire(sandbox, { isStream: true });
    await until(() => sandbox.counters().openConnections === 0);
    await ask(sandbox);

    expect(sandbox.counters().openConnections).toBe(1);
  });
});

describe('the records', () => {
  it('name who asked, and never the key', async () => {
    const sandbox = await aSandbox();
    const headers = { 'x-waggle-swarm-id': 'swarm_x', 'idempotency-key': 'k', authorization: 'Bearer sk-secret-1' };
    const reply = await askAs(sandbox, 7, { isStream: true, headers }, 2);
    await ask(sandbox);

    const { records } = sandbox.counters();
    expect(chunksOf(reply)).toHaveLength(19);
    expect(records[0]).toEqual({
      ...{ swarmId: 'swarm_x', agentId: 'agent_x_7', attemptId: 'attempt_x_7_2', idempotencyKey: 'k', model: MODEL },
      ...{ hasAuthorization: true, outcome: 'answered', status: 200 },
      ...{ atMs: expect.any(Number), endedAtMs: expect.any(Number) },
    });
    expect(records[1]).toMatchObject({ agentId: undefined, hasAuthorization: false });
    expect(JSON.stringify(records)).not.toContain('sk-secret');
  });

  it('are the last 50,000', () => {
    const counters = new Counters();
    for (let index = 0; index < 120_000; index += 1) {
      counters.answered(counters.arrive(senderOf({ 'x-waggle-agent-id': `a_${index}` }), 'm', false), 200);
    }

    const { records, arrivals, arrivalsByAgent } = counters.snapshot(0);
    expect(arrivals).toBe(120_000);
    expect(records).toHaveLength(50_000);
    expect(records.at(-1)?.agentId).toBe('a_119999');
    expect(Object.keys(arrivalsByAgent).length).toBeLessThanOrEqual(50_000);
    expect(arrivalsByAgent).toHaveProperty('a_119999', 1);
  });
});
