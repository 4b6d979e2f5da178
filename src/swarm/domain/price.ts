import type { NanoUsd } from './money.ts';

/** Billionths of a dollar per million tokens. */
export interface Price {
  readonly inputNanoUsd: NanoUsd;
  readonly cachedInputNanoUsd: NanoUsd;
  readonly outputNanoUsd: NanoUsd;
}

const MILLION = 1_000_000n;

/** What these tokens cost, rounded once, half up, to a billionth of a dollar. */
export function costOf(
  usage: { input: number | bigint; cachedInput: number | bigint; output: number | bigint },
  price: Price,
): NanoUsd {
  const cached = BigInt(usage.cachedInput);
  const fresh = BigInt(usage.input) - cached;
  const exact =
    fresh * price.inputNanoUsd + cached * price.cachedInputNanoUsd + BigInt(usage.output) * price.outputNanoUsd;
  return (exact + MILLION / 2n) / MILLION;
}

/** The most that a request can cost: nothing cached, and all the output that was allowed. */
export function worstCost(promptTokens: number, maxTokens: number, price: Price): NanoUsd {
  const dearestInput = price.inputNanoUsd > price.cachedInputNanoUsd ? price.inputNanoUsd : price.cachedInputNanoUsd;
  return costOf({ input: promptTokens, cachedInput: 0, output: maxTokens }, { ...price, inputNanoUsd: dearestInput });
}
