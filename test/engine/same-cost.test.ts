import { expect, it } from 'vitest';
import { databases } from '../support/databases.ts';
import { agents, aWaggle, collect, launch, stored } from '../support/waggle.ts';

const USAGES = ['', 'usage=twice', 'usage=finish_chunk', 'usage=empty_delta', 'usage=after_finish', 'usage=none'];

it.each(databases)(
  'streamed and not streamed cost the same to the billionth, wherever usage stands, on $name',
  async ({ open }) => {
    const costs: (readonly [string, bigint][])[] = [];
    for (const isStreaming of [true, false]) {
      const test = await open();
      const waggle = await aWaggle(test, { isStreaming, sandbox: { cachedShare: 0.4, reasoningTokens: 7 } });
      const plan = agents(USAGES.length, (index) => ({
        prompt: `Analyze this. [[sandbox: ${USAGES[index] || 'tokens=40'} text="하나 둘 셋 four five"]]`,
      }));
      const swarmId = await launch(waggle, { plan });
      await collect(waggle, swarmId);
      const { attempts } = await stored(waggle, swarmId);
      costs.push(
        attempts
          .map((attempt) => [attempt.costSource, attempt.costNanoUsd ?? -1n] as const)
          .map(([source, cost]) => [source, cost]),
      );
      await waggle.close();
      await test.drop();
    }

    const [streamed, whole] = costs;
    expect(streamed).toEqual(whole);
    expect(streamed?.map(([source]) => source)).toEqual([
      'PRICED',
      'PRICED',
      'PRICED',
      'PRICED',
      'PRICED',
      'ESTIMATED',
    ]);
  },
);
