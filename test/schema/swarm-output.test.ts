import { GraphQLError } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OutputPiece } from '../../src/swarm/engine/follow-output.ts';
import { aSwarm, theAgents } from './support/rows.ts';
import { aSmallWorld, type World } from './support/world.ts';

let world: World;
let swarmId: string;
let heard: unknown[] = [];
const piece: OutputPiece = { agentIndex: 1, agentKey: 'agent-2', attempt: 3, offset: 4, text: 'so', isLast: true };

beforeAll(async () => {
  world = await aSmallWorld({
    followOutput: async function* (...words) {
      heard = words;
      yield [piece];
    },
  });
  swarmId = (await aSwarm(world.prisma, { ...world.ours, total: 3 })).id;
  await theAgents(world.prisma, swarmId, [{}, {}, {}]);
});
afterAll(() => world.close());

const LISTEN = `subscription ($id: ID!, $agentKeys: [String!], $minIntervalMs: Int! = 100) {
  swarmOutput(swarmId: $id, agentKeys: $agentKeys, minIntervalMs: $minIntervalMs) {
    agentId agentKey attempt offset text isLast } }`;
const listen = (variables: object = {}, caller = world.member) =>
  world.follow(LISTEN, { id: swarmId, ...variables }, caller);

it('shows pieces of text with the agents that write them', async () => {
  const stream = await listen();
  if (stream instanceof GraphQLError) throw stream;

  expect((await stream.next()).value.data.swarmOutput).toEqual([
    {
      ...{ agentId: `agent_${swarmId.slice(6)}_1`, agentKey: 'agent-2' },
      ...{ attempt: 3, offset: 4, text: 'so', isLast: true },
    },
  ]);
  expect(await stream.next()).toMatchObject({ done: true });
});

it('listens to all agents, or to those that are named', async () => {
  const heardOf = async (variables: object) => {
    const stream = await listen(variables);
    if (stream instanceof GraphQLError) throw stream;
    await stream.next();
    return heard.slice(0, 3);
  };

  expect(await heardOf({})).toEqual([swarmId, undefined, 100]);
  expect(await heardOf({ agentKeys: ['agent-3', 'agent-1'], minIntervalMs: 0 })).toEqual([swarmId, [2, 0], 0]);
});

it.each([
  ['keys that no agent has', { agentKeys: ['agent-1', 'x', '\u0000'] }, 'INVALID_INPUT', /no agent "x", "\\u0000"\.$/],
  ['many of them', { agentKeys: [...'abcdefgh'] }, 'INVALID_INPUT', /"e" and 3 more\.$/],
  ['a list without keys', { agentKeys: [] }, 'INVALID_INPUT', /agentKeys is empty/],
  ['an interval too long', { minIntervalMs: 10_001 }, 'INVALID_INPUT', /minIntervalMs/],
  ['a swarm that there is not', { id: 'swarm_01h455vb4pex5vsknk084sn02q' }, 'NOT_FOUND', /no swarm/],
])('refuses %s', async (_, variables, code, message) => {
  const refusal = await listen(variables);

  expect(refusal).toMatchObject({ message: expect.stringMatching(message), extensions: { code } });
});

it("refuses another tenant's swarm", async () => {
  expect(await listen({}, world.stranger)).toMatchObject({ extensions: { code: 'NOT_FOUND' } });
});
