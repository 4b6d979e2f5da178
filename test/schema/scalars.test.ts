import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseBigInt } from '../../src/schema/big-int.ts';
import { parseDateTime } from '../../src/schema/date-time.ts';
import { parseAmount } from '../../src/schema/usd.ts';
import { aSwarm } from './support/rows.ts';
import { aSmallWorld, type World } from './support/world.ts';

describe('DateTime', () => {
  it.each([
    ['in UTC', '2026-03-01T10:20:30Z', '2026-03-01T10:20:30.000Z'],
    ['with an offset', '2026-03-01T00:20:30+09:00', '2026-02-28T15:20:30.000Z'],
    ['with milliseconds', '2026-03-01T10:20:30.123Z', '2026-03-01T10:20:30.123Z'],
    ['with more than milliseconds, which are cut', '2026-03-01T10:20:30.123999Z', '2026-03-01T10:20:30.123Z'],
    ['in small letters', '2026-03-01t10:20:30z', '2026-03-01T10:20:30.000Z'],
    ['on a leap day', '2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  ])('takes an instant %s', (_, text, instant) => {
    expect(parseDateTime(text)?.toISOString()).toBe(instant);
  });

  it.each([
    ['without a zone', '2026-03-01T10:20:30'],
    ['without a time', '2026-03-01'],
    ['on 30 February', '2026-02-30T00:00:00Z'],
    ['on 29 February of a common year', '2026-02-29T00:00:00Z'],
    ['in month 13', '2026-13-01T00:00:00Z'],
    ['at 25 hours', '2026-03-01T25:00:00Z'],
    ['in the year 0', '0000-01-01T00:00:00Z'],
    ['in the year 0 of UTC', '0001-01-01T00:00:00+14:00'],
    ['in the year 10000 of UTC', '9999-12-31T23:59:59-12:00'],
    ['in words', 'yesterday'],
    ['of no text', ''],
  ])('refuses one %s', (_, text) => {
    expect(parseDateTime(text)).toBeUndefined();
  });
});

describe('Usd', () => {
  it.each([
    ['a string', '0.0012345', 1_234_500n],
    ['a string with superfluous zeros', '1.500', 1_500_000_000n],
    ['nine decimals', '0.000000001', 1n],
    ['a number', 0.1, 100_000_000n],
    ['a number that JavaScript writes with an exponent', 1e-7, 100n],
    ['a whole number', 3, 3_000_000_000n],
    ['a negative amount', '-2.5', -2_500_000_000n],
    ['the most that 64 bits hold', '9223372036.854775807', 2n ** 63n - 1n],
  ])('takes %s', (_, value, nanoUsd) => {
    expect(parseAmount(value)).toBe(nanoUsd);
  });

  it.each([
    ['ten decimals', '0.0000000001'],
    ['a number of ten decimals', 0.1234567891],
    ['an exponent', '1e-3'],
    ['a comma', '1,5'],
    ['a sign', '$1'],
    ['more than 64 bits hold', '9223372036.854775808'],
    ['a number beyond all bounds', 1e30],
    ['no number', Number.NaN],
    ['nothing', ''],
    ['a boolean', true],
  ])('refuses %s', (_, value) => {
    expect(parseAmount(value)).toBeUndefined();
  });
});

describe('BigInt', () => {
  it.each([
    ['a string', '9223372036854775807', 2n ** 63n - 1n],
    ['a number', 42, 42n],
    ['a negative one', '-9223372036854775808', -(2n ** 63n)],
  ])('takes %s', (_, value, integer) => {
    expect(parseBigInt(value)).toBe(integer);
  });

  it.each([
    ['65 bits', '9223372036854775808'],
    ['a number that has lost digits', 2 ** 53],
    ['a fraction', 1.5],
    ['hexadecimal', '0x10'],
    ['nothing', ''],
  ])('refuses %s', (_, value) => {
    expect(parseBigInt(value)).toBeUndefined();
  });
});

describe('in queries', () => {
  let world: World;
  beforeAll(async () => {
    world = await aSmallWorld();
  });
  afterAll(() => world.close());

  it('shows instants in UTC with milliseconds, dollars as plain decimals, and token counts as strings', async () => {
    const createdAt = new Date('2026-03-01T10:20:30+09:00');
    const figures = { createdAt, inputTokens: 3_000_000_000n, costNanoUsd: 120n };
    const { id } = await aSwarm(world.prisma, { ...world.ours, ...figures });

    const { swarm } = await world.ask(
      'query ($id: ID!) { swarm(id: $id) { createdAt usage { input } cost { totalUsd } } }',
      {
        id,
      },
    );

    expect(swarm).toEqual({
      createdAt: '2026-03-01T01:20:30.000Z',
      usage: { input: '3000000000' },
      cost: { totalUsd: '0.00000012' },
    });
  });

  const launch = (budgetUsd: string) =>
    `mutation { launchSwarm(input: { plan: { agents: [] }, budgetUsd: ${budgetUsd} }) { __typename } }`;

  it.each([
    ['a literal instant', '{ swarms(filter: { createdAt: { from: "2026-03-01" } }) { totalCount } }', {}],
    ['an instant that is no string', '{ swarms(filter: { createdAt: { from: 2026 } }) { totalCount } }', {}],
    [
      'an instant in a variable',
      'query ($from: DateTime) { swarms(filter: { createdAt: { from: $from } }) { totalCount } }',
      { from: 'now' },
    ],
    ['a literal amount', launch('"1.2.3"'), {}],
    ['a literal number of ten decimals', launch('0.1234567891'), {}],
    ['an amount that is none', launch('true'), {}],
    [
      'an amount in a variable',
      'mutation ($usd: Usd) { launchSwarm(input: { plan: { agents: [] }, budgetUsd: $usd }) { __typename } }',
      { usd: [1] },
    ],
  ])('answers INVALID_INPUT to %s that cannot be read, and says how to write it', async (_, query, variables) => {
    const error = await world.refusal(query, variables);

    expect(error.extensions['code']).toBe('INVALID_INPUT');
    expect(error.message).toMatch(/cannot be .*; write /);
  });
});
