import type { SqlQueryable } from '@prisma/driver-adapter-utils';
import type { AgentRow, AttemptRow, RollupRow, SwarmCommit, SwarmRow } from './journal-rows.ts';

type Columns<Row> = Record<keyof Row, string>;

const FAILURE = { failureCode: 'text', failureMessage: 'text', failureIsRetryable: 'boolean' } as const;
const TOKENS = {
  inputTokens: 'bigint',
  cachedInputTokens: 'bigint',
  outputTokens: 'bigint',
  reasoningTokens: 'bigint',
} as const;

const SWARM: Columns<SwarmRow> = {
  id: 'text',
  epoch: 'int',
  revision: 'int',
  status: '"SwarmStatus"',
  ...FAILURE,
  queued: 'int',
  running: 'int',
  waiting: 'int',
  succeeded: 'int',
  failed: 'int',
  canceled: 'int',
  skipped: 'int',
  attempts: 'int',
  failedAttempts: 'int',
  retries: 'int',
  rateLimited: 'int',
  timeouts: 'int',
  ...TOKENS,
  costNanoUsd: 'bigint',
  wastedNanoUsd: 'bigint',
  estimatedNanoUsd: 'bigint',
  unpricedCalls: 'int',
  fusionStatus: '"AgentStatus"',
  fusionModel: 'text',
  fusionSources: 'int[]',
  fusionMissing: 'int[]',
  fusionCalls: 'int',
  fusionLevels: 'int',
  fusionFailureCode: 'text',
  fusionFailureMessage: 'text',
  fusionFailureIsRetryable: 'boolean',
  result: 'text',
  lastSequence: 'int',
  startedAt: 'timestamptz',
  finishedAt: 'timestamptz',
};

const AGENT: Columns<AgentRow> = {
  swarmId: 'text',
  index: 'int',
  status: '"AgentStatus"',
  ...FAILURE,
  routedModel: 'text',
  routeRule: 'text',
  routeModels: 'text[]',
  routeReason: 'text',
  output: 'text',
  isTruncated: 'boolean',
  attemptCount: 'int',
  ...TOKENS,
  costNanoUsd: 'bigint',
  latencyMs: 'int',
  firstTokenMs: 'int',
  startedAt: 'timestamptz',
  finishedAt: 'timestamptz',
};

const ATTEMPT: Columns<AttemptRow> = {
  swarmId: 'text',
  agentIndex: 'int',
  number: 'int',
  purpose: '"AttemptPurpose"',
  status: '"AttemptStatus"',
  requestedModel: 'text',
  servedModel: 'text',
  httpStatus: 'int',
  ...FAILURE,
  retryAt: 'timestamptz',
  ...TOKENS,
  inputNanoUsd: 'bigint',
  cachedInputNanoUsd: 'bigint',
  outputNanoUsd: 'bigint',
  costNanoUsd: 'bigint',
  costSource: '"CostSource"',
  isWasted: 'boolean',
  latencyMs: 'int',
  firstTokenMs: 'int',
  startedAt: 'timestamptz',
  finishedAt: 'timestamptz',
  upstreamId: 'text',
};

const ROLLUP_KEY = {
  hour: 'timestamptz',
  tenantId: 'text',
  apiKeyId: 'text',
  model: 'text',
  taskType: 'text',
  role: 'text',
  purpose: '"AttemptPurpose"',
  shard: 'int',
} as const;
const ROLLUP_SUMS = {
  calls: 'bigint',
  failedCalls: 'bigint',
  unpricedCalls: 'bigint',
  ...TOKENS,
  costNanoUsd: 'bigint',
  wastedNanoUsd: 'bigint',
  estimatedNanoUsd: 'bigint',
} as const;
const ROLLUP: Columns<RollupRow> = { swarmId: 'text', ...ROLLUP_KEY, ...ROLLUP_SUMS };

const names = (columns: object) => Object.keys(columns).map((name) => `"${name}"`);
/** One jsonb parameter read as rows: the cheapest way to hand Postgres many of them through Prisma. */
const rows = (parameter: number, columns: object) =>
  `jsonb_to_recordset($${parameter}::jsonb) AS v(${Object.entries(columns)
    .map(([name, type]) => `"${name}" ${type}`)
    .join(', ')})`;
const assign = (columns: object, fixed: readonly string[], from: string) =>
  names(columns)
    .filter((name) => !fixed.includes(name))
    .map((name) => `${name} = ${from}.${name}`)
    .join(', ');
