import { afterAll, beforeAll, expect, it } from 'vitest';
import { dollars } from './support/rows.ts';
import { aSmallWorld, type World } from './support/world.ts';

let world: World;
beforeAll(async () => {
  world = await aSmallWorld();
});
afterAll(() => world.close());

it('shows the routing rules by position', async () => {
  const { routingRules } = await world.ask('{ routingRules { id name position isEnabled taskTypes roles models } }');

  expect(routingRules.map((rule: { name: string }) => rule.name)).toEqual([
    'collect',
    'analyze',
    'generate',
    'default',
  ]);
  expect(routingRules[3]).toMatchObject({ taskTypes: [], roles: [], models: ['openai/gpt-4.1', 'kimi-k2-0711'] });
});

it('shows models with the price in force, and all prices from the newest on', async () => {
  const { id } = await world.prisma.model.findUniqueOrThrow({ where: { name: 'openai/gpt-4.1' } });
  const price = (validFrom: Date, usd: number) => ({
    ...{ modelId: id, validFrom },
    ...{ inputNanoUsd: dollars(usd), cachedInputNanoUsd: 0n, outputNanoUsd: 0n },
  });
  const since = new Date('2020-01-01T00:00:00Z');
  const from = new Date('2999-01-01T00:00:00Z');
  await world.prisma.modelPrice.createMany({ data: [price(from, 9), price(since, 5)] });

  const { models } = await world.ask('{ models { name gateway price { inputUsd } prices { validFrom inputUsd } } }');

  const model = models.find(({ name }: { name: string }) => name === 'openai/gpt-4.1');
  expect(model.price.inputUsd).toBe('5');
  expect(model.prices.map(({ inputUsd }: { inputUsd: string }) => inputUsd)).toEqual(['9', '5', '2']);
});

it('shows who asks', async () => {
  const query = '{ viewer { role apiKey { id name prefix role tenant { id } } tenant { id name timeZone } } }';
  const { tenant, key } = world;

  expect((await world.ask(query, {}, world.member)).viewer).toEqual({
    role: 'MEMBER',
    apiKey: { id: key.id, name: key.name, prefix: key.prefix, role: 'MEMBER', tenant: { id: tenant.id } },
    tenant: { id: tenant.id, name: tenant.name, timeZone: 'UTC' },
  });
  expect((await world.ask(query)).viewer).toMatchObject({ role: 'ADMIN', apiKey: { tenant: null }, tenant: null });
});

it('does not even read the hash of a secret', async () => {
  const statements = await world.statementsOf(() => world.ask('{ viewer { apiKey { id name prefix createdAt } } }'));

  expect(statements.join('\n')).not.toContain('secretHash');
});
