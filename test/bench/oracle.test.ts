import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchMakespanMs, makespanMs } from '../../bench/oracle.ts';

const latencies = fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 1, maxLength: 200 });
const slots = fc.integer({ min: 1, max: 50 });
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

describe('the oracle', () => {
  it.each([
    ['one slot works off one after the other', [3, 1, 2], 1, 6],
    ['as many slots as agents: the slowest decides', [3, 1, 2], 3, 3],
    ['more slots than agents', [3, 1, 2], 300, 3],
    ['a free slot is filled at once', [4, 1, 1, 1, 1], 2, 4],
    ['first in, first out, although another order were faster', [1, 1, 1, 3], 2, 4],
    ['nobody to answer', [], 5, 0],
  ])('%s', (_, given, at, expected) => {
    expect(makespanMs(given, at)).toBe(expected);
  });

  it('lies between the two lower bounds of every schedule and twice the larger one', () => {
    fc.assert(
      fc.property(latencies, slots, (given, at) => {
        const bound = Math.max(sum(given) / at, ...given);

        expect(makespanMs(given, at)).toBeGreaterThanOrEqual(bound - 1e-9);
        expect(makespanMs(given, at)).toBeLessThanOrEqual(2 * bound);
      }),
    );
  });

  it('is what a simulation of all slots says', () => {
    fc.assert(
      fc.property(latencies, slots, (given, at) => {
        const free = new Array<number>(at).fill(0);
        for (const latency of given) {
          const first = free.indexOf(Math.min(...free));
          free[first] = (free[first] ?? 0) + latency;
        }

        expect(makespanMs(given, at)).toBe(Math.max(...free));
      }),
    );
  });

  it('is never slower than batches of as many', () => {
    fc.assert(
      fc.property(latencies, slots, (given, at) => {
        expect(makespanMs(given, at)).toBeLessThanOrEqual(batchMakespanMs(given, at));
      }),
    );
  });
});
