import type { Swarm } from '../swarm/store/generated/client.ts';
import { builder } from './builder.ts';
import { DistributionRef } from './distribution.ts';

export const STATS_COLUMNS = {
  id: true,
  startedAt: true,
  finishedAt: true,
  succeeded: true,
  failed: true,
  attempts: true,
  failedAttempts: true,
  retries: true,
  rateLimited: true,
  timeouts: true,
} as const;

type StatsColumns = Pick<Swarm, keyof typeof STATS_COLUMNS>;

/** From its start to its end, or to `now`; 0 before its start. */
export function wallMs({ startedAt, finishedAt }: Pick<Swarm, 'startedAt' | 'finishedAt'>, now: Date): number {
  return startedAt === null ? 0 : Math.max(0, (finishedAt ?? now).getTime() - startedAt.getTime());
}

/** Agents that were asked and have ended, a minute of wall time. */
export function agentsPerMinute(swarm: Omit<StatsColumns, 'id'>, now: Date): number {
  const ms = wallMs(swarm, now);
  return ms === 0 ? 0 : ((swarm.succeeded + swarm.failed) * 60_000) / ms;
}

export const SwarmStatsRef = builder.objectRef<StatsColumns>('SwarmStats').implement({
  fields: (t) => ({
    wallMs: t.int({
      description: 'From its start to its end, or until now.',
      // A swarm may be paused for weeks; Int ends at 24 days.
      resolve: (swarm) => Math.min(wallMs(swarm, new Date()), 2 ** 31 - 1),
    }),
    agentsPerMinute: t.float({
      description: 'Agents that succeeded or failed, a minute of `wallMs`.',
      resolve: (swarm) => agentsPerMinute(swarm, new Date()),
    }),
    attempts: t.exposeInt('attempts'),
    retries: t.exposeInt('retries'),
    rateLimited: t.exposeInt('rateLimited'),
    timeouts: t.exposeInt('timeouts'),
    errorRate: t.float({
      description: 'Failed attempts / all attempts, 0 to 1.',
      resolve: ({ attempts, failedAttempts }) => (attempts === 0 ? 0 : failedAttempts / attempts),
    }),
    latencyMs: t.field({
      type: DistributionRef,
      nullable: true,
      description: 'Of the attempts that succeeded. Null when there is none.',
      resolve: async ({ id }, _args, { loaders }) => (await loaders.latencies.load(id))?.latencyMs,
    }),
    firstTokenMs: t.field({
      type: DistributionRef,
      nullable: true,
      description: 'Of the attempts that succeeded and were streamed. Null when there is none.',
      resolve: async ({ id }, _args, { loaders }) => (await loaders.latencies.load(id))?.firstTokenMs,
    }),
  }),
});
