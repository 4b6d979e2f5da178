import { afterEach, describe, expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/start-sandbox.ts';
import { openPglite } from '../../src/swarm/store/pglite.ts';
import { databases } from '../support/databases.ts';
import { ask, endOf, launchOver } from '../support/graphql-client.ts';
import { expectSound } from '../support/invariants.ts';
import { aDataDir, cleanUpServers, startServerProcess } from '../support/server-process.ts';
import { until } from '../support/waggle.ts';

const dataDirs: string[] = [];

afterEach(() => cleanUpServers(dataDirs.splice(0)));

describe.each(databases)('a server on $name that is killed in the middle of 300 agents', ({ name, open }) => {
  it('ends every agent once after its restart, and asks none again that had ended', async () => {
    const test = name === 'Postgres' ? await open() : undefined;
    const sandbox = await startSandbox({ latency: (facts) => ((facts.agentIndex ?? 0) < 100 ? 5 : 600_000) });
    const dataDir = await aDataDir();
    dataDirs.push(dataDir);
    const options = { dataDir, databaseUrl: test?.url, gatewayUrl: sandbox.url };
    const first = await startServerProcess(options);
    const agents = Array.from({ length: 300 }, (_, index) => ({ prompt: `Do ${index}.` }));
    const input = { plan: { agents }, concurrency: 50, fusion: { strategy: 'CONCAT' } };
    const id = await launchOver(first, input);
    // All of it is committed: a hundred have been answered, fifty are open.
    await until(async () => {
      const { data } = await ask(first, 'query ($id: ID!) { swarm(id: $id) { progress { succeeded running } } }', {
        id,
      });
      return data.swarm.progress.succeeded === 100 && data.swarm.progress.running === 50;
    });

    first.kill('SIGKILL');
    await first.exited;
    sandbox.configure({ latency: 0 });
    const second = await startServerProcess(options);
    expect(second.key).toBe(first.key);
    expect(await endOf(second, id)).toBe('SUCCEEDED');
    second.kill('SIGTERM');
    expect(await second.exited).toBe(0);

    const database = test?.database ?? (await openPglite(`${dataDir}/pglite`));
    const attempts = await database.prisma.attempt.findMany({ where: { swarmId: id } });
    const answered = attempts.filter((attempt) => attempt.status === 'SUCCEEDED');
    const lost = attempts.filter((attempt) => attempt.status === 'LOST');
    expect(answered).toHaveLength(300);
    expect(lost).toHaveLength(50);
    expect(lost.every((attempt) => attempt.costSource === 'ESTIMATED' && attempt.isWasted)).toBe(true);
    expect(sandbox.counters().answeredByStatus[200]).toBe(300);
    await expectSound({ prisma: database.prisma }, id);

    if (test === undefined) await database.close();
    await sandbox.close();
    await test?.drop();
  });
});