const insert = (table: string, columns: object, parameter: number) =>
  `INSERT INTO "${table}" (${names(columns).join(', ')})
   SELECT ${names(columns)
     .map((name) => `v.${name}`)
     .join(', ')}
   FROM ${rows(parameter, { swarmId: 'text', ...columns })} JOIN accepted ON accepted.id = v."swarmId"`;

/**
 * One statement, so all or none of it, and one round trip. A swarm whose epoch is stale, or whose revision is not the
 * next one, is not `accepted`, and none of its rows are touched. Swarm ids stand in the data and not in a parameter:
 * with a parameter the planner would read the whole swarm at each flush.
 */
const COMMIT = `
  WITH accepted AS (
    UPDATE "Swarm" s
    SET ${assign(SWARM, ['"id"', '"epoch"', '"result"'], 'v')}, result = COALESCE(v.result, s.result)
    FROM ${rows(1, SWARM)}
    WHERE s.id = v.id AND s.epoch = v.epoch AND s.revision = v.revision - 1
    RETURNING s.id
  ), agents AS (
    UPDATE "Agent" a
    SET ${assign(AGENT, ['"swarmId"', '"index"'], 'v')}
    FROM ${rows(2, AGENT)} JOIN accepted ON accepted.id = v."swarmId"
    WHERE a."swarmId" = v."swarmId" AND a.index = v.index
  ), attempts AS (
    ${insert('Attempt', ATTEMPT, 3)}
    ON CONFLICT ("swarmId", "agentIndex", number)
    DO UPDATE SET ${assign(ATTEMPT, ['"swarmId"', '"agentIndex"', '"number"', '"purpose"'], 'excluded')}
  ), events AS (
    ${insert('SwarmEvent', { swarmId: 'text', sequence: 'int', occurredAt: 'timestamptz', data: 'jsonb' }, 4)}
  ), rollups AS (
    INSERT INTO "CostRollup" (${names({ ...ROLLUP_KEY, ...ROLLUP_SUMS }).join(', ')})
    SELECT ${names(ROLLUP_KEY).join(', ')}, ${names(ROLLUP_SUMS)
      .map((name) => `sum(${name})`)
      .join(', ')}
    FROM ${rows(5, ROLLUP)} JOIN accepted ON accepted.id = v."swarmId"
    GROUP BY ${names(ROLLUP_KEY).join(', ')}
    ON CONFLICT (${names(ROLLUP_KEY).join(', ')})
    DO UPDATE SET ${names(ROLLUP_SUMS)
      .map((name) => `${name} = "CostRollup".${name} + excluded.${name}`)
      .join(', ')}
  )
  SELECT id FROM accepted`;

const FIND = 'SELECT id, epoch, revision FROM "Swarm" WHERE id IN (SELECT jsonb_array_elements_text($1::jsonb))';

async function query(driver: SqlQueryable, sql: string, ...args: readonly string[]): Promise<unknown[][]> {
  const argTypes = args.map(() => ({ scalarType: 'string', arity: 'scalar' }) as const);
  return (await driver.queryRaw({ sql, args: [...args], argTypes })).rows;
}

/**
 * Ids of the swarms whose commit is in the database now; the others' epochs are stale, and nothing of theirs is.
 * `driver`: the database, or a transaction in it.
 */
export async function commitJournal(driver: SqlQueryable, commits: readonly SwarmCommit[]): Promise<Set<string>> {
  const accepted = await query(
    driver,
    COMMIT,
    JSON.stringify(commits.map((commit) => commit.swarm)),
    JSON.stringify(commits.flatMap((commit) => commit.agents)),
    JSON.stringify(commits.flatMap((commit) => commit.attempts)),
    JSON.stringify(commits.flatMap((commit) => commit.events)),
    JSON.stringify(commits.flatMap((commit) => commit.rollups)),
  );
  const ids = new Set(accepted.map(([id]) => String(id)));
  const others = commits.filter((commit) => !ids.has(commit.swarm.id)).map((commit) => commit.swarm);
  if (others.length === 0) return ids;
  // A commit whose acknowledgement was lost is sent again and finds its own revision there: it was accepted.
  const found = await query(driver, FIND, JSON.stringify(others.map((swarm) => swarm.id)));
  for (const [id, epoch, revision] of found) {
    if (others.some((swarm) => swarm.id === id && swarm.epoch === epoch && swarm.revision === revision)) {
      ids.add(String(id));
    }
  }
  return ids;
}
