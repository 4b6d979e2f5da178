import type { Prisma } from './database.ts';

export interface Distribution {
  readonly mean: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** Of a swarm's succeeded attempts, in milliseconds. */
export interface Latencies {
  readonly swarmId: string;
  readonly latencyMs: Distribution | null;
  /** Null: none was streamed. */
  readonly firstTokenMs: Distribution | null;
}

/** The distribution of a column's values over the group's rows that meet a condition; null without any. */
export function distributionOf(column: string, condition: string): string {
  const percentile = (share: number) =>
    `percentile_cont(${share}) WITHIN GROUP (ORDER BY ${column}) FILTER (WHERE ${condition})`;
  return `CASE WHEN count(${column}) FILTER (WHERE ${condition}) > 0 THEN json_build_object(
    'mean', (avg(${column}) FILTER (WHERE ${condition}))::float8,
    'p50', ${percentile(0.5)}, 'p95', ${percentile(0.95)}, 'p99', ${percentile(0.99)},
    'max', max(${column}) FILTER (WHERE ${condition})) END`;
}

const LATENCIES = `
  SELECT "swarmId", ${distributionOf('"latencyMs"', 'true')} AS "latencyMs",
         ${distributionOf('"firstTokenMs"', 'true')} AS "firstTokenMs"
  FROM "Attempt" WHERE "swarmId" = ANY($1) AND status = 'SUCCEEDED' GROUP BY "swarmId"`;

/** One row for each of these swarms that has a succeeded attempt, in no order. */
export async function readLatencies(prisma: Prisma, swarmIds: readonly string[]): Promise<Latencies[]> {
  return prisma.$queryRawUnsafe<Latencies[]>(LATENCIES, [...swarmIds]);
}
