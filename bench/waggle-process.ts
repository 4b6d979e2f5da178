import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Agent, request } from 'undici';
import type { ProcessUsage } from './answer-questions.ts';
import type { BenchDatabase } from './bench-database.ts';
import { type Child, startChild } from './children.ts';
import { MODEL, promptOf } from './prompt.ts';
import { type Batch, type Subscription, subscribe } from './subscriber.ts';

const LAUNCH = `mutation ($input: LaunchSwarmInput!) {
  launchSwarm(input: $input) { __typename ... on LaunchSwarmSuccess { swarm { id } } ... on Error { message } }
}`;
const CANCEL = `mutation ($id: ID!) { cancelSwarm(input: { id: $id }) { __typename } }`;

export interface LaunchPlan {
  readonly agents: number;
  readonly concurrency: number;
  readonly fusion: string;
  /** `agents`: each with a prompt of its own. `template`: one prompt, and a list of items. */
  readonly form: 'agents' | 'template';
}

export interface Launched {
  readonly id: string;
  /** From the first byte of the request to the last one of the answer. */
  readonly launchMs: number;
  /** `performance.now()` at that last byte. */
  readonly answeredAt: number;
}

/** The server as an operator runs it, with a probe inside. */
export interface WaggleProcess {
  launch(plan: LaunchPlan): Promise<Launched>;
  cancel(id: string): Promise<void>;
  watch(id: string, onBatch?: (batch: Batch) => void): Subscription;
  usage(): Promise<ProcessUsage>;
  readonly probe: Child;
  end(): Promise<void>;
}

function planOf({ agents, form }: LaunchPlan): object {
  const indexes = Array.from({ length: agents }, (_, index) => index);
  if (form === 'agents') return { agents: indexes.map((index) => ({ prompt: promptOf(index), model: MODEL })) };
  return { template: { prompt: '{{item}}', model: MODEL, items: indexes.map(promptOf) } };
}

interface LaunchAnswer {
  readonly data?: { readonly launchSwarm: { readonly swarm?: { readonly id: string } } };
}

export async function startWaggleProcess(database: BenchDatabase, gatewayUrl: string): Promise<WaggleProcess> {
  const folder = await mkdtemp(path.join(tmpdir(), 'waggle-bench-'));
  const child = await startChild('server', ['--import', 'tsx', '--import', './bench/probe.ts', 'src/server.ts'], {
    PORT: '0',
    WAGGLE_DATA_DIR: folder,
    DATABASE_URL: database.url ?? '',
    GATEWAY_BASE_URL: gatewayUrl,
    LOG_LEVEL: 'warn',
  }).catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  const { url, adminKeyFile } = child.greeting as { url: string; adminKeyFile: string };
  const key = (await readFile(adminKeyFile, 'utf8')).trim();
  const dispatcher = new Agent({ connections: null, pipelining: 1, bodyTimeout: 0, headersTimeout: 120_000 });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'application/json' };
  const post = async (body: string) => (await request(url, { method: 'POST', headers, body, dispatcher })).body.text();
  return {
    async launch(plan) {
      const { concurrency, fusion } = plan;
      const input = { plan: planOf(plan), concurrency, fusion: { strategy: fusion } };
      const body = JSON.stringify({ query: LAUNCH, variables: { input } });
      const startedAt = performance.now();
      const text = await post(body);
      const answeredAt = performance.now();
      const id = (JSON.parse(text) as LaunchAnswer).data?.launchSwarm.swarm?.id;
      if (id === undefined) throw new Error(`The launch was refused: ${text.slice(0, 1_000)}`);
      return { id, launchMs: answeredAt - startedAt, answeredAt };
    },
    async cancel(id) {
      await post(JSON.stringify({ query: CANCEL, variables: { id } }));
    },
    watch: (id, onBatch) => subscribe({ dispatcher, url, key }, id, onBatch),
    usage: () => child.ask<ProcessUsage>('usage'),
    probe: child,
    async end() {
      await dispatcher.destroy();
      await child.end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
