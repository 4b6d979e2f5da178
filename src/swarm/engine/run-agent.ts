import { book } from '../domain/booking.ts';
import { type Catalog, priceOf } from '../domain/catalog.ts';
import type { Completion, CompletionRequest } from '../domain/completion.ts';
import { type Failure, failureOf } from '../domain/fault.ts';
import { agentId, attemptId, FUSION_INDEX } from '../domain/ids.ts';
import { worstCost } from '../domain/price.ts';
import { decideNext, type NextStep, RETRY_POLICY } from '../domain/retry.ts';
import type { Route } from '../domain/route.ts';
import type { ResolvedSettings } from '../domain/settings.ts';
import type { AttemptPurpose } from '../domain/status.ts';
import { mostPromptTokens } from '../domain/tokens.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { AttemptEnd, AttemptStart } from './attempt-state.ts';
import type { BudgetKeeper } from './budget-keeper.ts';

/** A prompt to be answered, with all that decides how. */
export interface Assignment {
  readonly swarmId: string;
  /** FUSION_INDEX: the swarm's own fusion. */
  readonly index: number;
  readonly purpose: AttemptPurpose;
  readonly prompt: string;
  readonly route: Route;
  readonly settings: ResolvedSettings;
  /** Attempts made so far, in all processes. */
  readonly attemptCount: number;
}

export interface AgentTools {
  readonly gateway: Gateway;
  readonly catalog: Catalog;
  readonly budget: BudgetKeeper;
  readonly clock: () => Date;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly onText: (attempt: number, piece: string) => void;
}

/** What a running agent tells, in order. The last one is `answered`, `failed`, `aborted` or `over-budget`. */
export type AgentFact =
  | { readonly type: 'attempt-began'; readonly start: AttemptStart; readonly isRetry: boolean }
  | { readonly type: 'attempt-ended'; readonly start: AttemptStart; readonly end: AttemptEnd }
  | { readonly type: 'waiting'; readonly failure: Failure; readonly retryAt: Date }
  | { readonly type: 'answered'; readonly completion: Completion & { kind: 'answered' } }
  | { readonly type: 'failed'; readonly failure: Failure }
  | { readonly type: 'aborted'; readonly text: string }
  /** Nothing was sent: its worst case does not fit. */
  | { readonly type: 'over-budget' };

const STATUS = { answered: 'SUCCEEDED', faulted: 'FAILED', aborted: 'CANCELED' } as const;

function endOf(
  completion: Completion,
  assignment: Assignment,
  model: string,
  tools: AgentTools,
  next: NextStep | undefined,
): AttemptEnd {
  const finishedAt = tools.clock();
  const prompt = { systemPrompt: assignment.settings.systemPrompt, prompt: assignment.prompt };
  const isTimedOut = completion.kind === 'faulted' && completion.fault.kind === 'timed-out';
  return {
    status: isTimedOut ? 'TIMED_OUT' : STATUS[completion.kind],
    booking: book(completion, prompt, model, (name) => priceOf(tools.catalog, name)),
    servedModel: completion.servedModel ?? null,
    httpStatus: completion.httpStatus ?? null,
    failure: completion.kind === 'faulted' ? failureOf(completion.fault) : null,
    retryAt: next?.kind === 'retry' ? new Date(finishedAt.getTime() + next.delayMs) : null,
    latencyMs: completion.latencyMs,
    firstTokenMs: completion.firstTokenMs ?? null,
    finishedAt,
    upstreamId: completion.upstreamId ?? null,
  };
}

function requestOf(assignment: Assignment, model: string, number: number): CompletionRequest {
  const { swarmId, index, prompt, settings } = assignment;
  const { systemPrompt, temperature, maxTokens, timeoutMs } = settings;
  return {
    swarmId,
    agentId: index === FUSION_INDEX ? swarmId : agentId(swarmId, index),
    attemptId: attemptId(swarmId, index, number),
    ...{ model, systemPrompt, prompt, temperature, maxTokens, timeoutMs },
  };
}

/**
 * Asks until there is an answer, or no further attempt is due. A generator, so that the swarm decides when it goes on:
 * after `waiting` it is resumed when the time has come and a slot is free. Never throws for what can be expected.
 */
export async function* runAgent(
  assignment: Assignment,
  tools: AgentTools,
  signal: AbortSignal,
): AsyncGenerator<AgentFact, void, void> {
  const { route, settings } = assignment;
  const policy = { ...RETRY_POLICY, maxAttempts: settings.maxAttempts };
  const promptTokens = mostPromptTokens({ systemPrompt: settings.systemPrompt, prompt: assignment.prompt });
  let modelAt = 0;
  for (let attempt = 1; ; attempt += 1) {
    if (signal.aborted) return yield { type: 'aborted', text: '' };
    const model = route.models[modelAt];
    if (model === undefined) {
      const message = `${route.reason} No model of its route is turned on; see Query.models and Query.routingRules.`;
      yield { type: 'failed', failure: { code: 'NO_ROUTE', message, isRetryable: false } };
      return;
    }
    const price = priceOf(tools.catalog, model);
    const worst = price === undefined ? 0n : worstCost(promptTokens, settings.maxTokens, price);
    if (!tools.budget.reserve(worst)) {
      yield { type: 'over-budget' };
      // Resumed: the budget may have room now.
      attempt -= 1;
      continue;
    }
    const number = assignment.attemptCount + attempt;
    const { index: agentIndex, purpose } = assignment;
    const start: AttemptStart = { agentIndex, number, purpose, model, startedAt: tools.clock() };
    yield { type: 'attempt-began', start, isRetry: number > 1 };
    const onText = (piece: string) => tools.onText(number, piece);
    const completion = await tools.gateway.complete(requestOf(assignment, model, number), onText, signal);
    const next =
      completion.kind === 'faulted'
        ? decideNext(completion.fault, attempt, modelAt, route.models.length, policy, tools.random())
        : undefined;
    const end = endOf(completion, assignment, model, tools, next);
    tools.budget.settle(worst, end.booking.costNanoUsd);
    yield { type: 'attempt-ended', start, end };
    if (completion.kind === 'answered') return yield { type: 'answered', completion };
    if (completion.kind === 'aborted') return yield { type: 'aborted', text: completion.text };
    const failure = failureOf(completion.fault);
    if (next?.kind !== 'retry') return yield { type: 'failed', failure };
    modelAt = next.model;
    yield { type: 'waiting', failure, retryAt: end.retryAt ?? end.finishedAt };
  }
}
