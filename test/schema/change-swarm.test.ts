import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChangeResult } from '../../src/swarm/engine/result.ts';
import { aSwarm } from './support/rows.ts';
import { aSmallWorld, type World } from './support/world.ts';

let world: World;
let heard: unknown[] = [];
let result: ChangeResult = { kind: 'not-found' };
const hear = async (...words: unknown[]) => {
  heard = words;
  return result;
};

beforeAll(async () => {
  world = await aSmallWorld({ cancelSwarm: hear, pauseSwarm: hear, resumeSwarm: hear });
});
afterAll(() => world.close());

const ID = 'swarm_01h455vb4pex5vsknk084sn02q';

describe.each([
  ['cancelSwarm', 'CancelSwarmInput'],
  ['pauseSwarm', 'SwarmIdInput'],
  ['resumeSwarm', 'SwarmIdInput'],
])('%s', (field, input) => {
  const query = `mutation ($input: ${input}!) { change: ${field}(input: $input) {
    __typename
    ... on ChangeSwarmSuccess { swarm { id status } }
    ... on NotFoundError { id }
    ... on InvalidStateError { status }
    ... on InvalidInputError { issues { path code } }
    ... on Error { code message }
  } }`;
  const change = async (words: object) => (await world.ask(query, { input: words }, world.member)).change;

  it('hands the id and the caller to the engine', async () => {
    await change({ id: ID });

    expect([heard[0], heard.at(-1)]).toEqual([ID, world.member]);
  });

  it('answers with the swarm as it is now', async () => {
    const { id } = await aSwarm(world.prisma, { ...world.ours, status: 'PAUSED' });
    result = { kind: 'changed', swarmId: id };

    expect(await change({ id })).toEqual({ __typename: 'ChangeSwarmSuccess', swarm: { id, status: 'PAUSED' } });
  });

  it('answers why its state does not allow it', async () => {
    result = { kind: 'invalid-state', status: 'FAILED', message: 'It has ended.' };

    expect(await change({ id: ID })).toEqual({
      ...{ __typename: 'InvalidStateError', code: 'INVALID_STATE', message: 'It has ended.', status: 'FAILED' },
    });
  });

  it('says the same of missing and of malformed ids', async () => {
    result = { kind: 'not-found' };
    const said = (id: string) => ({ __typename: 'NotFoundError', code: 'NOT_FOUND', id });
    heard = [];

    expect(await change({ id: '\u0000' })).toMatchObject(said('\u0000'));
    expect(heard).toEqual([]);
    expect(await change({ id: ID })).toMatchObject(said(ID));
  });

  it('is forbidden to viewers', async () => {
    heard = [];
    const error = await world.refusal(query, { input: { id: ID } }, world.viewer);

    expect(error.extensions['code']).toBe('FORBIDDEN');
    expect(heard).toEqual([]);
  });
});

it('cancels for a reason that can be stored', async () => {
  const query = `mutation ($input: CancelSwarmInput!) { cancelSwarm(input: $input) {
    __typename ... on InvalidInputError { issues { path code } } } }`;
  result = { kind: 'not-found' };
  const cancel = async (reason: string | null) =>
    (await world.ask(query, { input: { id: ID, reason } }, world.member)).cancelSwarm;
  const refused = (code: string) => ({
    __typename: 'InvalidInputError',
    issues: [{ path: ['input', 'reason'], code }],
  });

  await cancel('Enough.');
  expect(heard[1]).toBe('Enough.');
  await cancel(null);
  expect(heard[1]).toBeUndefined();
  expect(await cancel('\u0000')).toEqual(refused('MALFORMED'));
  expect(await cancel('x'.repeat(1_001))).toEqual(refused('OUT_OF_RANGE'));
});
