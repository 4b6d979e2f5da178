import type {
  AgentStatus,
  AttemptPurpose,
  AttemptStatus,
  BudgetAction,
  CostSource,
  FusionStrategy,
  Role,
  SwarmStatus,
} from '../swarm/domain/status.ts';
import { builder } from './builder.ts';

/** Names every member of a union once: one that is missing or unknown does not compile. */
type Values<Union extends string> = Record<Union, { readonly description?: string }>;

export const SwarmStatusEnum = builder.enumType('SwarmStatus', {
  values: {
    QUEUED: {},
    PLANNING: {},
    RUNNING: {},
    FUSING: {},
    PAUSED: {},
    SUCCEEDED: {},
    PARTIAL: {},
    FAILED: {},
    CANCELED: {},
  } satisfies Values<SwarmStatus>,
});

export const AgentStatusEnum = builder.enumType('AgentStatus', {
  description:
    'WAITING: between two attempts, or for a dependency. SKIPPED: never sent (budget, deadline, failed dependency).',
  values: {
    QUEUED: {},
    RUNNING: {},
    WAITING: {},
    SUCCEEDED: {},
    FAILED: {},
    CANCELED: {},
    SKIPPED: {},
  } satisfies Values<AgentStatus>,
});

export const AttemptStatusEnum = builder.enumType('AttemptStatus', {
  values: {
    RUNNING: {},
    SUCCEEDED: {},
    FAILED: {},
    TIMED_OUT: {},
    CANCELED: {},
    LOST: { description: 'Its process died, so nobody knows how it ended.' },
  } satisfies Values<AttemptStatus>,
});

export const AttemptPurposeEnum = builder.enumType('AttemptPurpose', {
  values: { AGENT: {}, PLAN: {}, FUSE: {}, JUDGE: {}, REPAIR: {} } satisfies Values<AttemptPurpose>,
});

export const FusionStrategyEnum = builder.enumType('FusionStrategy', {
  values: {
    NONE: { description: 'The answers stay as they are.' },
    CONCAT: { description: 'The answers in agent order under headings. Asks no model.' },
    SYNTHESIZE: { description: 'A model answers the goal out of all answers.' },
  } satisfies Values<FusionStrategy>,
});

export const BudgetActionEnum = builder.enumType('BudgetAction', {
  description: 'What happens when the next request could cost more than is left of the budget.',
  values: {
    FUSE_PARTIAL: { description: 'The agents that are left are skipped, and what there is is fused.' },
    PAUSE: {},
    FAIL: {},
  } satisfies Values<BudgetAction>,
});

export const CostSourceEnum = builder.enumType('CostSource', {
  description: 'Where a cost comes from.',
  values: {
    PRICED: { description: 'Reported tokens at the price in force.' },
    REPORTED: { description: 'The gateway named the cost.' },
    ESTIMATED: { description: 'The gateway gave no usage: tokens were estimated.' },
    UNKNOWN: { description: 'The model has no price, or the attempt has not ended.' },
    CACHED: {},
  } satisfies Values<CostSource>,
});

export const RoleEnum = builder.enumType('Role', {
  values: {
    ADMIN: {},
    MEMBER: { description: 'May launch and change swarms.' },
    VIEWER: { description: 'May read and watch.' },
  } satisfies Values<Role>,
});
