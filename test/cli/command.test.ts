import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { followSwarm } from '../../src/cli/follow-swarm.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/start-sandbox.ts';
import { ask, launchOver } from '../support/graphql-client.ts';
import { aDataDir, cleanUpServers, type ServerProcess, startServerProcess } from '../support/server-process.ts';

let dataDir: string;
let sandbox: Sandbox;
let server: ServerProcess;

beforeAll(async () => {
  sandbox = await startSandbox({ faults: [{ promptIncludes: 'refuse', status: 400 }] });
  dataDir = await aDataDir();
  server = await startServerProcess({ dataDir, gatewayUrl: sandbox.url });
});

afterAll(async () => {
  server.kill('SIGTERM');
  await server.exited;
  await cleanUpServers([dataDir]);
  await sandbox.close();
});

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function waggle(...args: string[]): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['scripts/waggle.mjs', ...args], {
      // biome-ignore lint/style/noProcessEnv: what a program needs to run at all.
      env: { PATH: String(process.env['PATH']), WAGGLE_DATA_DIR: dataDir, WAGGLE_URL: server.url },
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (data) => (out += String(data)));
    child.stderr.on('data', (data) => (err += String(data)));
    child.once('exit', (code) => resolve({ code, out, err }));
  });
}

async function aFile(name: string, input: object): Promise<string> {
  const file = path.join(dataDir, name);
  await writeFile(file, JSON.stringify(input));
  return file;
}

const agents = (...prompts: string[]) => ({ plan: { agents: prompts.map((prompt) => ({ prompt })) } });

describe('the command', () => {
  it('launches a file, watches it, and prints answer, table and cost', async () => {
    const { code, out } = await waggle(
      'launch',
      await aFile('good.json', { input: agents('one', 'two') }),
      '--name',
      'mine',
    );

    expect(code).toBe(0);
    expect(out).toMatch(/^swarm_/);
    expect(out).toContain('## agent-1');
    expect(out).toContain('openai/gpt-4.1');
    expect(out).toMatch(/total \$0\.\d+/);
  });

  it.each([
    ['PARTIAL', ['one', 'refuse'], 0.5, 3],
    ['FAILED', ['one', 'refuse'], 1, 4],
  ])('ends with its own code when the swarm is %s', async (status, prompts, minSuccess, expected) => {
    const { code, out } = await waggle(
      'launch',
      await aFile('other.json', { ...agents(...prompts), minSuccess }),
      '--json',
    );

    expect(code).toBe(expected);
    expect(JSON.parse(out)).toMatchObject({ status });
  });

  it('runs a GraphQL document with its variables', async () => {
    const { code, out } = await waggle(
      'launch',
      'examples/launch.graphql',
      '--variables',
      'examples/launch.variables.json',
      '--json',
    );

    expect(code).toBe(0);
    expect(JSON.parse(out).result).toContain('## item-3');
  });

  it('cancels, and says so by its code', async () => {
    sandbox.configure({ latency: 600_000 });
    const { out } = await waggle('launch', await aFile('slow.json', agents('one')), '--no-watch');
    const id = out.trim();

    expect(await waggle('cancel', id, '--reason', 'enough', '--json')).toMatchObject({
      code: 0,
      out: `{"id":"${id}","status":"CANCELED"}\n`,
    });
    expect(await waggle('result', id)).toMatchObject({ code: 5 });
    expect(await waggle('watch', id, '--json')).toMatchObject({ code: 5 });
    sandbox.configure({ latency: undefined });
  });

  it('names every problem of an input with its path', async () => {
    const { code, err } = await waggle('launch', await aFile('bad.json', agents('one', ' ')), '--budget=-1');

    expect(code).toBe(2);
    expect(err).toContain('input.budgetUsd: ');
    expect(err).toContain('input.plan.agents.1.prompt: ');
  });

  it('says how to help itself without a server, a key, a swarm or a file', async () => {
    const answers = await Promise.all([
      waggle('result', 'swarm_x', '--url', 'http://127.0.0.1:9/graphql'),
      waggle('result', 'swarm_x', '--key', 'wgl_wrong'),
      waggle('result', 'swarm_x'),
      waggle('launch', 'no-such-file.json'),
    ]);

    expect(answers.map((answer) => answer.code)).toEqual([1, 1, 1, 2]);
    expect(answers.map((answer) => answer.err)).toEqual([
      expect.stringContaining('npm start'),
      expect.stringContaining('key'),
      expect.stringContaining('There is no swarm'),
      expect.stringContaining('cannot be read'),
    ]);
  });
});

/** Passes bytes on, and cuts every connection after a few kilobytes, each time at another place. */
async function aCuttingProxy(target: URL, cuts: number): Promise<{ url: string; server: Server; made: () => number }> {
  let made = 0;
  const proxy = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const end = (socket: Socket) => () => socket.destroy();
    client.on('error', end(upstream)).on('close', end(upstream)).pipe(upstream);
    upstream.on('error', end(client)).on('close', end(client));
    let left = made < cuts ? 700 + ((made * 977) % 3_000) : Number.POSITIVE_INFINITY;
    made += 1;
    upstream.on('data', (data) => {
      client.write(data.subarray(0, left));
      left -= data.length;
      if (left <= 0) upstream.destroy();
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { url: `http://127.0.0.1:${port}/graphql`, server: proxy, made: () => made };
}

it('following through a line that is cut fifteen times gives 1, 2, 3 … last', async () => {
  const id = await launchOver(server, agents(...Array.from({ length: 100 }, (_, index) => `Do ${index}.`)));
  const proxy = await aCuttingProxy(new URL(server.url), 15);
  const seen: number[] = [];
  for await (const batch of followSwarm({ url: proxy.url, key: server.key }, id, { maxPauseMs: 1 })) {
    seen.push(...batch.events.map((event) => event.sequence));
  }

  const { data } = await ask(
    server,
    'query ($id: ID!) { swarm(id: $id) { events(first: 1000) { nodes { sequence } } } }',
    { id },
  );
  expect(seen).toEqual(data.swarm.events.nodes.map((event: { sequence: number }) => event.sequence));
  expect(proxy.made()).toBeGreaterThan(1);
  proxy.server.close();
});
