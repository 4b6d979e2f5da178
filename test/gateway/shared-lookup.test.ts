import type { LookupFunction } from 'node:net';
import { expect, it } from 'vitest';
import { createSharedLookup } from '../../src/swarm/gateway/shared-lookup.ts';

type Callback = Parameters<LookupFunction>[2];

/** A resolver that answers when it is told to. */
function aResolver() {
  const asked: { hostname: string; answer: Callback }[] = [];
  const resolve: LookupFunction = (hostname, _, answer) => asked.push({ hostname, answer });
  return { asked, lookup: createSharedLookup(resolve) };
}

it('asks once for all who ask the same at the same time', () => {
  const { asked, lookup } = aResolver();
  const answers: unknown[] = [];
  for (let i = 0; i < 3; i += 1) lookup('a.example', { all: true }, (...answer) => answers.push(answer));
  lookup('b.example', { all: true }, (...answer) => answers.push(answer));
  lookup('a.example', { all: false }, (...answer) => answers.push(answer));
  expect(asked.map(({ hostname }) => hostname)).toEqual(['a.example', 'b.example', 'a.example']);
  asked[0]?.answer(null, [{ address: '10.0.0.1', family: 4 }]);

  const answer = [null, [{ address: '10.0.0.1', family: 4 }], undefined];
  expect(answers).toEqual([answer, answer, answer]);
});

it('keeps no answer, and no failure', () => {
  const { asked, lookup } = aResolver();
  const failure = Object.assign(new Error('No.'), { code: 'EAI_AGAIN' });
  const answers: unknown[] = [];
  lookup('a.example', {}, (error) => answers.push(error));
  asked[0]?.answer(failure, '');
  lookup('a.example', {}, (_, address) => answers.push(address));
  asked[1]?.answer(null, '10.0.0.1', 4);

  expect(answers).toEqual([failure, '10.0.0.1']);
});

it('finds this machine', async () => {
  const address = await new Promise((resolve) =>
    createSharedLookup()('localhost', { family: 4 }, (_, found) => resolve(found)),
  );

  expect(address).toBe('127.0.0.1');
});
