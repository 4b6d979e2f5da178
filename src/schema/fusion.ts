import { agentId, FUSION_INDEX } from '../swarm/domain/ids.ts';
import type { Swarm } from '../swarm/store/generated/client.ts';
import { AttemptRef } from './attempt.ts';
import { builder } from './builder.ts';
import { FailureRef, failureOf } from './failure.ts';
import { AgentStatusEnum, FusionStrategyEnum } from './status.ts';

export const FUSION_COLUMNS = {
  id: true,
  fusionStrategy: true,
  fusionStatus: true,
  fusionModel: true,
  fusionSources: true,
  fusionMissing: true,
  fusionCalls: true,
  fusionLevels: true,
  fusionFailureCode: true,
  fusionFailureMessage: true,
  fusionFailureIsRetryable: true,
} as const;

export const FusionRef = builder.objectRef<Pick<Swarm, keyof typeof FUSION_COLUMNS>>('Fusion').implement({
  description: "How the agents' answers become one.",
  fields: (t) => ({
    strategy: t.expose('fusionStrategy', { type: FusionStrategyEnum }),
    status: t.expose('fusionStatus', { type: AgentStatusEnum }),
    model: t.exposeString('fusionModel', {
      nullable: true,
      description: 'The model that fuses, or is asked for. Null: none is, or the rules choose it when it is due.',
    }),
    sources: t.idList({
      description: 'The agents whose answers went into it.',
      resolve: ({ id, fusionSources }) => fusionSources.map((index) => agentId(id, index)),
    }),
    missing: t.idList({
      description: 'The agents that gave no answer.',
      resolve: ({ id, fusionMissing }) => fusionMissing.map((index) => agentId(id, index)),
    }),
    calls: t.exposeInt('fusionCalls', { description: 'Requests to the gateway.' }),
    levels: t.exposeInt('fusionLevels', { description: '1: all answers at once.' }),
    failure: t.field({
      type: FailureRef,
      nullable: true,
      resolve: (swarm) =>
        failureOf({
          failureCode: swarm.fusionFailureCode,
          failureMessage: swarm.fusionFailureMessage,
          failureIsRetryable: swarm.fusionFailureIsRetryable,
        }),
    }),
    attempts: t.field({
      type: [AttemptRef],
      description: 'Its requests in the ledger.',
      resolve: ({ id }, _args, { loaders }) => loaders.attempts.load({ swarmId: id, index: FUSION_INDEX }),
    }),
  }),
});
