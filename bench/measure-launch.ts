import { say } from './say.ts';
import { loadOf, type Stage, withServer } from './stage.ts';
import type { LaunchPlan, WaggleProcess } from './waggle-process.ts';

const AGENTS = 10_000;
/** So slow that the launch is hardly disturbed by the swarm's first answers. */
const LATENCY_MS = 2_000;

export interface LaunchRun {
  readonly launchMs: number;
  /** Of the server, from the request to the answer. */
  readonly cpuMs: number;
  /** The longest time that the server did nothing else, so that no other client was served. */
  readonly longestStallMs: number;
}

export interface LaunchCell {
  readonly agents: number;
  readonly form: LaunchPlan['form'];
  readonly runs: readonly LaunchRun[];
}

async function launchOnce(waggle: WaggleProcess, plan: LaunchPlan): Promise<LaunchRun> {
  const before = await waggle.usage();
  await waggle.probe.ask('watchLoop');
  const { id, launchMs } = await waggle.launch(plan);
  const longestStallMs = await waggle.probe.ask<number>('longestStallMs');
  const { cpuMs } = await waggle.usage();
  await waggle.cancel(id);
  await waggle.watch(id).done;
  return { launchMs, cpuMs: cpuMs - before.cpuMs, longestStallMs };
}

/** Launches of 10,000 agents, each of which is canceled as soon as it was answered. The first of a server counts too. */
export async function measureLaunch(stage: Stage): Promise<LaunchCell[]> {
  const { options, sandbox } = stage;
  await sandbox.configure(loadOf(options, LATENCY_MS));
  return withServer(stage, async (waggle) => {
    const cells: LaunchCell[] = [];
    for (const form of ['agents', 'template'] as const) {
      const plan = { agents: AGENTS, concurrency: options.concurrency, fusion: options.fusion, form };
      const runs: LaunchRun[] = [];
      for (let run = 1; run <= options.runs; run += 1) {
        say(`  launch of ${AGENTS} agents (${form}), run ${run} of ${options.runs} …`);
        runs.push(await launchOnce(waggle, plan));
      }
      cells.push({ agents: AGENTS, form, runs });
    }
    return cells;
  });
}
