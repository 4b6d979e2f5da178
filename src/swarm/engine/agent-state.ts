import type { Failure } from '../domain/fault.ts';
import type { Route } from '../domain/route.ts';
import type { AgentStatus } from '../domain/status.ts';
import { addUsage, type TokenUsage } from '../domain/usage.ts';
import type { Agent } from '../store/generated/client.ts';
import type { AgentRow } from '../store/journal-rows.ts';

/** What is known of an agent while it is open in this process. Only SwarmRecord changes it. */
export interface AgentState {
  readonly index: number;
  readonly key: string;
  readonly role: string | null;
  readonly taskType: string | null;
  status: AgentStatus;
  failure: Failure | null;
  route: { readonly rule: string | null; readonly models: readonly string[]; readonly reason: string | null };
  model: string | null;
  output: string | null;
  isTruncated: boolean;
  attemptCount: number;
  usage: TokenUsage;
  costNanoUsd: bigint;
  latencyMs: number | null;
  firstTokenMs: number | null;
  startedAt: Date | null;
  finishedAt: Date | null;
}

export function agentState(agent: Agent): AgentState {
  const { failureCode, failureMessage, failureIsRetryable } = agent;
  return {
    index: agent.index,
    key: agent.key,
    role: agent.role,
    taskType: agent.taskType,
    status: agent.status,
    failure:
      failureCode === null
        ? null
        : { code: failureCode, message: failureMessage ?? '', isRetryable: failureIsRetryable === true },
    route: { rule: agent.routeRule, models: agent.routeModels, reason: agent.routeReason },
    model: agent.routedModel,
    output: agent.output,
    isTruncated: agent.isTruncated,
    attemptCount: agent.attemptCount,
    usage: {
      input: agent.inputTokens,
      cachedInput: agent.cachedInputTokens,
      output: agent.outputTokens,
      reasoning: agent.reasoningTokens,
    },
    costNanoUsd: agent.costNanoUsd,
    latencyMs: agent.latencyMs,
    firstTokenMs: agent.firstTokenMs,
    startedAt: agent.startedAt,
    finishedAt: agent.finishedAt,
  };
}

export function routeColumns(route: Route): AgentState['route'] {
  return { rule: route.rule?.name ?? null, models: route.models, reason: route.reason };
}

export function bookOnAgent(agent: AgentState, usage: TokenUsage, costNanoUsd: bigint | null): void {
  agent.usage = addUsage(agent.usage, usage);
  agent.costNanoUsd += costNanoUsd ?? 0n;
}

type FailureColumns = Pick<AgentRow, 'failureCode' | 'failureMessage' | 'failureIsRetryable'>;

export function failureColumns(failure: Failure | null): FailureColumns {
  return {
    failureCode: failure?.code ?? undefined,
    failureMessage: failure?.message ?? undefined,
    failureIsRetryable: failure?.isRetryable ?? undefined,
  };
}

export function agentRow(swarmId: string, agent: AgentState): AgentRow {
  return {
    swarmId,
    index: agent.index,
    status: agent.status,
    ...failureColumns(agent.failure),
    routedModel: agent.model ?? undefined,
    routeRule: agent.route.rule ?? undefined,
    routeModels: agent.route.models,
    routeReason: agent.route.reason ?? undefined,
    output: agent.output ?? undefined,
    isTruncated: agent.isTruncated,
    attemptCount: agent.attemptCount,
    inputTokens: agent.usage.input,
    cachedInputTokens: agent.usage.cachedInput,
    outputTokens: agent.usage.output,
    reasoningTokens: agent.usage.reasoning,
    costNanoUsd: agent.costNanoUsd.toString(),
    latencyMs: agent.latencyMs ?? undefined,
    firstTokenMs: agent.firstTokenMs ?? undefined,
    startedAt: agent.startedAt?.toISOString() ?? undefined,
    finishedAt: agent.finishedAt?.toISOString() ?? undefined,
  };
}
