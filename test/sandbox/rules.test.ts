import { describe, expect, it } from 'vitest';
import { SandboxOptionsError } from '../../src/sandbox/check-settings.ts';
import type { FaultRule } from '../../src/sandbox/fault-rule.ts';
import { aSandbox, ask, askAs, MODEL } from './client.ts';

describe('a rule', () => {
  it('concerns one model', async () => {
    const sandbox = await aSandbox({ faults: [{ model: 'kimi-k2-0711', status: 500 }] });
    const replies = [await ask(sandbox, { model: 'kimi-k2-0711' }), await ask(sandbox, { model: MODEL })];

    expect(replies.map(({ status }) => status)).toEqual([500, 200]);
  });

  it('concerns one agent, always', async () => {
    const sandbox = await aSandbox({ faults: [{ agentIndex: 5, status: 500 }] });
    const replies = await Promise.all([4, 5, 5, 6].map((index) => askAs(sandbox, index)));

    expect(replies.map(({ status }) => status)).toEqual([200, 500, 500, 200]);
  });

  it('concerns one attempt of every agent', async () => {
    const sandbox = await aSandbox({ faults: [{ attempt: 1, status: 500 }] });
    const replies = [await askAs(sandbox, 1), await askAs(sandbox, 2), await askAs(sandbox, 1, {}, 2)];

    expect(replies.map(({ status }) => status)).toEqual([500, 500, 200]);
  });

  it.each<[string, FaultRule, number[]]>([
    ['the first two', { first: 2, status: 500 }, [500, 500, 200, 200]],
    ['the third', { nth: 3, status: 500 }, [200, 200, 500, 200]],
    ['the first of each agent', { first: 1, perAgent: true, status: 500 }, [500, 500, 200, 200]],
    ['prompts with a word', { promptIncludes: 'no such word', status: 500 }, [200, 200, 200, 200]],
  ])('concerns %s', async (_, rule, expected) => {
    const sandbox = await aSandbox({ faults: [rule] });
    const statuses: number[] = [];
    for (const index of [1, 2, 1, 2]) statuses.push((await askAs(sandbox, index)).status);

    expect(statuses).toEqual(expected);
  });

  it('with a probability strikes the same agents in any order', async () => {
    const indexes = Array.from({ length: 200 }, (_, index) => index);
    const struck = async (order: number[]) => {
      const sandbox = await aSandbox({ seed: 3, faults: [{ probability: 0.25, status: 503 }] });
      const replies = await Promise.all(order.map(async (index) => ({ index, reply: await askAs(sandbox, index) })));
      return replies.flatMap(({ index, reply }) => (reply.status === 503 ? [index] : [])).sort((a, b) => a - b);
    };
    const [forward, backward] = [await struck(indexes), await struck(indexes.toReversed())];

    expect(backward).toEqual(forward);
    expect(forward.length).toBeGreaterThan(30);
    expect(forward.length).toBeLessThan(70);
  });

  it('that comes first goes before the others, which still count', async () => {
    const faults = [
      { agentIndex: 1, status: 500 },
      { first: 2, status: 503 },
    ];
    const sandbox = await aSandbox({ faults });
    const statuses: number[] = [];
    for (const index of [1, 2, 3]) statuses.push((await askAs(sandbox, index)).status);

    expect(statuses).toEqual([500, 503, 200]);
  });

  it('may be a function of the facts', async () => {
    const sandbox = await aSandbox({
      faults: ({ model, agentIndex, attemptNumber, prompt, isStream, maxTokens, arrival }) => ({
        text: JSON.stringify({ model, agentIndex, attemptNumber, prompt, isStream, maxTokens, arrival }),
      }),
    });
    const reply = await askAs(sandbox, 7, { prompt: 'Hi', body: { max_tokens: 99 } }, 2);

    expect(JSON.parse(JSON.parse(reply.text).choices[0].message.content)).toEqual({
      ...{ model: MODEL, agentIndex: 7, attemptNumber: 2, prompt: 'Hi', isStream: false, maxTokens: 99, arrival: 1 },
    });
  });

  it('counts anew after it was configured again', async () => {
    const sandbox = await aSandbox({ faults: [{ first: 1, status: 500 }] });
    const before = [await ask(sandbox), await ask(sandbox)];
    sandbox.configure({ faults: [{ first: 1, status: 503 }] });
    const after = [await ask(sandbox), await ask(sandbox)];

    expect([...before, ...after].map(({ status }) => status)).toEqual([500, 200, 503, 200]);
  });

  it('that makes no sense is refused, with every problem named', () => {
    const sandbox = aSandbox({ faults: [{ first: -1, status: 200 }, { probability: 2 }] });

    return expect(sandbox).rejects.toThrow(
      new SandboxOptionsError([
        'faults[0].first must be a whole number from 0.',
        'faults[0].status must be a status from 400 to 599.',
        'faults[1].probability must be a number from 0 to 1.',
      ]),
    );
  });
});
