import { type ExecutionResult, GraphQLError } from 'graphql';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { encodeCursor } from '../../src/swarm/domain/cursor.ts';
import type { SwarmEvent } from '../../src/swarm/domain/event.ts';
import { queuedProgress } from '../../src/swarm/domain/progress.ts';
import type { EventBatch } from '../../src/swarm/engine/follow.ts';
import { readEvents } from '../../src/swarm/store/read-events.ts';
import { agentIs, aSwarm, swarmIs, theAgents, theEvents } from './support/rows.ts';
import { aSmallWorld, type World } from './support/world.ts';

/** What an engine sends, by hand: each `next` waits for a `send`, and `return` ends it at any time. */
class Batches implements AsyncIterableIterator<EventBatch> {
  #waiting: ((result: IteratorResult<EventBatch>) => void)[] = [];
  isReturned = false;

  next(): Promise<IteratorResult<EventBatch>> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  send(batch: EventBatch): void {
    this.#waiting.shift()?.({ done: false, value: batch });
  }

  return(): Promise<IteratorResult<EventBatch>> {
    this.isReturned = true;
    for (const resolve of this.#waiting.splice(0)) resolve({ done: true, value: undefined });
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

let world: World;
let swarmId: string;
let foreignId: string;
let heard: unknown[] = [];
let batches = new Batches();
let events: readonly SwarmEvent[];

beforeAll(async () => {
  world = await aSmallWorld({
    follow: (...words) => {
      heard = words;
      return batches;
    },
  });
  swarmId = (await aSwarm(world.prisma, { ...world.ours, total: 2 })).id;
  foreignId = (await aSwarm(world.prisma, { ...world.theirs, lastSequence: 9 })).id;
  await theAgents(world.prisma, swarmId, [{}, {}]);
  const waiting = {
    ...{ model: 'm', failure: { code: 'RATE_LIMITED', message: 'Slowly.', isRetryable: true } },
    retryAt: '2026-03-01T00:00:09.000Z',
  };
  await theEvents(world.prisma, swarmId, [swarmIs('RUNNING'), { ...agentIs(1, 'WAITING', 2), ...waiting }]);
  events = await readEvents(world.prisma, swarmId, 0, 10);
});
afterAll(() => world.close());
beforeEach(() => {
  heard = [];
  batches = new Batches();
});

const batch = (words: Partial<EventBatch> = {}): EventBatch => ({
  ...{ events: [], sequence: 0, status: 'RUNNING', progress: queuedProgress(2), costNanoUsd: 1_500n, ...words },
});

const FIELDS = `cursor status costUsd progress { total queued } events {
  __typename cursor sequence occurredAt costUsd progress { total }
  ... on SwarmStatusChanged { swarmStatus failure { code } swarm { status } }
  ... on AgentStatusChanged { agentId agentKey agentStatus attempt model failure { code } retryAt agent { status } } }`;
const WATCH = `subscription ($id: ID!, $after: EventCursor, $heartbeatMs: Int! = 15000, $minIntervalMs: Int! = 50) {
  swarmEvents(swarmId: $id, after: $after, heartbeatMs: $heartbeatMs, minIntervalMs: $minIntervalMs) { ${FIELDS} } }`;

async function watch(variables: object = {}, query = WATCH): Promise<AsyncGenerator<ExecutionResult>> {
  const stream = await world.follow(query, { id: swarmId, ...variables }, world.member);
  if (stream instanceof GraphQLError) throw stream;
  return stream;
}

describe('swarmEvents', () => {
  it('follows from the beginning, or from a cursor on', async () => {
    await watch();
    expect(heard.slice(0, 3)).toEqual([swarmId, 0, { heartbeatMs: 15_000, minIntervalMs: 50 }]);

    await watch({ after: encodeCursor(swarmId, 2), heartbeatMs: 100, minIntervalMs: 0 });
    expect(heard.slice(0, 3)).toEqual([swarmId, 2, { heartbeatMs: 100, minIntervalMs: 0 }]);
  });

  it('shows a batch with its events, and where to go on from', async () => {
    const stream = await watch();
    const next = stream.next();
    batches.send(batch({ events, sequence: 2 }));

    expect((await next).value.data.swarmEvents).toEqual({
      ...{
        cursor: encodeCursor(swarmId, 2),
        status: 'RUNNING',
        costUsd: '0.0000015',
        progress: { total: 2, queued: 2 },
      },
      events: [
        {
          ...{ __typename: 'SwarmStatusChanged', cursor: encodeCursor(swarmId, 1), sequence: 1, costUsd: '0' },
          ...{ occurredAt: '2026-03-01T00:00:00.000Z', progress: { total: 1 } },
          ...{ swarmStatus: 'RUNNING', failure: null, swarm: { status: 'QUEUED' } },
        },
        {
          ...{ __typename: 'AgentStatusChanged', cursor: encodeCursor(swarmId, 2), sequence: 2, costUsd: '0.000001' },
          ...{ occurredAt: '2026-03-01T00:00:01.000Z', progress: { total: 1 } },
          ...{ agentId: `agent_${swarmId.slice(6)}_1`, agentKey: 'agent-2', agentStatus: 'WAITING', attempt: 2 },
          ...{ model: 'm', failure: { code: 'RATE_LIMITED' }, retryAt: '2026-03-01T00:00:09.000Z' },
          agent: { status: 'QUEUED' },
        },
      ],
    });
  });

  it('shows a heartbeat as a batch without events', async () => {
    const stream = await watch();
    const next = stream.next();
    batches.send(batch());

    expect((await next).value.data.swarmEvents).toMatchObject({ events: [], cursor: encodeCursor(swarmId, 0) });
  });

  it('reads agents and swarms anew for each batch', async () => {
    const stream = await watch();
    const statusOf = async () => {
      const next = stream.next();
      batches.send(batch({ events, sequence: 2 }));
      const [first, second] = (await next).value.data.swarmEvents.events;
      return [first.swarm.status, second.agent.status];
    };
    expect(await statusOf()).toEqual(['QUEUED', 'QUEUED']);
    await world.prisma.swarm.update({ where: { id: swarmId }, data: { status: 'FUSING' } });
    await world.prisma.agent.updateMany({ where: { swarmId }, data: { status: 'SUCCEEDED' } });

    expect(await statusOf()).toEqual(['FUSING', 'SUCCEEDED']);
  });

  it('reads nothing for a batch whose agents are not asked for, and one statement when they are', async () => {
    const many = Array.from({ length: 40 }, () => events).flat();
    const read = async (fields: string) => {
      const stream = await watch({}, `subscription ($id: ID!) { swarmEvents(swarmId: $id) { events { ${fields} } } }`);
      return world.statementsOf(async () => {
        const next = stream.next();
        batches.send(batch({ events: many, sequence: 2 }));
        expect((await next).value.data.swarmEvents.events).toHaveLength(80);
      });
    };

    expect(await read('cursor costUsd ... on AgentStatusChanged { agentKey agentStatus }')).toHaveLength(0);
    expect(await read('... on AgentStatusChanged { agent { key output } a: agent { id } }')).toHaveLength(2);
  });

  it("ends the engine's stream while it is waiting for a batch", async () => {
    const stream = await watch();
    const next = stream.next();
    await stream.return(undefined);

    expect(await next).toEqual({ done: true, value: undefined });
    expect(batches.isReturned).toBe(true);
  });

  it.each([
    ['a swarm that there is not', { id: 'swarm_01h455vb4pex5vsknk084sn02q' }, 'NOT_FOUND', /no swarm/],
    ['a malformed id', { id: '\u0000' }, 'NOT_FOUND', /no swarm/],
    ["another tenant's swarm", () => ({ id: foreignId }), 'NOT_FOUND', /no swarm/],
    ['a cursor that is none', { after: 'bm9wZQ' }, 'INVALID_INPUT', /after is no cursor of this swarm/],
    [
      "another swarm's cursor",
      () => ({ after: encodeCursor(foreignId, 1) }),
      'INVALID_INPUT',
      /no cursor of this swarm/,
    ],
    [
      'a cursor beyond the newest event',
      () => ({ after: encodeCursor(swarmId, 3) }),
      'INVALID_INPUT',
      /beyond the newest event/,
    ],
    ['a cursor beyond all numbers', () => ({ after: encodeCursor(swarmId, 9_999_999_999) }), 'INVALID_INPUT', /beyond/],
    ['heartbeats too often', { heartbeatMs: 99 }, 'INVALID_INPUT', /heartbeatMs is 99; give milliseconds from 100/],
    ['heartbeats too seldom', { heartbeatMs: 3_600_001 }, 'INVALID_INPUT', /heartbeatMs/],
    ['an interval too long', { minIntervalMs: 10_001 }, 'INVALID_INPUT', /minIntervalMs is 10001/],
    ['a negative interval', { minIntervalMs: -1 }, 'INVALID_INPUT', /minIntervalMs is -1/],
  ])('refuses %s', async (_, variables, code, message) => {
    const words = typeof variables === 'function' ? variables() : variables;
    const refusal = await world.follow(WATCH, { id: swarmId, ...words }, world.member);

    expect(refusal).toBeInstanceOf(GraphQLError);
    // An HTTP status would cost SSE clients the message.
    expect(refusal).toMatchObject({ message: expect.stringMatching(message), extensions: { code } });
    expect(refusal).not.toHaveProperty('extensions.http');
    expect(heard).toEqual([]);
  });
});

describe('the log of a swarm', () => {
  const LOG = `query ($id: ID!, $first: Int, $after: EventCursor) { swarm(id: $id) { events(first: $first, after: $after) {
    nodes { sequence } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`;
  const log = async (variables: object) => (await world.ask(LOG, { id: swarmId, ...variables })).swarm.events;

  it('is read in pages by the cursors of its events', async () => {
    const start = await log({ first: 1 });
    const rest = await log({ after: start.pageInfo.endCursor });

    expect(start).toEqual({
      nodes: [{ sequence: 1 }],
      pageInfo: {
        ...{ hasNextPage: true, hasPreviousPage: false },
        ...{ startCursor: encodeCursor(swarmId, 1), endCursor: encodeCursor(swarmId, 1) },
      },
    });
    expect(rest).toMatchObject({ nodes: [{ sequence: 2 }], pageInfo: { hasNextPage: false, hasPreviousPage: true } });
    expect(await log({ after: rest.pageInfo.endCursor })).toMatchObject({ nodes: [], pageInfo: { endCursor: null } });
  });

  it('may be read twice at once, in different parts', async () => {
    const query = `query ($id: ID!, $after: EventCursor) { swarm(id: $id) {
      all: events { nodes { sequence } } rest: events(after: $after) { nodes { sequence } } } }`;
    const { swarm } = await world.ask(query, { id: swarmId, after: encodeCursor(swarmId, 1) });

    expect(swarm).toEqual({
      all: { nodes: [{ sequence: 1 }, { sequence: 2 }] },
      rest: { nodes: [{ sequence: 2 }] },
    });
  });

  it.each([
    ['a foreign cursor', () => ({ after: encodeCursor(foreignId, 1) })],
    ['a cursor beyond the newest event', () => ({ after: encodeCursor(swarmId, 3) })],
    ['a page of more than 1,000', () => ({ first: 1_001 })],
  ])('answers INVALID_INPUT to %s', async (_, variables) => {
    const error = await world.refusal(LOG, { id: swarmId, ...variables() });

    expect(error.extensions['code']).toBe('INVALID_INPUT');
  });
});
