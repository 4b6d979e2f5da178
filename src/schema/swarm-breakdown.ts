import type { Breakdown, BreakdownKey } from '../swarm/store/read-breakdown.ts';
import { builder } from './builder.ts';
import { DistributionRef } from './distribution.ts';
import { SwarmRef } from './swarm.ts';
import { TokenUsageRef } from './token-usage.ts';

const BreakdownByEnum = builder.enumType('BreakdownBy', {
  values: {
    MODEL: { description: 'The model that answered; for attempts that were not answered, the one that was asked.' },
    ROLE: {},
    TASK_TYPE: {},
  } satisfies Record<BreakdownKey, object>,
});

const SwarmBreakdownRef = builder.objectRef<Breakdown>('SwarmBreakdown').implement({
  fields: (t) => ({
    key: t.exposeString('key', { description: 'Empty: agents without a role, or without a task type.' }),
    agents: t.exposeInt('agents', { description: 'An agent that was asked of two models counts with both.' }),
    succeeded: t.exposeInt('succeeded', { description: 'Agents with an answer.' }),
    attempts: t.exposeInt('attempts', { description: "By MODEL, the fusion's too." }),
    usage: t.field({ type: TokenUsageRef, resolve: (row) => row }),
    costUsd: t.expose('costNanoUsd', { type: 'Usd' }),
    latencyMs: t.expose('latencyMs', {
      type: DistributionRef,
      nullable: true,
      description: 'Of the attempts that succeeded. Null when there is none.',
    }),
    firstTokenMs: t.expose('firstTokenMs', { type: DistributionRef, nullable: true }),
  }),
});

builder.prismaObjectField(SwarmRef, 'breakdown', (t) =>
  t.field({
    type: [SwarmBreakdownRef],
    description: 'One row per model, role or task type: who did how much, how fast, for how much.',
    args: { by: t.arg({ type: BreakdownByEnum, required: true, defaultValue: 'MODEL' }) },
    select: { id: true },
    resolve: ({ id }, { by }, { loaders }) => loaders.breakdown(by).load(id),
  }),
);
