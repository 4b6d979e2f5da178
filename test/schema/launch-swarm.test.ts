import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LaunchInput } from '../../src/swarm/domain/launch-input.ts';
import type { Caller } from '../../src/swarm/engine/caller.ts';
import type { LaunchResult } from '../../src/swarm/engine/result.ts';
import { aSwarm } from './support/rows.ts';
import { aSmallWorld, type World } from './support/world.ts';

let world: World;
let heard: { input: LaunchInput; caller: Caller } | undefined;
let result: LaunchResult = { kind: 'invalid-input', issues: [] };

beforeAll(async () => {
  world = await aSmallWorld({
    launch: async (input, caller) => {
      heard = { input, caller };
      return result;
    },
  });
});
afterAll(() => world.close());

const LAUNCH = `mutation ($input: LaunchSwarmInput!) { launchSwarm(input: $input) {
  __typename
  ... on LaunchSwarmSuccess { isReplay swarm { id name } }
  ... on InvalidInputError { issues { path code message } }
  ... on BudgetExceededError { budgetUsd neededUsd }
  ... on IdempotencyConflictError { swarm { id } }
  ... on Error { code message }
} }`;
const launch = async (input: object, caller = world.member) => (await world.ask(LAUNCH, { input }, caller)).launchSwarm;

it('hands all of its input to the engine, with defaults where nothing is said', async () => {
  await launch({ plan: { agents: [{ prompt: 'Do.' }] } });

  expect(heard).toEqual({
    input: { plan: { agents: [{ prompt: 'Do.' }] }, onBudget: 'FUSE_PARTIAL', minSuccess: 1, allowUnpriced: false },
    caller: world.member,
  });
});

it('reads scalars, enums and JSON on the way', async () => {
  const agent = {
    ...{ key: 'k', role: 'r', taskType: 't', systemPrompt: 's', prompt: 'p', model: 'm' },
    ...{ temperature: 0.5, maxTokens: 1, timeoutMs: 2, maxAttempts: 3 },
  };
  const { prompt: _, key: __, role: ___, taskType: ____, ...defaults } = agent;
  const input = {
    ...{ name: 'n', goal: 'g', concurrency: 5, minSuccess: 0.5, deadlineMs: 9, allowUnpriced: true, onBudget: 'PAUSE' },
    fusion: { strategy: 'SYNTHESIZE', model: 'f', instructions: 'i', maxTokens: 4 },
    ...{ defaults, baselineModel: 'b', labels: [{ key: 'a', value: 'b' }], idempotencyKey: 'once' },
  };

  await launch({ ...input, budgetUsd: '1.5', plan: { agents: [agent] } });
  expect(heard?.input).toEqual({ ...input, budgetUsd: 1_500_000_000n, plan: { agents: [agent] } });

  const items = ['text', 5, { field: ['deep', null] }];
  await launch({ plan: { template: { prompt: '{{item}}', items, model: null } }, goal: null });
  expect(heard?.input).toMatchObject({ goal: null, plan: { template: { prompt: '{{item}}', items, model: null } } });
});

it('takes items that are written into the query', async () => {
  await world.ask(`mutation { launchSwarm(input: { budgetUsd: 0.25, plan: { template: {
    prompt: "{{item.a}}", items: [{ a: 1, b: [true, null, X] }, "text"] } } }) { __typename } }`);

  expect(heard?.input).toMatchObject({
    budgetUsd: 250_000_000n,
    plan: { template: { items: [{ a: 1, b: [true, null, 'X'] }, 'text'] } },
  });
});

it.each([
  ['no plan at all', {}],
  ['two plans', { agents: [{ prompt: 'p' }], template: { prompt: 'p', items: [] } }],
  ['a plan that is null', { agents: null }],
])('refuses %s before the engine is asked', async (_, plan) => {
  heard = undefined;

  expect((await world.refusal(LAUNCH, { input: { plan } })).message).toMatch(/Exactly one key|non-null/);
  expect(heard).toBeUndefined();
});

it('answers with the swarm that was launched', async () => {
  const swarm = await aSwarm(world.prisma, { ...world.ours, name: 'fresh' });
  result = { kind: 'launched', swarmId: swarm.id, isReplay: true };

  expect(await launch({ plan: { agents: [] } })).toEqual({
    ...{ __typename: 'LaunchSwarmSuccess', isReplay: true, swarm: { id: swarm.id, name: 'fresh' } },
  });
});

it('answers with every problem of the input', async () => {
  const issue = (at: string) =>
    ({ path: ['input', 'plan', at], code: 'REQUIRED', message: `${at} is empty.` }) as const;
  result = { kind: 'invalid-input', issues: [issue('agents'), issue('template')] };

  expect(await launch({ plan: { agents: [] } })).toEqual({
    ...{ __typename: 'InvalidInputError', code: 'INVALID_INPUT', issues: [issue('agents'), issue('template')] },
    message: 'The input has 2 problems; each one stands in issues with its path.',
  });
});

it('answers with what the budget would have to be', async () => {
  result = { kind: 'budget-exceeded', budgetNanoUsd: 1n, neededNanoUsd: 2_000_000_000n };

  expect(await launch({ plan: { agents: [] } })).toMatchObject({
    ...{ __typename: 'BudgetExceededError', code: 'BUDGET_EXCEEDED', budgetUsd: '0.000000001', neededUsd: '2' },
    message: expect.stringContaining('$2'),
  });
});

it('answers with the swarm that the idempotency key belongs to', async () => {
  const { id } = await aSwarm(world.prisma, world.ours);
  result = { kind: 'idempotency-conflict', swarmId: id };

  expect(await launch({ plan: { agents: [] } })).toMatchObject({
    ...{ __typename: 'IdempotencyConflictError', code: 'IDEMPOTENCY_CONFLICT', swarm: { id } },
  });
});

it('is forbidden to viewers', async () => {
  heard = undefined;
  const error = await world.refusal(LAUNCH, { input: { plan: { agents: [] } } }, world.viewer);

  expect(error.extensions['code']).toBe('FORBIDDEN');
  expect(heard).toBeUndefined();
});
