import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases, type TestDatabase } from '../support/databases.ts';
import { expectSound } from '../support/invariants.ts';
import { agents, aWaggle, collect, launch, stored, type Waggle } from '../support/waggle.ts';

describe.each(databases)('a run on $name', ({ open }) => {
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

  it('has 300 requests in flight at once when 300 may be', async () => {
    waggle.sandbox.configure({ latency: 2_000 });
    const swarmId = await launch(waggle, { plan: agents(300), concurrency: 300 });

    const { last } = await collect(waggle, swarmId);

    expect(last?.status).toBe('SUCCEEDED');
    expect(waggle.sandbox.counters().peakInFlight).toBe(300);
    await expectSound(waggle, swarmId);
  });

  it('never has more in flight than the concurrency, and is not held up by a straggler', async () => {
    waggle.sandbox.configure({ latency: (facts) => (facts.agentIndex === 0 ? 3_000 : 5) });
    const swarmId = await launch(waggle, { plan: agents(100), concurrency: 10 });

    const { events } = await collect(waggle, swarmId);

    const ended = events.flatMap(({ data }) =>
      data.type === 'agent-status' && data.agentStatus === 'SUCCEEDED' ? [data.index] : [],
    );
    expect(ended).toHaveLength(100);
    // Without waves all others are done before the slow one, which was among the first.
    expect(ended.at(-1)).toBe(0);
    expect(waggle.sandbox.counters().peakInFlight).toBe(10);
  });

  it('sends ids and a unique idempotency key with every request', async () => {
    waggle.sandbox.configure({ faults: [{ first: 3, status: 500 }] });
    const swarmId = await launch(waggle, { plan: agents(5) });
    await collect(waggle, swarmId);

    const { attempts } = await stored(waggle, swarmId);

    const { records } = waggle.sandbox.counters();
    expect(records).toHaveLength(8);
    expect(attempts).toHaveLength(8);
    expect(new Set(records.map((record) => record.idempotencyKey)).size).toBe(8);
    expect(records.every((record) => record.swarmId === swarmId && record.idempotencyKey === record.attemptId)).toBe(
      true,
    );
  });

  it('routes by task type, and lets an agent ask for its own model', async () => {
    const taskTypes = ['collect', 'analyze', 'generate', 'paint', undefined];
    const plan = agents(6, (index) => (index < 5 ? { taskType: taskTypes[index] } : { model: 'kimi-k2-0711' }));
    const swarmId = await launch(waggle, { plan });
    await collect(waggle, swarmId);

    const { agents: rows } = await stored(waggle, swarmId);

    expect(rows.map((agent) => agent.routedModel)).toEqual([
      'deepseek/deepseek-v3.2',
      'anthropic/claude-sonnet-4.5',
      'google/gemini-2.5-flash',
      'openai/gpt-4.1',
      'openai/gpt-4.1',
      'kimi-k2-0711',
    ]);
    expect(rows[0]?.routeModels).toEqual(['deepseek/deepseek-v3.2', 'kimi-k2-0711']);
  });

  it.each([
    ['an endpoint that answers 500 to everything', 500, 3],
    ['a request that is refused', 400, 1],
    ['a key that is refused', 401, 1],
    ['an unprocessable request', 422, 1],
    ['a conflict', 409, 3],
  ])('%s (%i) sees exactly %i requests an agent', async (_, status, requests) => {
    waggle.sandbox.configure({ faults: [{ status }] });
    const swarmId = await launch(waggle, { plan: agents(20) });

    const { last } = await collect(waggle, swarmId);

    expect(last?.status).toBe('FAILED');
    expect(waggle.sandbox.counters().arrivals).toBe(20 * requests);
    expect(Object.values(waggle.sandbox.counters().arrivalsByAgent)).toEqual(Array(20).fill(requests));
    await expectSound(waggle, swarmId);
  });

  it('keeps a waiting agent out of the slots', async () => {
    // One slot; the first agent is told to come back later, and the others go on meanwhile.
    waggle.sandbox.configure({ faults: [{ agentIndex: 0, first: 1, fault: 'rate_limit', retryAfterSeconds: 1 }] });
    const swarmId = await launch(waggle, { plan: agents(4), concurrency: 1 });

    const { events } = await collect(waggle, swarmId);

    const ended = events.flatMap(({ data }) =>
      data.type === 'agent-status' && data.agentStatus === 'SUCCEEDED' ? [data.index] : [],
    );
    expect(ended).toEqual([1, 2, 3, 0]);
  });

  it('waits as long as Retry-After says, and tells until when', async () => {
    waggle.sandbox.configure({ faults: [{ first: 1, fault: 'rate_limit', retryAfterSeconds: 1 }] });
    const swarmId = await launch(waggle, { plan: agents(1) });
    const { events } = await collect(waggle, swarmId);

    const waiting = events.find(({ data }) => data.type === 'agent-status' && data.agentStatus === 'WAITING');
    const data = waiting?.data.type === 'agent-status' ? waiting.data : undefined;
    const { attempts, swarm } = await stored(waggle, swarmId);

    expect(data?.failure?.code).toBe('RATE_LIMITED');
    expect(data?.retryAt).toBe(attempts[0]?.retryAt?.toISOString());
    const [first, second] = attempts;
    expect((second?.startedAt.getTime() ?? 0) - (first?.finishedAt?.getTime() ?? 0)).toBeGreaterThanOrEqual(1_000);
    expect(swarm.rateLimited).toBe(1);
  });

  it('keeps the order of the agents in its results, whoever ends first', async () => {
    waggle.sandbox.configure({ latency: (facts) => 60 - 3 * (facts.agentIndex ?? 0) });
    const swarmId = await launch(waggle, {
      plan: agents(20, (index) => ({ prompt: `[[sandbox: text="answer ${index}"]]` })),
      fusion: { strategy: 'CONCAT' },
    });
    await collect(waggle, swarmId);

    const { swarm } = await stored(waggle, swarmId);

    const found = [...(swarm.result ?? '').matchAll(/answer (\d+)/g)].map((match) => Number(match[1]));
    expect(found).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  it('stores Korean and emoji byte for byte, and shows a NUL instead of failing', async () => {
    const text = '안녕하세요 👩‍👩‍👧 배송 — “fast”';
    const swarmId = await launch(waggle, {
      plan: agents(2, (index) => ({
        prompt: index === 0 ? `[[sandbox: bytes=1 text="${text}"]]` : '[[sandbox: text="a\\u0000b"]]',
      })),
    });

    const { last } = await collect(waggle, swarmId);
    const { agents: rows } = await stored(waggle, swarmId);

    expect(last?.status).toBe('SUCCEEDED');
    expect(rows.map((agent) => agent.output)).toEqual([text, 'a\u2400b']);
  });

  it('ends 1,000 agents and leaves no listener, no live text and no pending row', async () => {
    const swarmId = await launch(waggle, { plan: agents(1_000), concurrency: 300 });
    await collect(waggle, swarmId);

    await expectSound(waggle, swarmId);

    await waggle.engine.stop();
    expect(waggle.sandbox.counters().inFlight).toBe(0);
    expect(waggle.engine.liveText(swarmId, 999)).toBeUndefined();
  });
});
