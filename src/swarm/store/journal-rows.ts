import type { SwarmEvent } from '../domain/event.ts';
import type { AgentStatus, AttemptPurpose, AttemptStatus, CostSource, SwarmStatus } from '../domain/status.ts';

/**
 * Rows as the journal's statement reads them out of JSON. Amounts are decimal strings: JSON has no 64-bit integer.
 * Times are RFC 3339. Undefined becomes NULL and takes no room on the way.
 */
export interface SwarmRow {
  id: string;
  epoch: number;
  /** The number of this commit; applied only on top of the one before. */
  revision: number;
  status: SwarmStatus;
  failureCode?: string | undefined;
  failureMessage?: string | undefined;
  failureIsRetryable?: boolean | undefined;
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
  fusionModel?: string | undefined;
  fusionSources: readonly number[];
  fusionMissing: readonly number[];
  fusionCalls: number;
  fusionLevels: number;
  fusionFailureCode?: string | undefined;
  fusionFailureMessage?: string | undefined;
  fusionFailureIsRetryable?: boolean | undefined;
  /** Null: as it was. */
  result?: string | undefined;
  lastSequence: number;
  startedAt?: string | undefined;
  finishedAt?: string | undefined;
}

export interface AgentRow {
  swarmId: string;
  index: number;
  status: AgentStatus;
  failureCode?: string | undefined;
  failureMessage?: string | undefined;
  failureIsRetryable?: boolean | undefined;
  routedModel?: string | undefined;
  routeRule?: string | undefined;
  routeModels: readonly string[];
  routeReason?: string | undefined;
  output?: string | undefined;
  isTruncated: boolean;
  attemptCount: number;
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  reasoningTokens: number;
  costNanoUsd: string;
  latencyMs?: number | undefined;
  firstTokenMs?: number | undefined;
  startedAt?: string | undefined;
  finishedAt?: string | undefined;
}

export interface AttemptRow {
  swarmId: string;
  agentIndex: number;
  number: number;
  purpose: AttemptPurpose;
  status: AttemptStatus;
  requestedModel: string;
  servedModel?: string | undefined;
  httpStatus?: number | undefined;
  failureCode?: string | undefined;
  failureMessage?: string | undefined;
  failureIsRetryable?: boolean | undefined;
  retryAt?: string | undefined;
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  reasoningTokens: number;
  inputNanoUsd?: string | undefined;
  cachedInputNanoUsd?: string | undefined;
  outputNanoUsd?: string | undefined;
  costNanoUsd?: string | undefined;
  costSource: CostSource;
  isWasted: boolean;
  latencyMs?: number | undefined;
  firstTokenMs?: number | undefined;
  startedAt: string;
  finishedAt?: string | undefined;
  upstreamId?: string | undefined;
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
