import { typeOfId } from '../swarm/domain/ids.ts';
import { type InputIssue, IssueList } from '../swarm/domain/issue.ts';
import type { ChangeResult } from '../swarm/engine/result.ts';
import { builder } from './builder.ts';
import type { SchemaContext } from './context.ts';
import {
  InvalidInputErrorRef,
  InvalidStateErrorRef,
  invalidInputError,
  invalidStateError,
  NotFoundErrorRef,
  notFoundError,
} from './error.ts';
import { requireMember } from './scope.ts';
import { SwarmRef } from './swarm.ts';

interface ChangeSwarmSuccess {
  readonly type: 'ChangeSwarmSuccess';
  readonly swarmId: string;
}

const ChangeSwarmSuccessRef = builder.objectRef<ChangeSwarmSuccess>('ChangeSwarmSuccess').implement({
  fields: (t) => ({
    swarm: t.prismaField({
      type: SwarmRef,
      resolve: (query, { swarmId }, _args, { prisma }) =>
        prisma.swarm.findUniqueOrThrow({ ...query, where: { id: swarmId } }),
    }),
  }),
});

const ChangeSwarmResultRef = builder.unionType('ChangeSwarmResult', {
  types: [ChangeSwarmSuccessRef, NotFoundErrorRef, InvalidStateErrorRef, InvalidInputErrorRef],
  resolveType: ({ type }) => type,
});

type Answer = typeof ChangeSwarmResultRef.$inferType;

function answerOf(result: ChangeResult, id: string): Answer {
  switch (result.kind) {
    case 'changed':
      return { type: 'ChangeSwarmSuccess', swarmId: result.swarmId };
    case 'not-found':
      return notFoundError(id);
    case 'invalid-state':
      return invalidStateError(result.status, result.message);
  }
}

/** Malformed ids are missing ones: the database, which would choke on some of them, is not asked. */
async function change(
  id: string,
  { caller }: SchemaContext,
  act: (id: string) => Promise<ChangeResult>,
): Promise<Answer> {
  requireMember(caller);
  return typeOfId(id) === 'swarm' ? answerOf(await act(id), id) : notFoundError(id);
}

const MOST_REASON = 1_000;

function checkReason(reason: string | null | undefined): readonly InputIssue[] {
  const issues = new IssueList();
  issues.text(['input', 'reason'], reason, MOST_REASON);
  return issues.found;
}

const SwarmIdInput = builder.inputType('SwarmIdInput', { fields: (t) => ({ id: t.id({ required: true }) }) });

const CancelSwarmInput = builder.inputType('CancelSwarmInput', {
  fields: (t) => ({
    id: t.id({ required: true }),
    reason: t.string({ description: "Becomes part of the swarm's failure. At most 1,000 characters." }),
  }),
});

builder.mutationField('cancelSwarm', (t) =>
  t.field({
    type: ChangeSwarmResultRef,
    description: 'Closes every open call to the gateway at once. Finished answers are kept.',
    args: { input: t.arg({ type: CancelSwarmInput, required: true }) },
    resolve: (_root, { input }, context) => {
      requireMember(context.caller);
      const issues = checkReason(input.reason);
      if (issues.length > 0) return invalidInputError(issues);
      return change(input.id, context, (id) =>
        context.engine.cancelSwarm(id, input.reason ?? undefined, context.caller),
      );
    },
  }),
);

builder.mutationField('pauseSwarm', (t) =>
  t.field({
    type: ChangeSwarmResultRef,
    description: 'Starts no further attempt; those under way may end. PAUSED when they have.',
    args: { input: t.arg({ type: SwarmIdInput, required: true }) },
    resolve: (_root, { input }, context) =>
      change(input.id, context, (id) => context.engine.pauseSwarm(id, context.caller)),
  }),
);

builder.mutationField('resumeSwarm', (t) =>
  t.field({
    type: ChangeSwarmResultRef,
    description: 'Goes on with what is left of a PAUSED swarm.',
    args: { input: t.arg({ type: SwarmIdInput, required: true }) },
    resolve: (_root, { input }, context) =>
      change(input.id, context, (id) => context.engine.resumeSwarm(id, context.caller)),
  }),
);
