import type { SwarmEvent } from '../domain/event.ts';
import type { AgentStatus, AttemptPurpose, AttemptStatus, CostSource, SwarmStatus } from '../domain/status.ts';

/** Amounts and totals are decimal strings: JSON has no 64-bit integer. Times are RFC 3339. */
export interface SwarmRow {
  id: string;
  epoch: number;
  /** The number of this commit; applied only on top of the one before. */
  revision: number;
  status: SwarmStatus;
  failureCode: string | null;
  failureMessage: string | null;
  failureIsRetryable: boolean | null;
  queued: number;
  running: number;
  waiting: number;
  succeeded: number;
  failed: number;
  canceled: number;
  skipped: number;
  attempts: number;
  failedAttempts: number;
  retries: number;
  rateLimited: number;
  timeouts: number;
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  reasoningTokens: number;
  costNanoUsd: string;
  wastedNanoUsd: string;
  estimatedNanoUsd: string;
  unpricedCalls: number;
  fusionStatus: AgentStatus;
  fusionModel: string | null;
  fusionSources: readonly number[];
  fusionMissing: readonly number[];
  fusionCalls: number;
  fusionLevels: number;
  fusionFailureCode: string | null;
  fusionFailureMessage: string | null;
  fusionFailureIsRetryable: boolean | null;
  /** Null: as it was. */
  result: string | null;
  lastSequence: number;
  startedAt: string | null;
  finishedAt: string | null;
}

export interface AgentRow {
  swarmId: string;
  index: number;
  status: AgentStatus;
  failureCode: string | null;
  failureMessage: string | null;
  failureIsRetryable: boolean | null;
  routedModel: string | null;
  routeRule: string | null;
  routeModels: readonly string[];
  routeReason: string | null;
  output: string | null;
  isTruncated: boolean;
  attemptCount: number;
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  reasoningTokens: number;
  costNanoUsd: string;
  latencyMs: number | null;
  firstTokenMs: number | null;
  startedAt: string | null;
  finishedAt: string | null;
}

export interface AttemptRow {
  swarmId: string;
  agentIndex: number;
  number: number;
  purpose: AttemptPurpose;
  status: AttemptStatus;
  requestedModel: string;
  servedModel: string | null;
  httpStatus: number | null;
  failureCode: string | null;
  failureMessage: string | null;
  failureIsRetryable: boolean | null;
  retryAt: string | null;
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  reasoningTokens: number;
  inputNanoUsd: string | null;
  cachedInputNanoUsd: string | null;
  outputNanoUsd: string | null;
  costNanoUsd: string | null;
  costSource: CostSource;
  isWasted: boolean;
  latencyMs: number | null;
  firstTokenMs: number | null;
  startedAt: string;
  finishedAt: string | null;
  upstreamId: string | null;
}

/** What one flush adds to the sums of an hour. */
export interface RollupRow {
  swarmId: string;
  hour: string;
  tenantId: string;
  apiKeyId: string;
  model: string;
  taskType: string;
  role: string;
  purpose: AttemptPurpose;
  shard: number;
  calls: number;
  failedCalls: number;
  unpricedCalls: number;
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  reasoningTokens: number;
  costNanoUsd: string;
  wastedNanoUsd: string;
  estimatedNanoUsd: string;
}

/** All that one swarm has to say in one commit. */
export interface SwarmCommit {
  readonly swarm: SwarmRow;
  readonly agents: readonly AgentRow[];
  readonly attempts: readonly AttemptRow[];
  readonly events: readonly SwarmEvent[];
  readonly rollups: readonly RollupRow[];
}
