import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/swarm/engine/caller.ts';
import { anAttempt, aSwarm, theAgents, theAttempts } from './support/rows.ts';
import { aSmallWorld, type World } from './support/world.ts';

let world: World;
let ids: { ours: string[]; theirs: string[]; everybodys: string[] };

/** A swarm with one agent that made one attempt, and their three ids. */
async function aFamily(owner: World['ours']): Promise<string[]> {
  const { id } = await aSwarm(world.prisma, { ...owner, total: 1 });
  await theAgents(world.prisma, id, [{}]);
  await theAttempts(world.prisma, [anAttempt(id, 0)]);
  const suffix = id.slice('swarm_'.length);
  return [id, `agent_${suffix}_0`, `attempt_${suffix}_0_1`];
}

beforeAll(async () => {
  world = await aSmallWorld();
  const rule = await world.prisma.routingRule.findFirstOrThrow();
  const model = await world.prisma.model.findFirstOrThrow();
  ids = {
    ours: [...(await aFamily(world.ours)), world.tenant.id],
    theirs: [...(await aFamily(world.theirs)), world.other.id],
    everybodys: [rule.id, model.id],
  };
});
afterAll(() => world.close());

const NODES = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }';
const NODE = 'query ($id: ID!) { node(id: $id) { id } }';

async function found(wanted: readonly string[], caller: Caller): Promise<(string | null)[]> {
  const { nodes } = await world.ask(NODES, { ids: wanted }, caller);
  for (const [at, id] of wanted.entries()) {
    expect((await world.ask(NODE, { id }, caller)).node).toEqual(nodes[at] && { id: nodes[at].id });
  }
  return nodes.map((node: { id: string } | null) => node?.id ?? null);
}

describe('nodes', () => {
  it('are found by their ids, of any type, in the order asked for', async () => {
    const wanted = [...ids.theirs, ...ids.ours, ...ids.everybodys, world.key.id].reverse();

    const { nodes } = await world.ask(NODES, { ids: wanted });

    expect(nodes.map((node: { id: string }) => node.id)).toEqual(wanted);
    expect(new Set(nodes.map((node: { __typename: string }) => node.__typename))).toEqual(
      new Set(['Swarm', 'Agent', 'Attempt', 'Tenant', 'RoutingRule', 'Model', 'ApiKey']),
    );
  });

  it('are missing for another tenant, whatever they are', async () => {
    const nobodys = ids.theirs.map(() => null);

    expect(await found([...ids.ours, ...ids.theirs, ...ids.everybodys], world.member)).toEqual([
      ...ids.ours,
      ...nobodys,
      ...ids.everybodys,
    ]);
  });

  it.each([
    ['no id at all', ''],
    ['words', 'hello world'],
    ['a NUL', 'swarm_\u0000'],
    ['half a surrogate pair', '\ud800'],
    ['an unknown type', 'dog_01h455vb4pex5vsknk084sn02q'],
    ['a swarm that there is not', 'swarm_01h455vb4pex5vsknk084sn02q'],
    ['an agent that there is not', 'agent_01h455vb4pex5vsknk084sn02q_3'],
    ['an attempt that there is not', 'attempt_01h455vb4pex5vsknk084sn02q_fuse_1'],
    ['a key that there is not', 'key_01h455vb4pex5vsknk084sn02q'],
    ['Base64', 'U3dhcm06MQ=='],
  ])('are null for %s', async (_, id) => {
    expect(await found([id], world.admin)).toEqual([null]);
  });

  it('are shown as often as they are asked for', async () => {
    const [id = ''] = ids.ours;

    expect(await found([id, 'nothing', id], world.admin)).toEqual([id, null, id]);
  });

  it('show keys to admins of their tenant, and to others their own one', async () => {
    const keys = [world.key.id, world.otherKey.id];
    const tenantAdmin: Caller = { ...world.member, role: 'ADMIN', apiKeyId: 'key_of_another' };

    expect(await found(keys, world.admin)).toEqual(keys);
    expect(await found(keys, tenantAdmin)).toEqual([world.key.id, null]);
    expect(await found(keys, world.member)).toEqual([world.key.id, null]);
    expect(await found(keys, { ...world.member, apiKeyId: 'key_of_another' })).toEqual([null, null]);
  });

  it('are refused when more than 1,000 are asked for', async () => {
    const error = await world.refusal(NODES, { ids: Array.from({ length: 1_001 }, () => 'x') });

    expect(error.extensions['code']).toBe('INVALID_INPUT');
  });
});

describe('a swarm', () => {
  it.each([
    ['foreign', () => ids.theirs[0]],
    ['malformed', () => 'swarm_\u0000'],
    ['missing', () => 'swarm_01h455vb4pex5vsknk084sn02q'],
    ["another type's", () => ids.ours[1]],
  ])('is not there when its id is %s', async (_, id) => {
    const { swarm } = await world.ask('query ($id: ID!) { swarm(id: $id) { id } }', { id: id() }, world.member);

    expect(swarm).toBeNull();
  });
});
