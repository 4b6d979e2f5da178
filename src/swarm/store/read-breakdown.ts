import type { Prisma } from './database.ts';
import { type Distribution, distributionOf } from './read-latencies.ts';

export type BreakdownKey = 'MODEL' | 'ROLE' | 'TASK_TYPE';

/** What the agents of one group took. `key` is empty for agents without a role or task type. */
export interface Breakdown {
  readonly swarmId: string;
  readonly key: string;
  readonly agents: number;
  readonly succeeded: number;
  readonly attempts: number;
  readonly inputTokens: bigint;
  readonly cachedInputTokens: bigint;
  readonly outputTokens: bigint;
  readonly reasoningTokens: bigint;
  readonly costNanoUsd: bigint;
  readonly latencyMs: Distribution | null;
  readonly firstTokenMs: Distribution | null;
}

const sum = (column: string) => `COALESCE(sum(t."${column}"), 0)::bigint AS "${column}"`;
const SUMS = ['inputTokens', 'cachedInputTokens', 'outputTokens', 'reasoningTokens', 'costNanoUsd'].map(sum).join(', ');
const distribution = (column: string) => `${distributionOf(`t."${column}"`, `t.status = 'SUCCEEDED'`)} AS "${column}"`;
const TIMES = ['latencyMs', 'firstTokenMs'].map(distribution).join(', ');

/** From the ledger alone, with the fusion's requests, which are no agent's. */
const BY_MODEL = `
  SELECT t."swarmId", COALESCE(t."servedModel", t."requestedModel") AS key,
         (count(DISTINCT t."agentIndex") FILTER (WHERE t.purpose = 'AGENT'))::int AS agents,
         (count(DISTINCT t."agentIndex") FILTER (WHERE t.purpose = 'AGENT' AND t.status = 'SUCCEEDED'))::int AS succeeded,
         count(*)::int AS attempts, ${SUMS}, ${TIMES}
  FROM "Attempt" t WHERE t."swarmId" = ANY($1) AND t.purpose IN ('AGENT', 'FUSE')
  GROUP BY 1, 2`;

/** From the agents, so that those without an attempt count too. */
const byAgent = (column: string) => `
  SELECT a."swarmId", COALESCE(a."${column}", '') AS key,
         count(DISTINCT a.index)::int AS agents,
         (count(DISTINCT a.index) FILTER (WHERE a.status = 'SUCCEEDED'))::int AS succeeded,
         count(t.number)::int AS attempts, ${SUMS}, ${TIMES}
  FROM "Agent" a
  LEFT JOIN "Attempt" t ON t."swarmId" = a."swarmId" AND t."agentIndex" = a.index AND t.purpose = 'AGENT'
  WHERE a."swarmId" = ANY($1)
  GROUP BY 1, 2`;

const STATEMENT: Record<BreakdownKey, string> = {
  MODEL: BY_MODEL,
  ROLE: byAgent('role'),
  TASK_TYPE: byAgent('taskType'),
};

/** Rows of all these swarms, the dearest first. */
export async function readBreakdown(
  prisma: Prisma,
  by: BreakdownKey,
  swarmIds: readonly string[],
): Promise<Breakdown[]> {
  return prisma.$queryRawUnsafe<Breakdown[]>(`${STATEMENT[by]} ORDER BY "costNanoUsd" DESC, key`, [...swarmIds]);
}
