import type { Received } from './completion.ts';
import type { NanoUsd } from './money.ts';
import { costOf, type Price } from './price.ts';
import type { CostSource } from './status.ts';
import { estimatePromptTokens, estimateTokens, type PromptTexts } from './tokens.ts';
import { NO_USAGE, type TokenUsage } from './usage.ts';

/** What an attempt used and cost, as the ledger keeps it. */
export interface Booking {
  readonly usage: TokenUsage;
  /** Null: nobody knows. */
  readonly costNanoUsd: NanoUsd | null;
  readonly source: CostSource;
  /** The model whose price was applied. */
  readonly model: string;
  readonly price: Price | undefined;
}

/**
 * Books an attempt. What the gateway reported counts; without a report, a request that it took is estimated from the
 * prompt and the text that came. Priced as the model that served it; under a served name that has no price (gateways
 * add dates and aliases) as the model that was asked for.
 */
export function book(
  received: Pick<Received, 'usage' | 'text' | 'isBillable' | 'servedModel'>,
  prompt: PromptTexts,
  requestedModel: string,
  priceOf: (model: string) => Price | undefined,
): Booking {
  const { usage: reported, servedModel } = received;
  const servedPrice = servedModel === undefined ? undefined : priceOf(servedModel);
  const model = servedModel !== undefined && servedPrice !== undefined ? servedModel : requestedModel;
  const price = servedPrice ?? priceOf(requestedModel);
  const isFree = reported === undefined && !received.isBillable;
  if (isFree) return { usage: NO_USAGE, costNanoUsd: 0n, source: 'PRICED', model, price };
  const usage = reported ?? {
    ...NO_USAGE,
    input: estimatePromptTokens(prompt),
    output: estimateTokens(received.text),
  };
  if (price === undefined) return { usage, costNanoUsd: null, source: 'UNKNOWN', model, price };
  return { usage, costNanoUsd: costOf(usage, price), source: reported ? 'PRICED' : 'ESTIMATED', model, price };
}
