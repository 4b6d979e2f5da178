import type { Swarm } from '../swarm/store/generated/client.ts';
import { builder } from './builder.ts';
import { BudgetActionEnum } from './status.ts';

export const SETTINGS_COLUMNS = {
  concurrency: true,
  budgetNanoUsd: true,
  onBudget: true,
  minSuccess: true,
  deadlineMs: true,
  defaults: true,
} as const;

export const SwarmSettingsRef = builder
  .objectRef<Pick<Swarm, keyof typeof SETTINGS_COLUMNS>>('SwarmSettings')
  .implement({
    fields: (t) => ({
      concurrency: t.exposeInt('concurrency'),
      budgetUsd: t.expose('budgetNanoUsd', { type: 'Usd', nullable: true }),
      onBudget: t.expose('onBudget', { type: BudgetActionEnum }),
      minSuccess: t.exposeFloat('minSuccess'),
      deadlineMs: t.exposeInt('deadlineMs', { nullable: true }),
      defaults: t.expose('defaults', { type: 'JSON', description: 'For agents that say nothing themselves.' }),
    }),
  });
