import { priceOf } from '../swarm/domain/catalog.ts';
import type { NanoUsd } from '../swarm/domain/money.ts';
import { costOf } from '../swarm/domain/price.ts';
import { isEndedSwarm } from '../swarm/domain/status.ts';
import type { Swarm } from '../swarm/store/generated/client.ts';
import { builder } from './builder.ts';
import type { SchemaContext } from './context.ts';
import { USAGE_COLUMNS } from './token-usage.ts';

export const COST_COLUMNS = {
  status: true,
  costNanoUsd: true,
  wastedNanoUsd: true,
  estimatedNanoUsd: true,
  unpricedCalls: true,
  baselineModel: true,
  ...USAGE_COLUMNS,
} as const;

type CostColumns = Pick<Swarm, keyof typeof COST_COLUMNS>;

/** Null without a baseline model, or when that has no price any more. */
async function baselineOf(swarm: CostColumns, { engine }: SchemaContext): Promise<NanoUsd | null> {
  if (swarm.baselineModel === null) return null;
  const price = priceOf(await engine.catalog(), swarm.baselineModel);
  const { inputTokens: input, cachedInputTokens: cachedInput, outputTokens: output } = swarm;
  return price === undefined ? null : costOf({ input, cachedInput, output }, price);
}

/** How much less than the baseline this was, in percent of the baseline; negative when it was more. */
export function savedPercent(cost: NanoUsd, baseline: NanoUsd | null): number | null {
  return baseline === null || baseline === 0n ? null : (Number(baseline - cost) / Number(baseline)) * 100;
}

export const SwarmCostRef = builder.objectRef<CostColumns>('SwarmCost').implement({
  description: 'What was booked: always the sum of the attempts in the ledger.',
  fields: (t) => ({
    totalUsd: t.expose('costNanoUsd', { type: 'Usd' }),
    wastedUsd: t.expose('wastedNanoUsd', {
      type: 'Usd',
      description: 'Part of the total spent on attempts whose answer was not used.',
    }),
    estimatedUsd: t.expose('estimatedNanoUsd', {
      type: 'Usd',
      description: 'Part of the total that rests on an estimate because the gateway gave no usage.',
    }),
    unpricedCalls: t.exposeInt('unpricedCalls', {
      description: 'Calls whose model has no price: their cost is unknown, not zero.',
    }),
    baselineModel: t.exposeString('baselineModel', {
      nullable: true,
      description: "The same tokens at the baseline model's price, and what was saved against it.",
    }),
    baselineUsd: t.field({
      type: 'Usd',
      nullable: true,
      resolve: (swarm, _args, context) => baselineOf(swarm, context),
    }),
    savedPercent: t.float({
      nullable: true,
      description: 'In percent of the baseline. Negative: it cost more.',
      resolve: async (swarm, _args, context) => savedPercent(swarm.costNanoUsd, await baselineOf(swarm, context)),
    }),
    isFinal: t.boolean({
      description: 'The swarm has ended: nothing is added any more.',
      resolve: ({ status }) => isEndedSwarm(status),
    }),
  }),
});
