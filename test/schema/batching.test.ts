import { afterAll, beforeAll, expect, it } from 'vitest';
import { agentIs, anAttempt, aSwarm, swarmIs, theAgents, theAttempts, theEvents } from './support/rows.ts';
import { aSmallWorld, type World } from './support/world.ts';

const AGENTS = 30;
const SWARMS = 8;
let world: World;
let swarmIds: string[];

beforeAll(async () => {
  world = await aSmallWorld();
  const { prisma } = world;
  swarmIds = [];
  for (let made = 0; made < SWARMS; made += 1) {
    const swarm = await aSwarm(prisma, { ...world.ours, total: AGENTS, baselineModel: 'openai/gpt-4.1' });
    swarmIds.push(swarm.id);
    const places = Array.from({ length: AGENTS }, (_, index) => index);
    // Half of them were sent to a model.
    const routed = { routedModel: 'm', routeModels: ['m'], routeReason: 'So.' };
    await theAgents(
      prisma,
      swarm.id,
      places.map((index) => (index % 2 === 0 ? routed : {})),
    );
    await theAttempts(
      prisma,
      places.map((index) => anAttempt(swarm.id, index, { latencyMs: index })),
    );
    const facts = places.map((index) => agentIs(index, 'RUNNING', 1));
    await theEvents(prisma, swarm.id, [swarmIs('RUNNING'), ...facts]);
  }
});

afterAll(() => world.close());

it.each([
  // Rows; attempts; the routes of those that were not sent (read beside the swarms' defaults).
  ['agents with attempts', 'agents(first: 30) { nodes { key model route { reason } attempts { number } } }', 4],
  ['agents by edge and node', 'agents(first: 30) { edges { node { key output } } nodes { key output prompt } }', 2],
  ['agents with their swarm', 'agents(first: 30) { nodes { key swarm { name status } } }', 3],
  ['a count of agents', 'agents { totalCount pageInfo { hasNextPage } }', 1],
  ['agents that fit', 'agents(filter: { model: ["m"] }) { totalCount nodes { key model } }', 4],
  ['one agent by key', 'agent(key: "agent-3") { key status attempts { id } }', 4],
  [
    'all figures',
    'cost { baselineUsd savedPercent } stats { latencyMs { p50 } firstTokenMs { max } } usage { input }',
    2,
  ],
  ['breakdowns', 'model: breakdown(by: MODEL) { key } role: breakdown(by: ROLE) { key latencyMs { p95 } }', 3],
  ['the log', 'events(first: 40) { nodes { sequence ... on AgentStatusChanged { agent { key status } } } }', 3],
  ['the fusion', 'fusion { strategy missing attempts { id } }', 2],
] as const)('reads %s of a list of swarms in as few statements as of one', async (_, fields, expected) => {
  const query = `query ($first: Int!) { swarms(first: $first) { nodes { id ${fields} } } }`;
  // The catalog is the engine's, and read by it now and then; the first query also fills Prisma's caches.
  await world.ask(query, { first: SWARMS });
  const ownOf = (statements: string[]) => statements.filter((sql) => !/"(RoutingRule|Model|ModelPrice)"/.test(sql));

  const many = ownOf(await world.statementsOf(() => world.ask(query, { first: SWARMS })));
  const one = ownOf(await world.statementsOf(() => world.ask(query, { first: 1 })));

  expect(many.length, many.join('\n')).toBe(expected);
  expect(one.length, one.join('\n')).toBe(expected);
});

it('reads nodes in one statement a type, whatever is asked of them', async () => {
  const query = `query ($ids: [ID!]!) { nodes(ids: $ids) {
    id ... on Agent { key output swarm { id } } ... on Swarm { name result progress { total } } } }`;
  const suffix = (id: string) => id.slice('swarm_'.length);
  const ids = swarmIds.flatMap((id) => [id, `agent_${suffix(id)}_0`, `agent_${suffix(id)}_7`]);

  const statements = await world.statementsOf(() => world.ask(query, { ids }));

  // Swarms; agents; the agents' swarms.
  expect(statements.length, statements.join('\n')).toBe(3);
});

it('reads no long text that was not asked for', async () => {
  const statements = await world.statementsOf(() =>
    world.ask('{ swarms { nodes { id status agents { nodes { key status } } } } }'),
  );

  expect(statements.join('\n')).not.toMatch(/"(result|spec|goal|output|prompt|systemPrompt)"/);
});

it('reads the agents of a batch of events in one statement, and none when they are not asked for', async () => {
  const [id = ''] = swarmIds;
  const query = (fields: string) => `query ($id: ID!) { swarm(id: $id) { events(first: 40) { nodes { ${fields} } } } }`;
  const agent = '... on AgentStatusChanged { agent { key status attempts { status } } }';

  const without = await world.statementsOf(() => world.ask(query('cursor'), { id }));
  const withAgents = await world.statementsOf(() => world.ask(query(agent), { id }));

  expect(without.length).toBe(2);
  expect(withAgents.length, withAgents.join('\n')).toBe(4);
});
