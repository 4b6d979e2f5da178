import type { AgentStatus } from '../domain/status.ts';
import type { Prisma } from './database.ts';

/** Null: any. Within a list, one of them has to fit. */
export interface AgentFilter {
  readonly status: readonly AgentStatus[] | null;
  readonly role: readonly string[] | null;
  readonly taskType: readonly string[] | null;
  /** Agents that were never sent to a model fit too: which one they would get is for the caller to say. */
  readonly model: readonly string[] | null;
}

export interface AgentIndexes {
  readonly swarmId: string;
  /** Ascending. */
  readonly indexes: readonly number[];
  /** Those of them that were never sent to a model; null: none. */
  readonly unrouted: readonly number[] | null;
}

/** Which agents of each swarm fit. Swarms without any are left out. */
export async function readAgentIndexes(
  prisma: Prisma,
  swarmIds: readonly string[],
  { status, role, taskType, model }: AgentFilter,
): Promise<AgentIndexes[]> {
  return prisma.$queryRaw<AgentIndexes[]>`
    SELECT "swarmId", array_agg(index ORDER BY index) AS indexes,
           array_agg(index) FILTER (WHERE "routedModel" IS NULL) AS unrouted
    FROM "Agent"
    WHERE "swarmId" = ANY(${[...swarmIds]})
      AND (${status === null} OR status::text = ANY(${[...(status ?? [])]}))
      AND (${role === null} OR role = ANY(${[...(role ?? [])]}))
      AND (${taskType === null} OR "taskType" = ANY(${[...(taskType ?? [])]}))
      AND (${model === null} OR "routedModel" IS NULL OR "routedModel" = ANY(${[...(model ?? [])]}))
    GROUP BY "swarmId"`;
}
