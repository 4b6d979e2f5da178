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
  route: Pick<AgentRow, 'routeRule' | 'routeModels' | 'routeReason'>;
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
    route: { routeRule: agent.routeRule, routeModels: agent.routeModels, routeReason: agent.routeReason },
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
  return { routeRule: route.rule?.name ?? null, routeModels: route.models, routeReason: route.reason };
}

export function bookOnAgent(agent: AgentState, usage: TokenUsage, costNanoUsd: bigint | null): void {
  agent.usage = addUsage(agent.usage, usage);
  agent.costNanoUsd += costNanoUsd ?? 0n;
}

export function failureColumns(failure: Failure | null) {
  return {
    failureCode: failure?.code ?? null,
    failureMessage: failure?.message ?? null,
    failureIsRetryable: failure?.isRetryable ?? null,
  };
}

export function agentRow(swarmId: string, agent: AgentState): AgentRow {
  return {
    swarmId,
    index: agent.index,
    status: agent.status,
    ...failureColumns(agent.failure),
    routedModel: agent.model,
    ...agent.route,
    output: agent.output,
    isTruncated: agent.isTruncated,
    attemptCount: agent.attemptCount,
    inputTokens: agent.usage.input,
    cachedInputTokens: agent.usage.cachedInput,
    outputTokens: agent.usage.output,
    reasoningTokens: agent.usage.reasoning,
    costNanoUsd: agent.costNanoUsd.toString(),
    latencyMs: agent.latencyMs,
    firstTokenMs: agent.firstTokenMs,
    startedAt: agent.startedAt?.toISOString() ?? null,
    finishedAt: agent.finishedAt?.toISOString() ?? null,
  };
}
