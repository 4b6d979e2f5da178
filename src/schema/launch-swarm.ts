import type { LaunchResult } from '../swarm/engine/result.ts';
import { builder } from './builder.ts';
import {
  BudgetExceededErrorRef,
  budgetExceededError,
  IdempotencyConflictErrorRef,
  InvalidInputErrorRef,
  idempotencyConflictError,
  invalidInputError,
} from './error.ts';
import { LaunchSwarmInput } from './launch-swarm-input.ts';
import { requireMember } from './scope.ts';
import { SwarmRef } from './swarm.ts';

interface LaunchSwarmSuccess {
  readonly type: 'LaunchSwarmSuccess';
  readonly swarmId: string;
  readonly isReplay: boolean;
}

const LaunchSwarmSuccessRef = builder.objectRef<LaunchSwarmSuccess>('LaunchSwarmSuccess').implement({
  fields: (t) => ({
    swarm: t.prismaField({
      type: SwarmRef,
      resolve: (query, { swarmId }, _args, { prisma }) =>
        prisma.swarm.findUniqueOrThrow({ ...query, where: { id: swarmId } }),
    }),
    isReplay: t.exposeBoolean('isReplay', {
      description: 'The idempotency key was used before: nothing was launched now.',
    }),
  }),
});

const LaunchSwarmResultRef = builder.unionType('LaunchSwarmResult', {
  types: [LaunchSwarmSuccessRef, InvalidInputErrorRef, BudgetExceededErrorRef, IdempotencyConflictErrorRef],
  resolveType: ({ type }) => type,
});

function answerOf(result: LaunchResult): typeof LaunchSwarmResultRef.$inferType {
  switch (result.kind) {
    case 'launched':
      return { type: 'LaunchSwarmSuccess', swarmId: result.swarmId, isReplay: result.isReplay };
    case 'invalid-input':
      return invalidInputError(result.issues);
    case 'budget-exceeded':
      return budgetExceededError(result.budgetNanoUsd, result.neededNanoUsd);
    case 'idempotency-conflict':
      return idempotencyConflictError(result.swarmId);
  }
}

builder.mutationField('launchSwarm', (t) =>
  t.field({
    type: LaunchSwarmResultRef,
    description: 'Returns as soon as the swarm is durable; no agent has to have started.',
    args: { input: t.arg({ type: LaunchSwarmInput, required: true }) },
    resolve: async (_root, { input }, { caller, engine }) => {
      requireMember(caller);
      return answerOf(await engine.launch(input, caller));
    },
  }),
);
