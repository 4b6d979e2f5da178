import { encodeCursor } from '../swarm/domain/cursor.ts';
import { builder, NodeInterface } from './builder.ts';
import { FAILURE_COLUMNS, FailureRef, failureOf } from './failure.ts';
import { FUSION_COLUMNS, FusionRef } from './fusion.ts';
import { type Label, LabelRef } from './label.ts';
import type { NodeReader } from './node-reader.ts';
import { PROGRESS_COLUMNS, SwarmProgressRef } from './progress.ts';
import { swarmScope } from './scope.ts';
import { SwarmStatusEnum } from './status.ts';
import { COST_COLUMNS, SwarmCostRef } from './swarm-cost.ts';
import { SETTINGS_COLUMNS, SwarmSettingsRef } from './swarm-settings.ts';
import { STATS_COLUMNS, SwarmStatsRef } from './swarm-stats.ts';
import { TokenUsageRef, USAGE_COLUMNS } from './token-usage.ts';

/** Other files add to it what is a noun of its own: agents, breakdown, events. */
export const SwarmRef = builder.prismaObject('Swarm', {
  description: 'A launched piece of work: many agents, and one answer out of theirs.',
  interfaces: [NodeInterface],
  // Column by column: a list of swarms does not read their results.
  select: { id: true },
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name', { nullable: true }),
    goal: t.exposeString('goal', { nullable: true }),
    status: t.expose('status', { type: SwarmStatusEnum }),
    failure: t.field({
      type: FailureRef,
      nullable: true,
      description: 'Why it failed, paused, or was canceled. Null otherwise.',
      select: FAILURE_COLUMNS,
      resolve: failureOf,
    }),
    labels: t.field({
      type: [LabelRef],
      select: { labels: true },
      // The launch wrote them there, in this form.
      resolve: ({ labels }) => labels as unknown as Label[],
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    startedAt: t.expose('startedAt', { type: 'DateTime', nullable: true }),
    finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true }),
    progress: t.field({ type: SwarmProgressRef, select: PROGRESS_COLUMNS, resolve: (swarm) => swarm }),
    fusion: t.field({ type: FusionRef, select: FUSION_COLUMNS, resolve: (swarm) => swarm }),
    result: t.exposeString('result', {
      nullable: true,
      description: 'The fused answer. Null until the swarm has ended with one.',
    }),
    usage: t.field({ type: TokenUsageRef, select: USAGE_COLUMNS, resolve: (swarm) => swarm }),
    cost: t.field({ type: SwarmCostRef, select: COST_COLUMNS, resolve: (swarm) => swarm }),
    stats: t.field({ type: SwarmStatsRef, select: STATS_COLUMNS, resolve: (swarm) => swarm }),
    settings: t.field({
      type: SwarmSettingsRef,
      description: 'What is in force after defaults and limits were applied.',
      select: SETTINGS_COLUMNS,
      resolve: (swarm) => swarm,
    }),
    latestEventCursor: t.field({
      type: 'EventCursor',
      description: 'Position of the newest event when this object was read: hand it to `swarmEvents(after:)`.',
      select: { lastSequence: true },
      resolve: ({ id, lastSequence }) => encodeCursor(id, lastSequence),
    }),
  }),
});

export const swarmNode: NodeReader = {
  ref: SwarmRef,
  async read(ids, query, { caller, prisma }) {
    const where = { id: { in: [...ids] }, ...swarmScope(caller) };
    const swarms: { id: string }[] = await prisma.swarm.findMany({ ...query, where });
    return new Map(swarms.map((swarm) => [swarm.id, swarm]));
  },
};
