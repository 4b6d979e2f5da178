import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { book } from '../../src/swarm/domain/booking.ts';
import { formatUsd, parseUsd } from '../../src/swarm/domain/money.ts';
import { costOf, type Price, worstCost } from '../../src/swarm/domain/price.ts';
import { estimateTokens, mostTokens } from '../../src/swarm/domain/tokens.ts';
import { addUsage, NO_USAGE, parseUsage } from '../../src/swarm/domain/usage.ts';

const usd = (text: string): bigint => parseUsd(text) ?? -1n;
const price = (input: string, cached: string, output: string): Price => ({
  inputNanoUsd: usd(input),
  cachedInputNanoUsd: usd(cached),
  outputNanoUsd: usd(output),
});

describe('an amount', () => {
  it('is the same after writing and reading', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (nano) => parseUsd(formatUsd(nano)) === nano),
    );
  });

  it.each([['1e3'], ['.5'], ['1.'], ['0.0000000001'], ['1,5'], ['NaN'], [''], [' 1'], ['0x1']])('is not %j', (text) => {
    expect(parseUsd(text)).toBeUndefined();
  });

  it.each([
    [1_234_500n, '0.0012345'],
    [0n, '0'],
    [1n, '0.000000001'],
    [5_000_000_000n, '5'],
    [-1_500_000_000n, '-1.5'],
  ])('of %d billionths is written %s', (nano, text) => {
    expect(formatUsd(nano)).toBe(text);
  });
});

describe('a cost', () => {
  it.each([
    [
      '15,420 calls of 32k in and 8k out',
      15_420n * 32_000n,
      0n,
      15_420n * 8_000n,
      price('0.28', '0.028', '0.42'),
      '189.9744',
    ],
    ['8,750 calls of 24k in and 4k out', 8_750n * 24_000n, 0n, 8_750n * 4_000n, price('3', '0.30', '15'), '1155'],
    ['cached tokens', 262_960n, 257_955n, 1_744n, price('1.25', '0.625', '10'), '0.184918125'],
    ['less than a billionth, up', 1n, 0n, 0n, price('0.0000000006', '0', '0'), '0'],
  ])('of %s is exact', (_, input, cachedInput, output, at, expected) => {
    expect(formatUsd(costOf({ input, cachedInput, output }, at))).toBe(expected);
  });

  it('is rounded once, half up', () => {
    const half = { inputNanoUsd: 500_000n, cachedInputNanoUsd: 0n, outputNanoUsd: 499_999n };

    expect(costOf({ input: 1, cachedInput: 0, output: 0 }, half)).toBe(1n);
    expect(costOf({ input: 0, cachedInput: 0, output: 1 }, half)).toBe(0n);
    expect(costOf({ input: 1, cachedInput: 0, output: 1 }, half)).toBe(1n);
  });

  it('is never more than the worst case of a request that is no larger', () => {
    const tokens = fc.nat(1_000_000);
    const nano = fc.bigInt({ min: 0n, max: 10n ** 12n });
    const prices = fc.record({ inputNanoUsd: nano, cachedInputNanoUsd: nano, outputNanoUsd: nano });
    fc.assert(
      fc.property(tokens, tokens, fc.double({ min: 0, max: 1, noNaN: true }), prices, (input, output, share, at) => {
        const usage = { input, cachedInput: Math.floor(input * share), output };

        expect(costOf(usage, at) <= worstCost(input, output, at)).toBe(true);
      }),
    );
  });
});

describe('usage', () => {
  it.each([
    [
      'in full',
      {
        prompt_tokens: 10,
        completion_tokens: 5,
        prompt_tokens_details: { cached_tokens: 4 },
        completion_tokens_details: { reasoning_tokens: 2 },
      },
      { input: 10, cachedInput: 4, output: 5, reasoning: 2 },
    ],
    [
      'with the cache hits of DeepSeek',
      { prompt_tokens: 10, completion_tokens: 5, prompt_cache_hit_tokens: 3 },
      { input: 10, cachedInput: 3, output: 5, reasoning: 0 },
    ],
    [
      'with more cached than there were, clamped',
      { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 40 } },
      { input: 10, cachedInput: 10, output: 5, reasoning: 0 },
    ],
    ['with one count only', { completion_tokens: 5 }, { input: 0, cachedInput: 0, output: 5, reasoning: 0 }],
  ])('is read %s', (_, raw, expected) => {
    expect(parseUsage(raw)).toEqual(expected);
  });

  it.each([
    [null],
    [undefined],
    ['7'],
    [{}],
    [{ prompt_tokens: '10' }],
    [{ prompt_tokens: -1 }],
    [{ prompt_tokens: Number.NaN }],
  ])('is not %j', (raw) => {
    expect(parseUsage(raw)).toBeUndefined();
  });

  it('adds up field by field', () => {
    const one = { input: 1, cachedInput: 2, output: 3, reasoning: 4 };

    expect(addUsage(addUsage(NO_USAGE, one), one)).toEqual({ input: 2, cachedInput: 4, output: 6, reasoning: 8 });
  });
});

describe('the tokens of a text', () => {
  it('are at most its UTF-8 bytes', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => mostTokens(text) === Buffer.byteLength(text)));
  });

  it('are estimated within that', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => estimateTokens(text) <= mostTokens(text)),
    );
  });
});

describe('a booking', () => {
  const known: Record<string, Price> = { a: price('1', '0.1', '2'), b: price('10', '1', '20') };
  const priceOf = (model: string) => known[model];
  const prompt = { systemPrompt: undefined, prompt: 'x'.repeat(400) };
  const usage = { input: 1_000_000, cachedInput: 0, output: 0, reasoning: 0 };
  const received = { text: '', usage, isBillable: true, servedModel: undefined };

  it.each([
    ['what was reported', received, 'a', { model: 'a', source: 'PRICED', costNanoUsd: usd('1') }],
    [
      'the model that served it',
      { ...received, servedModel: 'b' },
      'a',
      { model: 'b', source: 'PRICED', costNanoUsd: usd('10') },
    ],
    [
      'the requested model under an unknown served name',
      { ...received, servedModel: 'a-2025' },
      'a',
      { model: 'a', costNanoUsd: usd('1') },
    ],
    [
      'nothing for a refusal',
      { ...received, usage: undefined, isBillable: false },
      'a',
      { source: 'PRICED', costNanoUsd: 0n },
    ],
    ['null when nobody knows the price', received, 'c', { source: 'UNKNOWN', costNanoUsd: null }],
  ])('holds %s', (_, got, model, expected) => {
    expect(book(got, prompt, model, priceOf)).toMatchObject(expected);
  });

  it('without a report is an estimate of the prompt and the text that came', () => {
    const booking = book({ ...received, usage: undefined, text: 'y'.repeat(40) }, prompt, 'a', priceOf);

    expect(booking).toMatchObject({ source: 'ESTIMATED', usage: { input: 108, output: 10 } });
    expect(booking.costNanoUsd).toBe(costOf(booking.usage, price('1', '0.1', '2')));
  });
});
