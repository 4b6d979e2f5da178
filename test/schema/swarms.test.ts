import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../support/databases.ts';
import { aSwarm, dollars, type SwarmWords } from './support/rows.ts';
import { aWorld, type World } from './support/world.ts';

describe.each(databases)('a list of swarms on $name', ({ open }) => {
  let world: World;
  const idOf = new Map<string, string>();

  const day = (number: number) => new Date(Date.UTC(2026, 2, number));
  const swarms: (Omit<SwarmWords, 'tenantId' | 'apiKeyId'> & { name: string })[] = [
    { name: 'a', createdAt: day(1), finishedAt: day(9), costNanoUsd: dollars(3), status: 'SUCCEEDED' },
    { name: 'b', createdAt: day(2), finishedAt: null, costNanoUsd: dollars(1), status: 'RUNNING' },
    { name: 'c', createdAt: day(2), finishedAt: day(8), costNanoUsd: dollars(1), status: 'FAILED' },
    { name: 'd', createdAt: day(3), finishedAt: null, costNanoUsd: dollars(2), goal: 'Save 50% of it_all' },
    { name: 'e', createdAt: day(4), finishedAt: day(8), costNanoUsd: 0n, goal: 'Save 50 of itXall' },
  ];

  beforeAll(async () => {
    world = await aWorld(open);
    for (const words of swarms) {
      const labels = [
        { key: 'team', value: words.name === 'b' ? 'blue' : 'red' },
        { key: 'name', value: words.name },
      ];
      idOf.set(words.name, (await aSwarm(world.prisma, { ...world.ours, labels, ...words })).id);
    }
    await aSwarm(world.prisma, { ...world.theirs, name: 'foreign', createdAt: day(2) });
  });
  afterAll(() => world.close());

  const LIST = `query ($filter: SwarmFilter, $orderBy: SwarmOrder, $first: Int, $after: String, $last: Int, $before: String) {
    swarms(filter: $filter, orderBy: $orderBy, first: $first, after: $after, last: $last, before: $before) {
      totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      nodes { name } edges { cursor node { name } }
    } }`;

  async function list(variables: object) {
    const page = (await world.ask(LIST, variables, world.member)).swarms;
    const names = page.nodes.map((node: { name: string }) => node.name).join('');
    return { ...page, names };
  }

  /** Equal swarms lie in the order of their ids. */
  const inOrder = (names: string, isAscending: boolean) =>
    [...names].sort((a, b) => ((idOf.get(a) ?? '') < (idOf.get(b) ?? '') === isAscending ? -1 : 1)).join('');

  const orders = [
    ['CREATED_AT', 'ASC', () => `a${inOrder('bc', true)}de`],
    ['CREATED_AT', 'DESC', () => `ed${inOrder('bc', false)}a`],
    ['FINISHED_AT', 'ASC', () => `${inOrder('ce', true)}a${inOrder('bd', true)}`],
    ['FINISHED_AT', 'DESC', () => `a${inOrder('ce', false)}${inOrder('bd', false)}`],
    ['COST', 'ASC', () => `e${inOrder('bc', true)}da`],
    ['COST', 'DESC', () => `ad${inOrder('bc', false)}e`],
  ] as const;

  it('shows the newest first', async () => {
    expect((await list({})).names).toBe(`ed${inOrder('bc', false)}a`);
  });

  it.each(orders)(
    'is ordered by %s %s, and paged forward and backward through all of it',
    async (field, direction, names) => {
      const orderBy = { field, direction };
      const all = names();
      let [forward, backward] = ['', ''];
      let page = { pageInfo: { endCursor: null, startCursor: null, hasNextPage: true, hasPreviousPage: true } };
      while (page.pageInfo.hasNextPage) {
        const read = await list({ orderBy, first: 2, after: page.pageInfo.endCursor });
        forward += read.names;
        page = read;
      }
      page = { pageInfo: { endCursor: null, startCursor: null, hasNextPage: true, hasPreviousPage: true } };
      while (page.pageInfo.hasPreviousPage) {
        const read = await list({ orderBy, last: 2, before: page.pageInfo.startCursor });
        backward = read.names + backward;
        page = read;
      }

      expect(forward).toBe(all);
      expect(backward).toBe(all);
    },
  );

  it('goes on from a cursor whose swarm has moved on', async () => {
    const orderBy = { field: 'COST', direction: 'ASC' };
    const { pageInfo } = await list({ orderBy, first: 1 });
    const id = idOf.get('e') ?? '';
    await world.prisma.swarm.update({ where: { id }, data: { costNanoUsd: dollars(99) } });
    const rest = await list({ orderBy, first: 2, after: pageInfo.endCursor });
    await world.prisma.swarm.update({ where: { id }, data: { costNanoUsd: 0n } });

    expect(rest.names).toBe(inOrder('bc', true));
  });

  it('counts all that fit, whatever page is shown', async () => {
    const page = await list({ first: 1, filter: { status: ['RUNNING', 'FAILED'] } });

    expect(page).toMatchObject({ totalCount: 2, pageInfo: { hasNextPage: true, hasPreviousPage: false } });
    expect(page.edges[0]).toEqual({ cursor: page.pageInfo.endCursor, node: { name: page.names } });
  });

  it.each([
    ['one status', { status: ['RUNNING'] }, 'b'],
    ['an empty list of statuses', { status: [] }, 'abcde'],
    ['a label', { label: { key: 'team', value: 'blue' } }, 'b'],
    ["a label's key with another one's value", { label: { key: 'team', value: 'b' } }, ''],
    ['a day, its end excluded', { createdAt: { from: '2026-03-02T00:00:00Z', to: '2026-03-03T00:00:00Z' } }, 'bc'],
    ['an end alone', { createdAt: { to: '2026-03-02T00:00:00Z' } }, 'a'],
    ['a part of the goal, in any case', { search: 'SAVE' }, 'de'],
    ['a part of the name', { search: 'A' }, 'ade'],
    ['signs that SQL reads as wildcards', { search: '50% of it_' }, 'd'],
    ['a backslash', { search: '\\' }, ''],
    ['a NUL, which no text holds', { search: '\u0000' }, ''],
    ['several things at once', { status: ['RUNNING', 'FAILED'], label: { key: 'team', value: 'red' } }, 'c'],
    ['nulls', { status: null, label: null, createdAt: null, search: null }, 'abcde'],
  ])('is filtered by %s', async (_, filter, names) => {
    const found = await list({ filter });

    expect([...found.names].sort().join('')).toBe(names);
    expect(found.totalCount).toBe(names.length);
  });

  it('holds the swarms of all tenants for an admin, and of the own one for others', async () => {
    const count = async (caller: World['admin']) =>
      (await world.ask('{ swarms { totalCount nodes { name } } }', {}, caller)).swarms;

    expect((await count(world.admin)).totalCount).toBe(6);
    expect((await count(world.member)).totalCount).toBe(5);
    expect(await count(world.stranger)).toEqual({ totalCount: 1, nodes: [{ name: 'foreign' }] });
  });

  it.each([
    ['a page of more than 1,000', { first: 1_001 }, /at most 1000/],
    ['a cursor that is none', { after: 'nonsense' }, /after is no cursor/],
    [
      'a range that ends before it begins',
      { filter: { createdAt: { from: '2026-03-02T00:00:00Z', to: '2026-03-01T00:00:00Z' } } },
      /from is not before to/,
    ],
  ])('answers INVALID_INPUT to %s', async (_, variables, message) => {
    const error = await world.refusal(LIST, variables);

    expect(error.extensions['code']).toBe('INVALID_INPUT');
    expect(error.message).toMatch(message);
  });

  it('refuses a cursor of another order', async () => {
    const { pageInfo } = await list({ first: 1 });
    const error = await world.refusal(LIST, {
      after: pageInfo.endCursor,
      orderBy: { field: 'COST', direction: 'ASC' },
    });

    expect(error.extensions['code']).toBe('INVALID_INPUT');
  });
});
