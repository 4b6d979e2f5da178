import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeCursor } from '../../src/swarm/domain/cursor.ts';
import { FUSION_INDEX } from '../../src/swarm/domain/ids.ts';
import { databases } from '../support/databases.ts';
import { anAttempt, aSwarm, dollars, theAgents, theAttempts } from './support/rows.ts';
import { aWorld, type World } from './support/world.ts';

describe.each(databases)('a swarm on $name', ({ open }) => {
  let world: World;
  beforeAll(async () => {
    world = await aWorld(open);
  });
  afterAll(() => world.close());

  const show = async (id: string, fields: string) =>
    (await world.ask(`query ($id: ID!) { swarm(id: $id) { ${fields} } }`, { id })).swarm;

  it('shows what its row holds', async () => {
    const { id } = await aSwarm(world.prisma, {
      ...world.ours,
      ...{ name: 'n', goal: 'g', status: 'PAUSED', lastSequence: 7, total: 9, queued: 4, running: 3, succeeded: 2 },
      ...{ failureCode: 'BUDGET_EXCEEDED', failureMessage: 'No room.', failureIsRetryable: true },
      labels: [{ key: 'k', value: 'v' }],
      ...{ budgetNanoUsd: dollars(1.5), minSuccess: 0.5, deadlineMs: 60_000, defaults: { maxTokens: 5 } },
      ...{ inputTokens: 5n, cachedInputTokens: 4n, outputTokens: 3n, reasoningTokens: 2n },
    });

    const swarm = await show(
      id,
      `id name goal status failure { code message isRetryable } labels { key value } startedAt result
       progress { total queued running waiting succeeded failed canceled skipped }
       usage { input cachedInput output reasoning } latestEventCursor
       settings { concurrency budgetUsd onBudget minSuccess deadlineMs defaults }`,
    );

    expect(decodeCursor(id, swarm.latestEventCursor)).toBe(7);
    expect(swarm).toMatchObject({
      ...{ id, name: 'n', goal: 'g', status: 'PAUSED', startedAt: null, result: null },
      failure: { code: 'BUDGET_EXCEEDED', message: 'No room.', isRetryable: true },
      labels: [{ key: 'k', value: 'v' }],
      progress: { total: 9, queued: 4, running: 3, waiting: 0, succeeded: 2, failed: 0, canceled: 0, skipped: 0 },
      usage: { input: '5', cachedInput: '4', output: '3', reasoning: '2' },
      settings: { concurrency: 10, budgetUsd: '1.5', onBudget: 'FUSE_PARTIAL', minSuccess: 0.5, deadlineMs: 60_000 },
    });
    expect(swarm.settings.defaults).toEqual({ maxTokens: 5 });
  });

  it('shows its fusion with sources, what is missing, and its requests in the ledger', async () => {
    const { id } = await aSwarm(world.prisma, {
      ...world.ours,
      ...{ fusionStrategy: 'SYNTHESIZE', fusionStatus: 'FAILED', fusionModel: 'm', fusionCalls: 2, fusionLevels: 1 },
      ...{ fusionSources: [0, 2], fusionMissing: [1] },
      ...{ fusionFailureCode: 'TIMED_OUT', fusionFailureMessage: 'Late.', fusionFailureIsRetryable: true },
    });
    const [first, second] = [{ number: 1, status: 'FAILED' } as const, { number: 2 }];
    await theAttempts(
      world.prisma,
      [first, second].map((words) => anAttempt(id, FUSION_INDEX, words)),
    );
    const suffix = id.slice('swarm_'.length);

    const { fusion } = await show(
      id,
      'fusion { strategy status model sources missing calls levels failure { code } attempts { id number purpose } }',
    );

    expect(fusion).toEqual({
      ...{ strategy: 'SYNTHESIZE', status: 'FAILED', model: 'm', calls: 2, levels: 1, failure: { code: 'TIMED_OUT' } },
      sources: [`agent_${suffix}_0`, `agent_${suffix}_2`],
      missing: [`agent_${suffix}_1`],
      attempts: [
        { id: `attempt_${suffix}_fuse_1`, number: 1, purpose: 'FUSE' },
        { id: `attempt_${suffix}_fuse_2`, number: 2, purpose: 'FUSE' },
      ],
    });
  });

  const COST = 'cost { totalUsd wastedUsd estimatedUsd unpricedCalls baselineModel baselineUsd savedPercent isFinal }';

  it('shows what the same tokens would have cost at the baseline model', async () => {
    const { id } = await aSwarm(world.prisma, {
      ...world.ours,
      ...{ status: 'SUCCEEDED', baselineModel: 'openai/gpt-4.1', unpricedCalls: 1 },
      ...{ inputTokens: 1_000_000n, cachedInputTokens: 400_000n, outputTokens: 100_000n },
      ...{ costNanoUsd: dollars(0.55), wastedNanoUsd: dollars(0.05), estimatedNanoUsd: dollars(0.01) },
    });

    // 600,000 × 2 + 400,000 × 0.5 + 100,000 × 8 dollars a million.
    expect((await show(id, COST)).cost).toEqual({
      ...{ totalUsd: '0.55', wastedUsd: '0.05', estimatedUsd: '0.01', unpricedCalls: 1, isFinal: true },
      ...{ baselineModel: 'openai/gpt-4.1', baselineUsd: '2.2', savedPercent: 75 },
    });
  });

  it.each([
    ['no baseline model', {}],
    ['a baseline model that nobody knows any more', { baselineModel: 'gone' }],
  ])('compares nothing with %s', async (_, words) => {
    const { id } = await aSwarm(world.prisma, { ...world.ours, inputTokens: 5n, ...words });

    expect((await show(id, COST)).cost).toMatchObject({ baselineUsd: null, savedPercent: null, isFinal: false });
  });

  it('saves nothing of a baseline of nothing', async () => {
    const { id } = await aSwarm(world.prisma, { ...world.ours, baselineModel: 'openai/gpt-4.1' });

    expect((await show(id, COST)).cost).toMatchObject({ baselineUsd: '0', savedPercent: null });
  });

  const STATS = `stats { wallMs agentsPerMinute attempts retries rateLimited timeouts errorRate
    latencyMs { mean p50 p95 p99 max } firstTokenMs { p50 } }`;

  it('shows exact percentiles of the attempts that succeeded', async () => {
    const { id } = await aSwarm(world.prisma, {
      ...world.ours,
      startedAt: new Date('2026-03-01T00:00:00Z'),
      finishedAt: new Date('2026-03-01T00:02:00Z'),
      ...{ succeeded: 30, failed: 10, attempts: 50, failedAttempts: 20, retries: 10, rateLimited: 3, timeouts: 2 },
    });
    const hundred = Array.from({ length: 100 }, (_, index) => index);
    await theAttempts(world.prisma, [
      ...hundred.map((index) => anAttempt(id, index, { latencyMs: (index + 1) * 10 })),
      anAttempt(id, 0, { number: 2, status: 'FAILED', latencyMs: 1_000_000, firstTokenMs: 5 }),
    ]);

    expect((await show(id, STATS)).stats).toEqual({
      ...{
        wallMs: 120_000,
        agentsPerMinute: 20,
        attempts: 50,
        retries: 10,
        rateLimited: 3,
        timeouts: 2,
        errorRate: 0.4,
      },
      latencyMs: { mean: 505, p50: 505, p95: 950.5, p99: 990.1, max: 1_000 },
      firstTokenMs: null,
    });
  });

  it('that has not begun has no figures', async () => {
    const { id } = await aSwarm(world.prisma, world.ours);

    expect((await show(id, STATS)).stats).toMatchObject({
      ...{ wallMs: 0, agentsPerMinute: 0, errorRate: 0, latencyMs: null, firstTokenMs: null },
    });
    expect(await show(id, 'breakdown { key }')).toEqual({ breakdown: [] });
  });

  it('is broken down by model, role and task type', async () => {
    const { id } = await aSwarm(world.prisma, { ...world.ours, total: 4 });
    await theAgents(world.prisma, id, [
      { role: 'reader', status: 'SUCCEEDED' },
      { role: 'reader', status: 'SUCCEEDED', taskType: 'search' },
      { status: 'FAILED', taskType: 'search' },
      { role: 'writer', status: 'QUEUED' },
    ]);
    const slow = {
      requestedModel: 'slow',
      servedModel: 'slow-2',
      latencyMs: 300,
      costNanoUsd: dollars(3),
      inputTokens: 7,
    };
    const fast = { requestedModel: 'fast', latencyMs: 100, costNanoUsd: dollars(1), outputTokens: 5 };
    const failed = { ...fast, status: 'FAILED', latencyMs: 9_999, costNanoUsd: null } as const;
    await theAttempts(world.prisma, [
      anAttempt(id, 0, failed),
      anAttempt(id, 0, { ...slow, number: 2 }),
      anAttempt(id, 1, fast),
      anAttempt(id, 2, failed),
      anAttempt(id, FUSION_INDEX, slow),
      // Neither an agent's answer nor the fused one: in the swarm's cost, and in no row of these.
      anAttempt(id, FUSION_INDEX, { ...slow, number: 2, purpose: 'JUDGE' }),
    ]);
    const rows = 'key agents succeeded attempts costUsd usage { input output } latencyMs { p50 max }';

    const swarm = await show(
      id,
      `model: breakdown { ${rows} } role: breakdown(by: ROLE) { ${rows} } taskType: breakdown(by: TASK_TYPE) { ${rows} }`,
    );

    const usage = (input: number, output: number) => ({ input: String(input), output: String(output) });
    expect(swarm.model).toEqual([
      {
        ...{ key: 'slow-2', agents: 1, succeeded: 1, attempts: 2, costUsd: '6', usage: usage(14, 0) },
        latencyMs: { p50: 300, max: 300 },
      },
      {
        ...{ key: 'fast', agents: 3, succeeded: 1, attempts: 3, costUsd: '1', usage: usage(0, 15) },
        latencyMs: { p50: 100, max: 100 },
      },
    ]);
    expect(swarm.role).toEqual([
      {
        ...{ key: 'reader', agents: 2, succeeded: 2, attempts: 3, costUsd: '4', usage: usage(7, 10) },
        latencyMs: { p50: 200, max: 300 },
      },
      { key: '', agents: 1, succeeded: 0, attempts: 1, costUsd: '0', usage: usage(0, 5), latencyMs: null },
      { key: 'writer', agents: 1, succeeded: 0, attempts: 0, costUsd: '0', usage: usage(0, 0), latencyMs: null },
    ]);
    expect(swarm.taskType.map(({ key, agents }: { key: string; agents: number }) => [key, agents])).toEqual([
      ['', 2],
      ['search', 2],
    ]);
  });
});
