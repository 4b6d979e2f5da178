import type { Feed } from '../cluster/feed.ts';
import { isEndedSwarm } from '../domain/status.ts';
import type { Prisma } from '../store/database.ts';
import { type LiveOutput, LiveReader } from './live-output.ts';
import { pause } from './pause.ts';

/** A piece of an agent's text while it is written. `offset` counts UTF-16 units from the start of that attempt's text. */
export interface OutputPiece {
  readonly agentIndex: number;
  readonly agentKey: string;
  readonly attempt: number;
  readonly offset: number;
  readonly text: string;
  readonly isLast: boolean;
}

const LEAST_INTERVAL_MS = 10;
const POLL_MS = 1_000;

export interface FollowOutputParts {
  readonly prisma: Prisma;
  readonly feed: Feed;
  /** The live text of a swarm that runs in this process. */
  readonly liveOf: (swarmId: string) => LiveOutput | undefined;
}

/** Agents that ended between two looks: the rest of their text is read back. */
async function readMissed(prisma: Prisma, swarmId: string, reader: LiveReader): Promise<OutputPiece[]> {
  if (reader.missed.size === 0) return [];
  const indexes = [...reader.missed];
  reader.missed.clear();
  const agents = await prisma.agent.findMany({
    where: { swarmId, index: { in: indexes } },
    select: { index: true, key: true, attemptCount: true, output: true },
  });
  return agents.map(({ index, key, attemptCount, output }) => {
    const { offset } = reader.positionOf(index, attemptCount);
    const text = (output ?? '').slice(offset);
    return { agentIndex: index, agentKey: key, attempt: attemptCount, offset, text, isLast: true };
  });
}

/** Live text of one swarm's agents, gathered for `minIntervalMs`; ends with the swarm. */
export async function* followOutput(
  swarmId: string,
  agentIndexes: readonly number[] | undefined,
  minIntervalMs: number,
  { prisma, feed, liveOf }: FollowOutputParts,
  signal: AbortSignal,
): AsyncGenerator<OutputPiece[], void, void> {
  const wanted = agentIndexes && new Set(agentIndexes);
  const reader = new LiveReader((index) => wanted?.has(index) ?? true);
  const ears = feed.listen(swarmId);
  let live: LiveOutput | undefined;
  try {
    while (!signal.aborted) {
      ears.forget();
      const current = liveOf(swarmId);
      if (current !== undefined && current !== live) {
        live?.removeReader(reader);
        live = current;
        live.addReader(reader);
      }
      const pieces = (live?.readAll(reader) ?? []).map(({ index, key, ...piece }) => ({
        agentIndex: index,
        agentKey: key,
        ...piece,
      }));
      pieces.push(...(await readMissed(prisma, swarmId, reader)));
      if (pieces.length > 0) yield pieces;
      if (current !== undefined) {
        await pause(Math.max(LEAST_INTERVAL_MS, minIntervalMs), signal);
        continue;
      }
      const swarm = await prisma.swarm.findUnique({ where: { id: swarmId }, select: { status: true } });
      if (swarm === null || (isEndedSwarm(swarm.status) && reader.missed.size === 0)) return;
      await ears.heard(POLL_MS, signal);
    }
  } finally {
    live?.removeReader(reader);
    ears.close();
  }
}
