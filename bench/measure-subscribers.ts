import pLimit from 'p-limit';
import { latenciesMs } from './gateway-load.ts';
import { makespanMs } from './oracle.ts';
import { say } from './say.ts';
import { loadOf, type Stage, withServer } from './stage.ts';
import type { LaunchPlan, WaggleProcess } from './waggle-process.ts';

const AGENTS = 300;
const LATENCY_MS = 50;
/** Clients that connect at the same moment; more would only wait in the kernel's queue. */
const CONNECTING = 50;

export interface FanOutRun {
  /** From the moment that the gateway may begin to answer, to the last subscriber's last event. */
  readonly wallMs: number;
  readonly frames: number;
  readonly eventsPerSubscriber: number;
  /** Of the server while the subscribers connected and read what had been. */
  readonly joinCpuMs: number;
  /** Of the server from then on. */
  readonly cpuMs: number;
}

export interface FanOutCell {
  readonly agents: number;
  readonly subscribers: number;
  readonly oracleMs: number;
  readonly runs: readonly FanOutRun[];
}

/** Launches while the gateway is silent for `stallMs`, so that all subscribers are there when the answers begin. */
async function fanOut(waggle: WaggleProcess, stage: Stage, subscribers: number, stallMs: number): Promise<FanOutRun> {
  const { concurrency, fusion } = stage.options;
  const plan: LaunchPlan = { agents: AGENTS, concurrency, fusion, form: 'agents' };
  const { id, answeredAt } = await waggle.launch(plan);
  const before = await waggle.usage();
  const limit = pLimit(CONNECTING);
  const done: Promise<{ endedAt: number; events: number; frames: number }>[] = [];
  let framesBefore = 0;
  const join = async () => {
    let frames = 0;
    const subscription = waggle.watch(id, () => {
      frames += 1;
    });
    done.push(subscription.done);
    await subscription.begun;
    framesBefore += frames;
  };
  await Promise.all(Array.from({ length: subscribers }, () => limit(join)));
  const joined = await waggle.usage();
  const lateMs = performance.now() - answeredAt - stallMs;
  if (lateMs > 0 && stallMs > 0)
    say(`  the last subscriber came ${Math.round(lateMs)} ms too late; the figures mix two things.`);
  const all = await Promise.all(done);
  const after = await waggle.usage();
  const [first] = all;
  if (first === undefined || all.some(({ events }) => events !== first.events)) {
    throw new Error('Not every subscriber got every event.');
  }
  return {
    wallMs: Math.max(...all.map(({ endedAt }) => endedAt)) - answeredAt - stallMs,
    frames: all.reduce((sum, { frames }) => sum + frames, 0) - framesBefore,
    eventsPerSubscriber: first.events,
    joinCpuMs: joined.cpuMs - before.cpuMs,
    cpuMs: after.cpuMs - joined.cpuMs,
  };
}

/** One swarm of 300 agents, watched by few and by many. */
export async function measureSubscribers(stage: Stage): Promise<FanOutCell[]> {
  const { options, sandbox } = stage;
  const load = loadOf(options, LATENCY_MS);
  const oracleMs = makespanMs(latenciesMs(load, AGENTS), options.concurrency);
  return withServer(stage, async (waggle) => {
    await sandbox.configure(load);
    await fanOut(waggle, stage, 10, 0);
    const cells: FanOutCell[] = [];
    for (const subscribers of options.subscribers) {
      const stallMs = 1_000 + 10 * subscribers;
      await sandbox.configure(load, stallMs);
      const runs: FanOutRun[] = [];
      for (let run = 1; run <= options.runs; run += 1) {
        say(`  ${subscribers} subscribers (${stallMs / 1_000} s to connect), run ${run} of ${options.runs} …`);
        runs.push(await fanOut(waggle, stage, subscribers, stallMs));
      }
      cells.push({ agents: AGENTS, subscribers, oracleMs, runs });
    }
    return cells;
  });
}
