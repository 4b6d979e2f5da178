import type { InputIssue } from '../swarm/domain/issue.ts';
import { formatUsd, type NanoUsd } from '../swarm/domain/money.ts';
import type { SwarmStatus } from '../swarm/domain/status.ts';
import { builder } from './builder.ts';
import { SwarmStatusEnum } from './status.ts';
import { SwarmRef } from './swarm.ts';

const ErrorCodeEnum = builder.enumType('ErrorCode', {
  values: [
    'INVALID_INPUT',
    'NOT_FOUND',
    'BUDGET_EXCEEDED',
    'LIMIT_EXCEEDED',
    'IDEMPOTENCY_CONFLICT',
    'INVALID_STATE',
  ] as const,
});

/** A failure as a value. `type` is its GraphQL type, by which unions tell their members apart. */
interface ErrorOf<Type extends string> {
  readonly type: Type;
  readonly code: typeof ErrorCodeEnum.$inferType;
  /** A full sentence, fit for the caller. */
  readonly message: string;
}

const ErrorInterface = builder.interfaceRef<ErrorOf<string>>('Error').implement({
  description:
    'Every failure that a caller can expect. Bugs, authentication and transport limits stay in the top-level `errors`, with `extensions.code`.',
  resolveType: ({ type }) => type,
  fields: (t) => ({
    code: t.expose('code', { type: ErrorCodeEnum }),
    message: t.exposeString('message'),
  }),
});

const InputIssueRef = builder.objectRef<InputIssue>('InputIssue').implement({
  description: '`path` is made of input field names and list positions: ["input","plan","agents","0","prompt"].',
  fields: (t) => ({
    path: t.stringList({ resolve: ({ path }) => [...path] }),
    code: t.exposeString('code', { description: 'Stable, such as REQUIRED, OUT_OF_RANGE, DUPLICATE or UNKNOWN.' }),
    message: t.exposeString('message'),
  }),
});

export interface InvalidInputError extends ErrorOf<'InvalidInputError'> {
  readonly issues: readonly InputIssue[];
}

export const InvalidInputErrorRef = builder.objectRef<InvalidInputError>('InvalidInputError').implement({
  description: 'Every problem of the input at once.',
  interfaces: [ErrorInterface],
  fields: (t) => ({ issues: t.field({ type: [InputIssueRef], resolve: ({ issues }) => [...issues] }) }),
});

export function invalidInputError(issues: readonly InputIssue[]): InvalidInputError {
  const message =
    issues.length === 1 && issues[0] !== undefined
      ? issues[0].message
      : `The input has ${issues.length} problems; each one stands in issues with its path.`;
  return { type: 'InvalidInputError', code: 'INVALID_INPUT', message, issues };
}

export interface NotFoundError extends ErrorOf<'NotFoundError'> {
  readonly id: string;
}

export const NotFoundErrorRef = builder.objectRef<NotFoundError>('NotFoundError').implement({
  interfaces: [ErrorInterface],
  fields: (t) => ({ id: t.exposeID('id') }),
});

export function notFoundError(id: string): NotFoundError {
  return { type: 'NotFoundError', code: 'NOT_FOUND', message: 'There is no swarm with this id.', id };
}

export interface BudgetExceededError extends ErrorOf<'BudgetExceededError'> {
  readonly budgetNanoUsd: NanoUsd;
  readonly neededNanoUsd: NanoUsd;
}

export const BudgetExceededErrorRef = builder.objectRef<BudgetExceededError>('BudgetExceededError').implement({
  interfaces: [ErrorInterface],
  fields: (t) => ({
    budgetUsd: t.expose('budgetNanoUsd', { type: 'Usd' }),
    neededUsd: t.expose('neededNanoUsd', {
      type: 'Usd',
      description: 'The least budget under which the first agent can be asked, and the answers fused.',
    }),
  }),
});

export function budgetExceededError(budgetNanoUsd: NanoUsd, neededNanoUsd: NanoUsd): BudgetExceededError {
  const message =
    `A budget of $${formatUsd(budgetNanoUsd)} does not allow a single request: the first agent and the fusion may ` +
    `cost $${formatUsd(neededNanoUsd)}. Raise budgetUsd, or lower maxTokens.`;
  return { type: 'BudgetExceededError', code: 'BUDGET_EXCEEDED', message, budgetNanoUsd, neededNanoUsd };
}

export interface IdempotencyConflictError extends ErrorOf<'IdempotencyConflictError'> {
  readonly swarmId: string;
}

export const IdempotencyConflictErrorRef = builder
  .objectRef<IdempotencyConflictError>('IdempotencyConflictError')
  .implement({
    interfaces: [ErrorInterface],
    fields: (t) => ({
      swarm: t.prismaField({
        type: SwarmRef,
        description: 'The one that was launched under this key.',
        resolve: (query, { swarmId }, _args, { prisma }) =>
          prisma.swarm.findUniqueOrThrow({ ...query, where: { id: swarmId } }),
      }),
    }),
  });

export function idempotencyConflictError(swarmId: string): IdempotencyConflictError {
  const message = 'This idempotencyKey was used with another input within 24 hours. Take another key for a new swarm.';
  return { type: 'IdempotencyConflictError', code: 'IDEMPOTENCY_CONFLICT', message, swarmId };
}

export interface InvalidStateError extends ErrorOf<'InvalidStateError'> {
  readonly status: SwarmStatus;
}

export const InvalidStateErrorRef = builder.objectRef<InvalidStateError>('InvalidStateError').implement({
  interfaces: [ErrorInterface],
  fields: (t) => ({ status: t.expose('status', { type: SwarmStatusEnum }) }),
});

export function invalidStateError(status: SwarmStatus, message: string): InvalidStateError {
  return { type: 'InvalidStateError', code: 'INVALID_STATE', message, status };
}
