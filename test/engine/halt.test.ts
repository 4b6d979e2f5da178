import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases, type TestDatabase } from '../support/databases.ts';
import { expectSound } from '../support/invariants.ts';
import { agents, aWaggle, collect, launch, stored, until, type Waggle } from '../support/waggle.ts';

describe.each(databases)('a halt on $name', ({ open }) => {
  let test: TestDatabase;
  let waggle: Waggle;

  beforeEach(async () => {
    test = await open();
    waggle = await aWaggle(test);
  });

  afterEach(async () => {
    await waggle.close();
    await test.drop();
  });

  it('by cancel closes all open calls, half streamed or not begun, and sends no more', async () => {
    // Odd agents wait for their headers, even ones are in the middle of their text.
    waggle.sandbox.configure({
      latency: (facts) => ((facts.agentIndex ?? 0) % 2 === 1 ? 600_000 : 0),
      tokensPerSecond: 2,
    });
    const swarmId = await launch(waggle, { plan: agents(150), concurrency: 100 });
    await until(() => waggle.sandbox.counters().inFlight === 100);

    const result = await waggle.engine.cancelSwarm(swarmId, 'enough', waggle.caller);

    expect(result).toEqual({ kind: 'changed', swarmId });
    await until(() => waggle.sandbox.counters().hangUps === 100);
    expect(waggle.sandbox.counters()).toMatchObject({ inFlight: 0, arrivals: 100 });
    const { swarm, agents: rows, attempts } = await stored(waggle, swarmId);
    expect(swarm).toMatchObject({ status: 'CANCELED', failureCode: 'CANCELED', canceled: 150 });
    expect(swarm.failureMessage).toContain('enough');
    expect(rows.every((agent) => agent.status === 'CANCELED')).toBe(true);
    expect(attempts.every((attempt) => attempt.status === 'CANCELED' && attempt.costSource === 'ESTIMATED')).toBe(true);
    await expectSound(waggle, swarmId);
  });

  it('by cancel reaches agents that wait between two attempts', async () => {
    waggle.sandbox.configure({ faults: [{ fault: 'rate_limit', retryAfterSeconds: 60 }] });
    const swarmId = await launch(waggle, { plan: agents(10) });
    await collect(waggle, swarmId, 0, (batch) => batch.progress.waiting === 10);

    await waggle.engine.cancelSwarm(swarmId, undefined, waggle.caller);

    expect(waggle.sandbox.counters().arrivals).toBe(10);
    await expectSound(waggle, swarmId);
  });

  it('by cancel reaches the fusion', async () => {
    waggle.sandbox.configure({ latency: (facts) => (facts.agentIndex === undefined ? 600_000 : 0) });
    const swarmId = await launch(waggle, { goal: 'Sum up.', plan: agents(3), fusion: { strategy: 'SYNTHESIZE' } });
    await until(() => waggle.sandbox.counters().arrivals === 4);

    await waggle.engine.cancelSwarm(swarmId, undefined, waggle.caller);

    await until(() => waggle.sandbox.counters().hangUps === 1);
    const { swarm, agents: rows } = await stored(waggle, swarmId);
    expect(swarm).toMatchObject({ status: 'CANCELED', fusionStatus: 'CANCELED', result: null });
    expect(rows.every((agent) => agent.status === 'SUCCEEDED')).toBe(true);
    await expectSound(waggle, swarmId);
  });

  it('by cancel ends a swarm that is paused, and one that has ended stays as it is', async () => {
    waggle.sandbox.configure({ latency: 20 });
    const paused = await launch(waggle, { plan: agents(50), concurrency: 1 });
    await waggle.engine.pauseSwarm(paused, waggle.caller);
    await collect(waggle, paused, 0, (batch) => batch.status === 'PAUSED');
    await waggle.engine.cancelSwarm(paused, undefined, waggle.caller);
    await expectSound(waggle, paused);

    const ended = await launch(waggle, { plan: agents(1) });
    await collect(waggle, ended);
    const result = await waggle.engine.cancelSwarm(ended, undefined, waggle.caller);

    expect(result).toMatchObject({ kind: 'invalid-state', status: 'SUCCEEDED' });
    expect(await waggle.engine.cancelSwarm('swarm_00000000000000000000000000', undefined, waggle.caller)).toEqual({
      kind: 'not-found',
    });
  });

  it('by pause lets attempts end and starts none, and resume runs exactly what is left', async () => {
    waggle.sandbox.configure({ latency: 30 });
    const swarmId = await launch(waggle, { plan: agents(40), concurrency: 5 });
    await collect(waggle, swarmId, 0, (batch) => batch.progress.succeeded >= 5);
    await waggle.engine.pauseSwarm(swarmId, waggle.caller);
    const { last } = await collect(waggle, swarmId, 0, (batch) => batch.status === 'PAUSED');
    const before = waggle.sandbox.counters().arrivals;
    expect(last?.progress).toMatchObject({ running: 0, waiting: 0, succeeded: before, queued: 40 - before });

    await waggle.engine.resumeSwarm(swarmId, waggle.caller);
    await collect(waggle, swarmId);

    expect(waggle.sandbox.counters().arrivals).toBe(40);
    await expectSound(waggle, swarmId);
  });

  it('by deadline ends running agents as FAILED and skips the rest', async () => {
    waggle.sandbox.configure({ latency: 600_000 });
    const swarmId = await launch(waggle, { plan: agents(6), concurrency: 2, deadlineMs: 200 });
    await collect(waggle, swarmId);

    const { swarm, agents: rows } = await stored(waggle, swarmId);

    expect(swarm).toMatchObject({ status: 'FAILED', failureCode: 'DEADLINE_EXCEEDED', failed: 2, skipped: 4 });
    expect(new Set(rows.map((agent) => agent.failureCode))).toEqual(new Set(['DEADLINE_EXCEEDED']));
    await expectSound(waggle, swarmId);
  });

  it.each([
    ['FUSE_PARTIAL', 'PARTIAL'],
    ['FAIL', 'FAILED'],
    ['PAUSE', 'PAUSED'],
  ] as const)('by budget with %s ends %s, and booked cost stays within the budget', async (onBudget, status) => {
    // Each answer uses all the output it is allowed: 100 tokens at 8 dollars a million.
    waggle.sandbox.configure({ answerTokens: 100 });
    const swarmId = await launch(waggle, {
      plan: agents(50, () => ({ maxTokens: 100 })),
      concurrency: 20,
      budgetUsd: 10_000_000n,
      onBudget,
    });

    const { last } = await collect(waggle, swarmId, 0, (batch) => batch.status === 'PAUSED');
    const { swarm } = await stored(waggle, swarmId);

    expect(last?.status).toBe(status);
    expect(swarm.costNanoUsd > 0n && swarm.costNanoUsd <= 10_000_000n).toBe(true);
    expect(waggle.sandbox.counters().arrivals).toBe(swarm.succeeded);
    expect(swarm.succeeded).toBeLessThan(50);
    if (status !== 'PAUSED') {
      expect(swarm.skipped).toBe(50 - swarm.succeeded);
      await expectSound(waggle, swarmId);
    }
  });

  it('by a stop of the server leaves the swarm for the next one, which asks nobody twice', async () => {
    waggle.sandbox.configure({ latency: (facts) => ((facts.agentIndex ?? 0) < 20 ? 0 : 600_000) });
    const swarmId = await launch(waggle, { plan: agents(60), concurrency: 30 });
    await collect(waggle, swarmId, 0, (batch) => batch.progress.succeeded === 20);
    await waggle.restart();
    waggle.sandbox.configure({ latency: 0 });

    expect(await waggle.engine.recover()).toBe(1);
    const { last } = await collect(waggle, swarmId);

    expect(last?.status).toBe('SUCCEEDED');
    // A request that the stop caught on its way may still arrive; but whoever had answered was asked once.
    const { attempts } = await stored(waggle, swarmId);
    expect(attempts.filter((attempt) => attempt.status === 'SUCCEEDED')).toHaveLength(60);
    expect(attempts.filter((attempt) => attempt.agentIndex < 20)).toHaveLength(20);
    await expectSound(waggle, swarmId);
  });
});
