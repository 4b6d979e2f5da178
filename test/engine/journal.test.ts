import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases, type TestDatabase } from '../support/databases.ts';
import { expectSound } from '../support/invariants.ts';
import { agents, aWaggle, collect, launch, stored, until, type Waggle } from '../support/waggle.ts';

/** Makes the database refuse an agent's answer, as a constraint or a trigger of an operator would. */
const REFUSE_AGENT_5 = `
  CREATE FUNCTION refuse() RETURNS trigger AS $$
  BEGIN
    IF NEW.index = 5 AND NEW.output IS NOT NULL THEN RAISE EXCEPTION 'no room for agent 5'; END IF;
    RETURN NEW;
  END $$ LANGUAGE plpgsql`;

describe.each(databases)('the journal on $name', ({ open }) => {
  let test: TestDatabase;
  let waggle: Waggle;

  beforeEach(async () => {
    test = await open();
    waggle = await aWaggle(test);
  });

  afterEach(async () => {
    await waggle.close();
    await test.drop();
  });

  it('loses none of 13 answers but the one that the database refuses', async () => {
    await waggle.prisma.$executeRawUnsafe(REFUSE_AGENT_5);
    await waggle.prisma.$executeRawUnsafe(
      'CREATE TRIGGER refuse BEFORE UPDATE ON "Agent" FOR EACH ROW EXECUTE FUNCTION refuse()',
    );
    const swarmId = await launch(waggle, { plan: agents(13), minSuccess: 0.9, fusion: { strategy: 'CONCAT' } });
    await collect(waggle, swarmId);

    const { swarm, agents: rows } = await stored(waggle, swarmId);

    expect(swarm).toMatchObject({ status: 'PARTIAL', succeeded: 12, failed: 1, fusionMissing: [5] });
    expect(rows.map((agent) => agent.status === 'SUCCEEDED')).toEqual(rows.map((agent) => agent.index !== 5));
    expect(rows[5]).toMatchObject({ status: 'FAILED', failureCode: 'NOT_STORED' });
    await expectSound(waggle, swarmId);
  });

  it('writes nothing of a swarm that another process has claimed, and closes its requests', async () => {
    waggle.sandbox.configure({ latency: 600_000 });
    const swarmId = await launch(waggle, { plan: agents(4) });
    await until(() => waggle.sandbox.counters().inFlight === 4);
    await collect(waggle, swarmId, 0, (batch) => batch.progress.running === 4);

    await waggle.prisma.swarm.update({ where: { id: swarmId }, data: { epoch: { increment: 1 } } });
    const before = await stored(waggle, swarmId);
    await waggle.engine.cancelSwarm(swarmId, 'not mine any more', waggle.caller);

    await until(() => waggle.sandbox.counters().hangUps === 4);
    expect(await stored(waggle, swarmId)).toEqual(before);
  });

  it('recognises a commit whose acknowledgement was lost, and does not apply it twice', async () => {
    let lost = 0;
    const { driver } = test.database;
    const original = driver.queryRaw.bind(driver);
    // The connection breaks right after the database has committed: each third time.
    driver.queryRaw = async (query) => {
      const result = await original(query);
      if (!query.sql.includes('accepted')) return result;
      lost += 1;
      if (lost % 3 === 1) throw new Error('Connection terminated unexpectedly');
      return result;
    };
    waggle.sandbox.configure({ latency: { medianMs: 20, sigma: 0.5 } });
    const swarmId = await launch(waggle, { plan: agents(60), concurrency: 10 });
    await collect(waggle, swarmId);
    driver.queryRaw = original;

    expect(lost).toBeGreaterThan(3);
    await expectSound(waggle, swarmId);
  });
});
