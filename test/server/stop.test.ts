import { connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/start-sandbox.ts';
import { ask, launchOver, subscribeBySse, subscribeByWs, WATCH } from '../support/graphql-client.ts';
import { aDataDir, cleanUpServers, type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { until } from '../support/waggle.ts';

const dataDirs: string[] = [];
const KEY = 'sk-marked-gateway-secret-4711-4711';

afterEach(() => cleanUpServers(dataDirs.splice(0)));

async function aServer(gatewayUrl: string, env = {}): Promise<ServerProcess> {
  const dataDir = await aDataDir();
  dataDirs.push(dataDir);
  return startServerProcess({ dataDir, gatewayUrl, env });
}

const agents = (count: number) => ({
  agents: Array.from({ length: count }, (_, index) => ({ prompt: `Do ${index}.` })),
});

it('SIGTERM with open streams and a client that never reads ends them without complete, writes all, and exits 0', async () => {
  const sandbox = await startSandbox({ latency: (facts) => ((facts.agentIndex ?? 0) < 30 ? 5 : 600_000) });
  const server = await aServer(sandbox.url);
  const id = await launchOver(server, { plan: agents(40), concurrency: 40 });
  const seen: number[][] = [[], []];
  const watching = [subscribeBySse, subscribeByWs].map(async (subscribe, index) => {
    for await (const { data } of subscribe(server, WATCH, { id })) {
      seen[index]?.push(...data.swarmEvents.events.map((event: { sequence: number }) => event.sequence));
    }
    return 'completed';
  });
  const ends = watching.map((stream) => stream.catch(() => 'cut'));
  const { hostname, port } = new URL(server.url);
  const deaf = connect(Number(port), hostname).on('error', () => undefined);
  deaf.pause();
  const body = JSON.stringify({ query: WATCH, variables: { id } });
  deaf.write(
    `POST /graphql HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.key}\r\naccept: text/event-stream\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  await until(async () => {
    const { data } = await ask(server, 'query ($id: ID!) { swarm(id: $id) { progress { succeeded } } }', { id });
    return data.swarm.progress.succeeded === 30 && seen.every((sequences) => sequences.length > 0);
  });

  server.kill('SIGTERM');

  expect(await server.exited).toBe(0);
  expect(await Promise.all(ends)).toEqual(['cut', 'cut']);
  for (const sequences of seen) expect(sequences).toEqual(sequences.map((_, index) => index + 1));
  expect(sandbox.counters().inFlight).toBe(0);
  deaf.destroy();
  await sandbox.close();
});

it('no answer that quotes a key brings it into a row, an event, a response or a log line', async () => {
  const sandbox = await startSandbox({
    apiKey: KEY,
    faults: [
      { agentIndex: 0, fault: 'echo_key' },
      { agentIndex: 1, status: 400, message: `The key ${KEY} in https://x/?key=${KEY} is not good.` },
      { agentIndex: 2, status: 500, message: `Bearer ${KEY}` },
      { agentIndex: 3, fault: 'html' },
      { agentIndex: 4, fault: 'error_in_stream', message: KEY },
    ],
  });
  const server = await aServer(sandbox.url, { GATEWAY_API_KEY: KEY, LOG_LEVEL: 'trace' });
  const id = await launchOver(server, {
    plan: { agents: agents(6).agents.map((agent) => ({ ...agent, maxAttempts: 2 })) },
  });
  const said: unknown[] = [];
  for await (const batch of subscribeBySse(server, WATCH, { id })) said.push(batch);
  const all = `query ($id: ID!) { swarm(id: $id) { failure { message } agents { nodes { output failure { message } attempts { failure { message } upstreamId } } } } }`;
  said.push(await ask(server, all, { id }));
  said.push(await ask({ ...server, key: `${server.key}x` }, '{ viewer { role } }'));
  server.kill('SIGTERM');
  await server.exited;

  expect(sandbox.counters().arrivals).toBeGreaterThan(6);
  expect(JSON.stringify(said)).not.toContain(KEY);
  expect(server.output()).not.toContain(KEY);
  // The link to GraphiQL is the one place that shows the admin's key.
  expect(
    server
      .output()
      .split('\n')
      .filter((line) => line.includes(server.key)),
  ).toHaveLength(1);
  await sandbox.close();
});
