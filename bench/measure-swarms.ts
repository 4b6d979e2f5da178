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

function runOther({ options, sandbox, contender }: Stage, kind: 'bare' | 'batches', agents: number) {
  const width = kind === 'bare' ? options.concurrency : BATCH_SIZE;
  const run: ContenderRun = { baseUrl: sandbox.baseUrl, agents, width };
  return contender.ask<ContenderResult>(kind, run);
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

async function measureCell(stage: Stage, waggle: WaggleProcess, agents: number, latencyMs: number): Promise<SwarmCell> {
  const { options, sandbox } = stage;
  const { concurrency, runs, fusion, batchLimitMs } = options;
  const load = loadOf(options, latencyMs);
  const latencies = latenciesMs(load, agents);
  const computedBatchesMs = batchMakespanMs(latencies, BATCH_SIZE);
  const cell = {
    ...{ agents, latencyMs, computedBatchesMs },
    oracleMs: latencyMs === 0 ? undefined : makespanMs(latencies, concurrency),
    waggle: [] as WaggleRun[],
    bare: [] as ContenderResult[],
    batches: [] as ContenderResult[],
  };
  const plan: LaunchPlan = { agents, concurrency, fusion, form: 'agents' };
  await sandbox.configure(load);
  for (let run = 1; run <= runs; run += 1) {
    say(`  ${agents} agents at ${latencyMs} ms, run ${run} of ${runs} …`);
    cell.waggle.push(await runWaggle(waggle, stage, plan));
    cell.bare.push(await runOther(stage, 'bare', agents));
    if (computedBatchesMs <= batchLimitMs) cell.batches.push(await runOther(stage, 'batches', agents));
  }
  await profile(waggle, stage, plan, latencyMs);
  return cell;
}

async function warmUp(stage: Stage, waggle: WaggleProcess): Promise<void> {
  const { options, sandbox } = stage;
  const { concurrency, fusion } = options;
  await sandbox.configure(loadOf(options, 0));
  await runWaggle(waggle, stage, { agents: WARM_UP_AGENTS, concurrency, fusion, form: 'agents' });
  await runOther(stage, 'bare', WARM_UP_AGENTS);
}

/**
 * Every size at every latency: Waggle, the bare loop and the batches by turns. A fresh server for each size, so that
 * its peak memory is that of swarms of this size.
 */
export async function measureSwarms(stage: Stage): Promise<SwarmCell[]> {
  const cells: SwarmCell[] = [];
  for (const agents of stage.options.agents) {
    await withServer(stage, async (waggle) => {
      await warmUp(stage, waggle);
      for (const latencyMs of stage.options.latency) cells.push(await measureCell(stage, waggle, agents, latencyMs));
    });
  }
  return cells;
}
