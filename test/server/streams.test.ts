import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/start-sandbox.ts';
import {
  ask,
  endOf,
  launchOver,
  type Subscribe,
  subscribeBySse,
  subscribeByWs,
  WATCH,
} from '../support/graphql-client.ts';
import { aDataDir, cleanUpServers, type ServerProcess, startServerProcess } from '../support/server-process.ts';

let dataDir: string;
let sandbox: Sandbox;
let server: ServerProcess;

beforeAll(async () => {
  sandbox = await startSandbox({ latency: { medianMs: 20, sigma: 0.5 } });
  dataDir = await aDataDir();
  server = await startServerProcess({ dataDir, gatewayUrl: sandbox.url });
});

afterAll(async () => {
  server.kill('SIGTERM');
  await server.exited;
  await cleanUpServers([dataDir]);
  await sandbox.close();
});

const agents = (count: number) => ({
  agents: Array.from({ length: count }, (_, index) => ({ prompt: `Do ${index}.` })),
});
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe.each([
  ['SSE', subscribeBySse],
  ['WebSocket', subscribeByWs],
] as const)('a subscriber over %s', (_, subscribe: Subscribe) => {
  it('that is cut fifty times and resumes with its cursor sees 1, 2, 3 … last', async () => {
    const id = await launchOver(server, { plan: agents(200), concurrency: 20, fusion: { strategy: 'NONE' } });
    const seen: number[] = [];
    let after: string | undefined;
    let status = 'QUEUED';
    for (let cuts = 0; status !== 'SUCCEEDED'; cuts += 1) {
      // Another length each time; after fifty cuts it may read to the end.
      let left = cuts < 50 ? cuts % 3 : Number.POSITIVE_INFINITY;
      for await (const { data, errors } of subscribe(server, WATCH, { id, after })) {
        expect(errors).toBeUndefined();
        const batch = data.swarmEvents;
        seen.push(...batch.events.map((event: { sequence: number }) => event.sequence));
        after = batch.cursor;
        status = batch.status;
        left -= 1;
        if (left < 0) break;
      }
    }

    const { data } = await ask(
      server,
      'query ($id: ID!) { swarm(id: $id) { latestEventCursor events(first: 1000) { nodes { sequence } } } }',
      { id },
    );
    expect(seen).toEqual(upTo(data.swarm.events.nodes.length));
    expect(after).toBe(data.swarm.latestEventCursor);
  });

  it('that comes after the end gets everything and a clean end', async () => {
    const id = await launchOver(server, { plan: agents(30), fusion: { strategy: 'NONE' } });
    await endOf(server, id);

    const seen: number[] = [];
    for await (const { data } of subscribe(server, WATCH, { id })) {
      seen.push(...data.swarmEvents.events.map((event: { sequence: number }) => event.sequence));
    }

    expect(seen).toEqual(upTo(63));
  });

  it("is told by a code when there is no such swarm, or the cursor is another one's", async () => {
    const id = await launchOver(server, { plan: agents(1), fusion: { strategy: 'NONE' } });
    const first = async (variables: Record<string, unknown>) => {
      for await (const result of subscribe(server, WATCH, variables)) return result.errors?.[0]?.extensions?.['code'];
    };

    // graphql-ws throws the errors of an operation that cannot begin.
    const code = (variables: Record<string, unknown>) => first(variables).catch((errors) => errors[0].extensions.code);

    expect(await code({ id: 'swarm_00000000000000000000000000' })).toBe('NOT_FOUND');
    expect(await code({ id, after: 'bm9wZQ' })).toBe('INVALID_INPUT');
  });
});
