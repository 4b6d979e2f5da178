import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/start-sandbox.ts';
import type { SwarmEvent } from '../../src/swarm/domain/event.ts';
import type { LaunchInput } from '../../src/swarm/domain/launch-input.ts';
import type { Caller } from '../../src/swarm/engine/caller.ts';
import { createEngine, type RunningEngine } from '../../src/swarm/engine/create-engine.ts';
import type { EventBatch } from '../../src/swarm/engine/follow.ts';
import { createGateway } from '../../src/swarm/gateway/gateway.ts';
import type { Prisma } from '../../src/swarm/store/database.ts';
import { ensureAdminKey } from '../../src/swarm/store/ensure-admin-key.ts';
import type { Agent, Attempt, Swarm } from '../../src/swarm/store/generated/client.ts';
import type { TestDatabase } from './databases.ts';

/** What is logged during a test: nothing of it goes to the console. */
export class MemoryLog {
  readonly lines: { level: string; fields: object; message: string }[] = [];
  readonly debug = (fields: object, message: string) => this.#add('debug', fields, message);
  readonly info = (fields: object, message: string) => this.#add('info', fields, message);
  readonly warn = (fields: object, message: string) => this.#add('warn', fields, message);
  readonly error = (fields: object, message: string) => this.#add('error', fields, message);

  #add(level: string, fields: object, message: string): void {
    this.lines.push({ level, fields, message });
  }
}

/** An engine on a database and a sandbox of its own, as the server composes them. */
export interface Waggle {
  readonly engine: RunningEngine;
  readonly sandbox: Sandbox;
  readonly prisma: Prisma;
  readonly caller: Caller;
  readonly log: MemoryLog;
  /** Stops the engine and starts another one on the same database: a restart. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface WaggleOptions {
  readonly sandbox?: SandboxOptions;
  readonly apiKey?: string;
  readonly isStreaming?: boolean;
  readonly clock?: () => Date;
  readonly random?: () => number;
}

export async function aWaggle(test: TestDatabase, options: WaggleOptions = {}): Promise<Waggle> {
  const { prisma } = test.database;
  const sandbox = await startSandbox(options.sandbox ?? {});
  const log = new MemoryLog();
  const folder = await mkdtemp(path.join(tmpdir(), 'waggle-key-'));
  await ensureAdminKey(prisma, folder, undefined, new Date());
  await rm(folder, { recursive: true });
  const key = await prisma.apiKey.findFirstOrThrow();
  const { isStreaming = true, clock = () => new Date(), random = () => 0 } = options;
  const gateway = createGateway({
    name: 'test',
    userAgent: 'waggle/test',
    baseUrl: sandbox.url,
    apiKey: options.apiKey,
    isStreaming,
  });
  const start = () => createEngine({ database: test.database, gateway, log, clock, random });
  let engine = start();
  return {
    get engine() {
      return engine;
    },
    ...{ sandbox, prisma, log },
    caller: { apiKeyId: key.id, tenantId: null, role: 'ADMIN' },
    async restart() {
      await engine.stop();
      engine = start();
    },
    async close() {
      await engine.stop();
      await gateway.close();
      await sandbox.close();
    },
  };
}

export type SwarmWords = Partial<LaunchInput> & Pick<LaunchInput, 'plan'>;

/** A launch with the API's defaults. */
export function aLaunch(words: SwarmWords): LaunchInput {
  return { onBudget: 'FUSE_PARTIAL', minSuccess: 1, allowUnpriced: false, fusion: { strategy: 'NONE' }, ...words };
}

/** `count` agents with the prompts "Do 0.", "Do 1." … or what `of` says. */
export function agents(count: number, of: (index: number) => object = () => ({})): LaunchInput['plan'] {
  return { agents: Array.from({ length: count }, (_, index) => ({ prompt: `Do ${index}.`, ...of(index) })) };
}

/** Launches and expects it to be taken. Returns the swarm's id. */
export async function launch(waggle: Waggle, words: SwarmWords): Promise<string> {
  const result = await waggle.engine.launch(aLaunch(words), waggle.caller);
  expect(result).toMatchObject({ kind: 'launched' });
  return result.kind === 'launched' ? result.swarmId : '';
}

export interface Followed {
  readonly events: readonly SwarmEvent[];
  readonly batches: readonly EventBatch[];
  readonly last: EventBatch | undefined;
}

/** Follows a swarm to its last event, or until `until` says so of a batch. */
export async function collect(
  waggle: Waggle,
  swarmId: string,
  after = 0,
  until: (batch: EventBatch) => boolean = () => false,
): Promise<Followed> {
  const batches: EventBatch[] = [];
  const options = { heartbeatMs: 60_000, minIntervalMs: 0 };
  for await (const batch of waggle.engine.follow(swarmId, after, options, new AbortController().signal)) {
    batches.push(batch);
    if (until(batch)) break;
  }
  return { events: batches.flatMap((batch) => batch.events), batches, last: batches.at(-1) };
}

/** Resolves when the fact has come about; the test's time limit is the only other end. */
export async function until(fact: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await fact())) await new Promise((resolve) => setTimeout(resolve, 5));
}

export interface Stored {
  readonly swarm: Swarm;
  readonly agents: readonly Agent[];
  readonly attempts: readonly Attempt[];
}

export async function stored(waggle: Pick<Waggle, 'prisma'>, swarmId: string): Promise<Stored> {
  const { prisma } = waggle;
  return {
    swarm: await prisma.swarm.findUniqueOrThrow({ where: { id: swarmId } }),
    agents: await prisma.agent.findMany({ where: { swarmId }, orderBy: { index: 'asc' } }),
    attempts: await prisma.attempt.findMany({
      where: { swarmId },
      orderBy: [{ agentIndex: 'asc' }, { number: 'asc' }],
    }),
  };
}
