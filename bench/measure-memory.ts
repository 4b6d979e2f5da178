import { say } from './say.ts';
import { loadOf, type Stage, withServer } from './stage.ts';

const LATENCY_MS = 50;
/** Shares of the agents that have ended when the server is looked at. */
const MARKS = [0.1, 0.3, 0.5, 0.7, 0.9] as const;

export interface MemorySample {
  readonly endedAgents: number;
  /** In use after a garbage collection. */
  readonly liveBytes: number;
}

export interface MemoryCell {
  readonly agents: number;
  readonly samples: readonly MemorySample[];
}

/** What the server still holds as more and more agents of one swarm have ended; with a collection at each look. */
export async function measureMemory(stage: Stage): Promise<MemoryCell> {
  const { options, sandbox } = stage;
  const agents = Math.max(...options.agents);
  await sandbox.configure(loadOf(options, LATENCY_MS));
  say(`  live memory of a swarm of ${agents} agents …`);
  return withServer(stage, async (waggle) => {
    const samples: Promise<MemorySample>[] = [];
    const { concurrency, fusion } = options;
    const { id } = await waggle.launch({ agents, concurrency, fusion, form: 'agents' });
    const watching = waggle.watch(id, ({ progress }) => {
      const mark = MARKS[samples.length];
      if (mark === undefined || progress.succeeded < mark * agents) return;
      const endedAgents = progress.succeeded;
      samples.push(waggle.probe.ask<number>('collect').then((liveBytes) => ({ endedAgents, liveBytes })));
    });
    await watching.done;
    return { agents, samples: await Promise.all(samples) };
  });
}
