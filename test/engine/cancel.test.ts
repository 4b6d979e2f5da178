import { expect, it } from 'vitest';
import { databases } from '../support/databases.ts';
import { expectSound } from '../support/invariants.ts';
import { agents, aWaggle, launch, until } from '../support/waggle.ts';

it.each(databases)('a cancel of 10,000 agents ends them all on $name', async ({ open }) => {
  const test = await open();
  const waggle = await aWaggle(test, { sandbox: { latency: 600_000 } });
  const swarmId = await launch(waggle, { plan: agents(10_000), concurrency: 300 });
  await until(() => waggle.sandbox.counters().inFlight === 300);

  expect(await waggle.engine.cancelSwarm(swarmId, undefined, waggle.caller)).toEqual({ kind: 'changed', swarmId });

  await expectSound(waggle, swarmId);
  await waggle.close();
  await test.drop();
});

it.each(databases)('a cancel at any moment after the launch ends the swarm on $name', async ({ open }) => {
  const test = await open();
  const waggle = await aWaggle(test, { sandbox: { latency: 2, faults: [{ probability: 0.3, status: 500 }] } });
  const turns = (count: number) =>
    new Promise<void>((resolve) => (count === 0 ? resolve() : setImmediate(() => turns(count - 1).then(resolve))));

  for (let count = 0; count < 120; count += 3) {
    const swarmId = await launch(waggle, { plan: agents(40), concurrency: 20 });
    await turns(count);
    await waggle.engine.cancelSwarm(swarmId, undefined, waggle.caller);
    await expectSound(waggle, swarmId);
  }

  await waggle.close();
  await test.drop();
});
