import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../support/databases.ts';
import { anAttempt, aSwarm, dollars, theAgents, theAttempts } from './support/rows.ts';
import { aWorld, type World } from './support/world.ts';

describe.each(databases)('agents on $name', ({ open }) => {
  let world: World;
  let swarmId: string;
  const live = new Map<number, string>();

  beforeAll(async () => {
    world = await aWorld(open, { liveText: (_, index) => live.get(index) });
    const defaults = { model: 'kimi-k2-0711' };
    swarmId = (await aSwarm(world.prisma, { ...world.ours, total: 8, defaults })).id;
    await theAgents(world.prisma, swarmId, [
      {
        status: 'SUCCEEDED',
        role: 'reader',
        taskType: 'search',
        routedModel: 'deepseek/deepseek-v3.2',
        output: 'Done.',
      },
      { status: 'SUCCEEDED', role: 'writer', routedModel: 'served' },
      { status: 'FAILED', role: 'reader', routedModel: 'served', failureCode: 'TIMED_OUT', failureMessage: 'Late.' },
      { status: 'RUNNING', taskType: 'search', routedModel: 'deepseek/deepseek-v3.2' },
      // Never sent: by its own word, by the swarm's default (which goes before any rule), and by a rule alone.
      { model: 'openai/gpt-4.1' },
      { taskType: 'search' },
      { role: 'writer' },
      { status: 'SKIPPED', failureCode: 'BUDGET_EXCEEDED', failureMessage: 'No.' },
    ]);
  });
  afterAll(() => world.close());

  const LIST = `query ($id: ID!, $filter: AgentFilter, $first: Int, $after: String, $last: Int, $before: String) {
    swarm(id: $id) { agents(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
      totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } nodes { index } edges { cursor node { key } }
    } } }`;
  const list = async (variables: object) => {
    const page = (await world.ask(LIST, { id: swarmId, ...variables })).swarm.agents;
    return { ...page, indexes: page.nodes.map((node: { index: number }) => node.index) };
  };

  it('are listed in the order of the plan, forward and backward', async () => {
    const start = await list({ first: 3 });
    const next = await list({ first: 3, after: start.pageInfo.endCursor });
    const end = await list({ last: 2 });
    const before = await list({ last: 4, before: end.pageInfo.startCursor });

    expect(start).toMatchObject({ indexes: [0, 1, 2], totalCount: 8 });
    expect(start.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    expect(next).toMatchObject({ indexes: [3, 4, 5], pageInfo: { hasNextPage: true, hasPreviousPage: true } });
    expect(end).toMatchObject({ indexes: [6, 7], pageInfo: { hasNextPage: false, hasPreviousPage: true } });
    expect(before).toMatchObject({ indexes: [2, 3, 4, 5], pageInfo: { hasNextPage: true, hasPreviousPage: true } });
    expect(start.edges[0]).toEqual({ cursor: start.pageInfo.startCursor, node: { key: 'agent-1' } });
  });

  it.each([
    ['status', { status: ['SUCCEEDED', 'FAILED'] }, [0, 1, 2]],
    ['role', { role: ['writer'] }, [1, 6]],
    ['task type', { taskType: ['search', 'nothing'] }, [0, 3, 5]],
    ['the model that answered', { model: ['served'] }, [1, 2]],
    ['the model that they would be sent to', { model: ['openai/gpt-4.1'] }, [4]],
    ['a model by default', { model: ['kimi-k2-0711'] }, [5, 6, 7]],
    ['all of it', { status: ['QUEUED'], role: ['writer'], model: ['kimi-k2-0711', 'served'] }, [6]],
    ['nothing that any has', { role: ['\u0000'] }, []],
    ['empty lists', { status: [], role: null }, [0, 1, 2, 3, 4, 5, 6, 7]],
  ])('are filtered by %s', async (_, filter, indexes) => {
    expect(await list({ filter })).toMatchObject({ indexes, totalCount: indexes.length });
  });

  it('that fit are paged too', async () => {
    const filter = { status: ['SUCCEEDED', 'FAILED', 'QUEUED'] };
    const page = await list({ filter, first: 2, after: (await list({ first: 2 })).pageInfo.endCursor });

    expect(page).toMatchObject({ indexes: [2, 4], totalCount: 6, pageInfo: { hasNextPage: true } });
  });

  it('shows the model of each that the filter goes by', async () => {
    const { swarm } = await world.ask('query ($id: ID!) { swarm(id: $id) { agents { nodes { model } } } }', {
      id: swarmId,
    });

    expect(swarm.agents.nodes.map((agent: { model: string }) => agent.model)).toEqual([
      ...['deepseek/deepseek-v3.2', 'served', 'served', 'deepseek/deepseek-v3.2'],
      ...['openai/gpt-4.1', 'kimi-k2-0711', 'kimi-k2-0711', 'kimi-k2-0711'],
    ]);
  });

  it('go by rules that look at the length of the prompt', async () => {
    const rule = { id: 'rule_00000000000000000000000001', name: 'long', position: 0, taskTypes: [], roles: [] };
    await world.prisma.routingRule.create({
      data: { ...rule, models: ['google/gemini-2.5-flash'], minPromptTokens: 100 },
    });
    const { id } = await aSwarm(world.prisma, { ...world.ours, total: 2 });
    await theAgents(world.prisma, id, [{ prompt: 'x'.repeat(1_000) }, { prompt: 'x' }]);

    const { swarm } = await world.ask(
      'query ($id: ID!) { swarm(id: $id) { agents { nodes { model route { ruleName models reason } } } } }',
      { id },
    );
    await world.prisma.routingRule.delete({ where: { id: rule.id } });

    expect(swarm.agents.nodes).toMatchObject([
      { model: 'google/gemini-2.5-flash', route: { ruleName: 'long', models: ['google/gemini-2.5-flash'] } },
      { model: 'openai/gpt-4.1', route: { ruleName: 'default' } },
    ]);
  });

  it('keep the route that they were begun with', async () => {
    const { id } = await aSwarm(world.prisma, { ...world.ours, total: 1 });
    const route = { routeRule: 'old', routeModels: ['a', 'b'], routeReason: 'It was so.', routedModel: 'b' };
    await theAgents(world.prisma, id, [route]);

    const { swarm } = await world.ask(
      'query ($id: ID!) { swarm(id: $id) { agents { nodes { model route { ruleName models reason } } } } }',
      { id },
    );

    expect(swarm.agents.nodes).toEqual([
      { model: 'b', route: { ruleName: 'old', models: ['a', 'b'], reason: 'It was so.' } },
    ]);
  });

  const one = async (key: string, fields: string) =>
    (
      await world.ask(`query ($id: ID!, $key: String!) { swarm(id: $id) { agent(key: $key) { ${fields} } } }`, {
        ...{ id: swarmId, key },
      })
    ).swarm.agent;

  it('are found by their keys', async () => {
    expect(await one('agent-2', 'index')).toEqual({ index: 1 });
    expect(await one('nobody', 'index')).toBeNull();
    expect(await one('\u0000', 'index')).toBeNull();
  });

  it('show their text so far while they run, and their answer afterwards', async () => {
    live.set(0, 'not any more');
    live.set(3, 'So f');

    expect(await one('agent-1', 'output')).toEqual({ output: 'Done.' });
    expect(await one('agent-4', 'output')).toEqual({ output: 'So f' });
    live.clear();
    expect(await one('agent-4', 'output')).toEqual({ output: null });
  });

  it('show all attempts by number, with what each one cost', async () => {
    await theAttempts(world.prisma, [
      anAttempt(swarmId, 2, {
        ...{ number: 2, status: 'TIMED_OUT', costNanoUsd: dollars(0.5), costSource: 'ESTIMATED', httpStatus: 200 },
        ...{ failureCode: 'TIMED_OUT', failureMessage: 'Late.', failureIsRetryable: true, inputTokens: 7 },
        finishedAt: new Date('2026-03-01T00:00:02Z'),
        ...{ servedModel: 'served', upstreamId: 'up', latencyMs: 5 },
      }),
      anAttempt(swarmId, 2, { number: 1, status: 'FAILED', costNanoUsd: null, costSource: 'UNKNOWN' }),
    ]);
    const suffix = swarmId.slice('swarm_'.length);

    const agent = await one(
      'agent-3',
      `id failure { code } attempts { id number purpose status requestedModel servedModel isHedge httpStatus
       failure { code message isRetryable } retryAt usage { input } costUsd costSource latencyMs firstTokenMs startedAt
       finishedAt upstreamId }`,
    );

    expect(agent.id).toBe(`agent_${suffix}_2`);
    expect(agent.attempts).toMatchObject([
      { id: `attempt_${suffix}_2_1`, number: 1, status: 'FAILED', costUsd: null, costSource: 'UNKNOWN', failure: null },
      {
        ...{ id: `attempt_${suffix}_2_2`, number: 2, purpose: 'AGENT', status: 'TIMED_OUT', costUsd: '0.5' },
        ...{ requestedModel: 'openai/gpt-4.1', servedModel: 'served', isHedge: false, httpStatus: 200 },
        failure: { code: 'TIMED_OUT', message: 'Late.', isRetryable: true },
        ...{ retryAt: null, usage: { input: '7' }, costSource: 'ESTIMATED', latencyMs: 5, firstTokenMs: null },
        ...{ startedAt: '2026-03-01T00:00:01.000Z', finishedAt: '2026-03-01T00:00:02.000Z', upstreamId: 'up' },
      },
    ]);
  });

  it('answer INVALID_INPUT to a page of more than 1,000', async () => {
    const error = await world.refusal(LIST, { id: swarmId, first: 1_001 });

    expect(error.extensions['code']).toBe('INVALID_INPUT');
    expect(error.message).toMatch(/at most 1000/);
  });
});
