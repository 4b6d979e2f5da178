import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases, type TestDatabase } from '../support/databases.ts';
import { agents, aLaunch, aWaggle, launch, stored, until, type Waggle } from '../support/waggle.ts';

describe.each(databases)('a launch on $name', ({ open }) => {
  let test: TestDatabase;
  let waggle: Waggle;

  beforeAll(async () => {
    test = await open();
    // Nothing is answered: what is stored is there before any agent has run.
    waggle = await aWaggle(test, { sandbox: { latency: 600_000 } });
  });

  afterAll(async () => {
    await waggle.close();
    await test.drop();
  });

  /** When all that was launched before has arrived at the gateway. */
  const counts = async () => {
    const launched = await waggle.prisma.agent.count();
    await until(() => waggle.sandbox.counters().arrivals >= launched);
    return countNow();
  };
  const countNow = async () => ({
    swarms: await waggle.prisma.swarm.count(),
    agents: await waggle.prisma.agent.count(),
    arrivals: waggle.sandbox.counters().arrivals,
  });

  it('is durable with all its agents when it answers', async () => {
    const swarmId = await launch(waggle, { plan: agents(50, (index) => ({ key: `k${index}`, role: 'tester' })) });

    const { swarm, agents: rows } = await stored(waggle, swarmId);

    expect(swarm.total).toBe(50);
    expect(rows.map((agent) => [agent.index, agent.key, agent.prompt])).toEqual(
      Array.from({ length: 50 }, (_, index) => [index, `k${index}`, `Do ${index}.`]),
    );
  });

  it('gives the same swarm for the same idempotency key and input', async () => {
    const words = { plan: agents(2), name: 'twice', idempotencyKey: 'same' };
    const first = await waggle.engine.launch(aLaunch(words), waggle.caller);

    // Written in another order, with absent fields as null.
    const again = await waggle.engine.launch({ goal: null, ...aLaunch(words) }, waggle.caller);

    expect(first).toMatchObject({ kind: 'launched', isReplay: false });
    expect(again).toEqual({ ...first, isReplay: true });
  });

  it('refuses another input under a used idempotency key', async () => {
    const first = await waggle.engine.launch(aLaunch({ plan: agents(1), idempotencyKey: 'other' }), waggle.caller);

    const second = await waggle.engine.launch(aLaunch({ plan: agents(2), idempotencyKey: 'other' }), waggle.caller);

    expect(second).toEqual({
      kind: 'idempotency-conflict',
      swarmId: first.kind === 'launched' ? first.swarmId : undefined,
    });
  });

  it('makes one swarm of twenty launches at once under one key', async () => {
    const before = await counts();
    const input = aLaunch({ plan: agents(1), idempotencyKey: 'at once' });

    const results = await Promise.all(Array.from({ length: 20 }, () => waggle.engine.launch(input, waggle.caller)));

    const ids = new Set(results.map((result) => (result.kind === 'launched' ? result.swarmId : result.kind)));
    expect(ids.size).toBe(1);
    expect(results.filter((result) => result.kind === 'launched' && !result.isReplay)).toHaveLength(1);
    expect((await counts()).swarms).toBe(before.swarms + 1);
  });

  it('names every problem at once, stores nothing and sends nothing', async () => {
    const before = await counts();

    const result = await waggle.engine.launch(
      aLaunch({
        concurrency: 0,
        budgetUsd: -1n,
        plan: {
          agents: [
            { key: 'a', prompt: 'x' },
            { key: 'a', prompt: ' ', model: 'no/such' },
          ],
        },
      }),
      waggle.caller,
    );

    expect(result.kind).toBe('invalid-input');
    const paths = result.kind === 'invalid-input' ? result.issues.map((issue) => issue.path.join('.')) : [];
    expect(paths.sort()).toEqual([
      'input.budgetUsd',
      'input.concurrency',
      'input.plan.agents.1.key',
      'input.plan.agents.1.model',
      'input.plan.agents.1.prompt',
    ]);
    expect(await countNow()).toEqual(before);
  });

  it('refuses an idempotency key that no row can hold', async () => {
    const input = aLaunch({ plan: agents(1), idempotencyKey: 'a\u0000b' });

    expect(await waggle.engine.launch(input, waggle.caller)).toMatchObject({
      kind: 'invalid-input',
      issues: [{ path: ['input', 'idempotencyKey'], code: 'MALFORMED' }],
    });
  });

  it('refuses a budget that the first agent does not fit into, and says how much is needed', async () => {
    const before = await counts();

    const result = await waggle.engine.launch(aLaunch({ plan: agents(1), budgetUsd: 1n }), waggle.caller);

    expect(result).toMatchObject({ kind: 'budget-exceeded', budgetNanoUsd: 1n });
    expect(result.kind === 'budget-exceeded' && result.neededNanoUsd > 1n).toBe(true);
    expect(await countNow()).toEqual(before);
  });
});
