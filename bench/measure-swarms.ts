import path from 'node:path';
import type { ContenderResult, ContenderRun } from './contender.ts';
import { latenciesMs } from './gateway-load.ts';
import { batchMakespanMs, makespanMs } from './oracle.ts';
import { say } from './say.ts';
import { loadOf, type Stage, withServer } from './stage.ts';
import type { LaunchPlan, WaggleProcess } from './waggle-process.ts';

export const BATCH_SIZE = 50;
const WARM_UP_AGENTS = 600;

export interface WaggleRun extends ContenderResult {
  readonly launchMs: number;
  readonly events: number;
  readonly frames: number;
  readonly peakInFlight: number;
}

/** One size of swarm at one latency. */
export interface SwarmCell {
  readonly agents: number;
  readonly latencyMs: number;
  /** Undefined without latency: then there is nothing to wait for. */
  readonly oracleMs: number | undefined;
  readonly waggle: readonly WaggleRun[];
  readonly bare: readonly ContenderResult[];
  /** Empty when they would have taken too long. */
  readonly batches: readonly ContenderResult[];
  readonly computedBatchesMs: number;
}

/** One swarm from its launch to its end, with one subscriber. */
async function runWaggle(waggle: WaggleProcess, stage: Stage, plan: LaunchPlan): Promise<WaggleRun> {
  await stage.sandbox.reset();
  const before = await waggle.usage();
  const { id, launchMs, answeredAt } = await waggle.launch(plan);
  const { endedAt, status, succeeded, events, frames } = await waggle.watch(id).done;
  const after = await waggle.usage();
  const { arrivals, peakInFlight } = await stage.sandbox.arrivals();
  if (status !== 'SUCCEEDED' || succeeded !== plan.agents || arrivals !== plan.agents) {
    throw new Error(
      `${succeeded} of ${plan.agents} agents succeeded with ${arrivals} requests; the swarm is ${status}.`,
    );
  }
  const cpuMs = after.cpuMs - before.cpuMs;
  return { wallMs: endedAt - answeredAt, cpuMs, peakBytes: after.peakBytes, launchMs, events, frames, peakInFlight };
}

async function profile(waggle: WaggleProcess, stage: Stage, plan: LaunchPlan, latencyMs: number): Promise<void> {
  const { profile: folder } = stage.options;
  if (folder === undefined) return;
  const file = path.resolve(folder, `${stage.database.kind}-${plan.agents}x${latencyMs}.cpuprofile`);
  say(`  one more run for the profile ${file} …`);
  await waggle.probe.ask('startProfile');
  await runWaggle(waggle, stage, plan);
  await waggle.probe.ask('writeProfile', file);
}

async function measureCell(stage: Stage, agents: number, latencyMs: number): Promise<SwarmCell> {
  const { options, sandbox, contender } = stage;
  const { concurrency, runs, fusion, batchLimitMs } = options;
  const load = loadOf(options, latencyMs);
  const latencies = latenciesMs(load, agents);
  const ask = (kind: 'bare' | 'batches', count: number) => {
    const width = kind === 'bare' ? concurrency : BATCH_SIZE;
    return contender.ask<ContenderResult>(kind, {
      baseUrl: sandbox.baseUrl,
      agents: count,
      width,
    } satisfies ContenderRun);
  };
  return withServer(stage, async (waggle) => {
    const plan: LaunchPlan = { agents, concurrency, fusion, form: 'agents' };
    await sandbox.configure({ ...load, latencyMs: 0 });
    await runWaggle(waggle, stage, { ...plan, agents: WARM_UP_AGENTS });
    await ask('bare', WARM_UP_AGENTS);
    await sandbox.configure(load);
    const computedBatchesMs = batchMakespanMs(latencies, BATCH_SIZE);
    const cell = {
      ...{ agents, latencyMs, computedBatchesMs },
      oracleMs: latencyMs === 0 ? undefined : makespanMs(latencies, concurrency),
      waggle: [] as WaggleRun[],
      bare: [] as ContenderResult[],
      batches: [] as ContenderResult[],
    };
    for (let run = 1; run <= runs; run += 1) {
      say(`  ${agents} agents at ${latencyMs} ms, run ${run} of ${runs} …`);
      cell.waggle.push(await runWaggle(waggle, stage, plan));
      cell.bare.push(await ask('bare', agents));
      if (computedBatchesMs <= batchLimitMs) cell.batches.push(await ask('batches', agents));
    }
    await profile(waggle, stage, plan, latencyMs);
    return cell;
  });
}

/** Every size at every latency: Waggle, the bare loop and the batches by turns. A fresh server for each. */
export async function measureSwarms(stage: Stage): Promise<SwarmCell[]> {
  const cells: SwarmCell[] = [];
  for (const agents of stage.options.agents) {
    for (const latencyMs of stage.options.latency) cells.push(await measureCell(stage, agents, latencyMs));
  }
  return cells;
}
