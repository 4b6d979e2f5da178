import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases, type TestDatabase } from '../support/databases.ts';
import { agents, aWaggle, collect, launch, stored, type Waggle } from '../support/waggle.ts';

const OPTIONS = { heartbeatMs: 60_000, minIntervalMs: 0 };
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

/** Small and seeded, so that a failure can be repeated (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

describe.each(databases)('following on $name', ({ open }) => {
  let test: TestDatabase;
  let waggle: Waggle;

  beforeAll(async () => {
    test = await open();
    waggle = await aWaggle(test, { sandbox: { latency: { medianMs: 10, sigma: 0.5 } } });
  });

  afterAll(async () => {
    await waggle.close();
    await test.drop();
  });

  /** Reads with a cut after a few batches each time, and goes on from its position. */
  async function readInPieces(swarmId: string, random: () => number): Promise<number[]> {
    const seen: number[] = [];
    for (;;) {
      let left = Math.floor(random() * 4);
      const controller = new AbortController();
      const batches = waggle.engine.follow(swarmId, seen.at(-1) ?? 0, OPTIONS, controller.signal);
      let isCut = false;
      for await (const batch of batches) {
        seen.push(...batch.events.map((event) => event.sequence));
        left -= 1;
        if (left >= 0) continue;
        isCut = true;
        if (random() < 0.5) controller.abort();
        break;
      }
      if (!isCut) return seen;
    }
  }

  it('gives 1, 2, 3 … to a hundred subscribers that are cut at random and resume', async () => {
    const swarmId = await launch(waggle, { plan: agents(200), concurrency: 50 });

    const all = await Promise.all(
      Array.from({ length: 100 }, (_, index) => readInPieces(swarmId, randomFrom(index + 1))),
    );

    const { swarm } = await stored(waggle, swarmId);
    for (const seen of all) expect(seen).toEqual(upTo(swarm.lastSequence));
  });

  it('gives the whole log to who comes after the end, and nothing to who has seen it', async () => {
    const swarmId = await launch(waggle, { plan: agents(20) });
    const { events, last } = await collect(waggle, swarmId);

    const late = await collect(waggle, swarmId);
    const none = await collect(waggle, swarmId, last?.sequence ?? 0);

    expect(late.events).toEqual(events);
    expect(none.batches).toEqual([]);
  });

  it('tells the state as of a cursor, also in a heartbeat', async () => {
    waggle.sandbox.configure({ latency: 600_000 });
    const swarmId = await launch(waggle, { plan: agents(3) });
    const { last } = await collect(waggle, swarmId, 0, (batch) => batch.progress.running === 3);
    const batches = waggle.engine.follow(
      swarmId,
      last?.sequence ?? 0,
      { ...OPTIONS, heartbeatMs: 1 },
      new AbortController().signal,
    );

    const { value: heartbeat } = await batches.next();
    await batches.return?.();

    expect(heartbeat).toEqual({ ...last, events: [] });
    await waggle.engine.cancelSwarm(swarmId, undefined, waggle.caller);
    waggle.sandbox.configure({ latency: { medianMs: 10, sigma: 0.5 } });
  });

  it('ends at return() while it waits', async () => {
    waggle.sandbox.configure({ latency: 600_000 });
    const swarmId = await launch(waggle, { plan: agents(1) });
    const { last } = await collect(waggle, swarmId, 0, (batch) => batch.progress.running === 1);
    const batches = waggle.engine.follow(swarmId, last?.sequence ?? 0, OPTIONS, new AbortController().signal);
    const pending = batches.next();

    await batches.return?.();

    expect(await pending).toEqual({ done: true, value: undefined });
    await waggle.engine.cancelSwarm(swarmId, undefined, waggle.caller);
    waggle.sandbox.configure({ latency: { medianMs: 10, sigma: 0.5 } });
  });

  it('of live text gives every piece once, and together the stored answers', async () => {
    waggle.sandbox.configure({ tokensPerSecond: 200 });
    const swarmId = await launch(waggle, { plan: agents(10, () => ({ maxTokens: 60 })) });
    const texts = new Map<number, string>();
    for await (const pieces of waggle.engine.followOutput(swarmId, undefined, 10, new AbortController().signal)) {
      for (const piece of pieces) {
        const text = texts.get(piece.agentIndex) ?? '';
        expect(piece.offset).toBe(text.length);
        texts.set(piece.agentIndex, text + piece.text);
      }
    }
    await collect(waggle, swarmId);

    const { agents: rows } = await stored(waggle, swarmId);

    expect([...texts].sort(([a], [b]) => a - b)).toEqual(rows.map((agent) => [agent.index, agent.output]));
  });
});
