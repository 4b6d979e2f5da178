import { attemptId, parseAttemptId } from '../swarm/domain/ids.ts';
import { builder, NodeInterface } from './builder.ts';
import { FailureRef, failureOf } from './failure.ts';
import type { NodeReader } from './node-reader.ts';
import { swarmScope } from './scope.ts';
import { AttemptPurposeEnum, AttemptStatusEnum, CostSourceEnum } from './status.ts';
import { TokenUsageRef } from './token-usage.ts';

export const AttemptRef = builder.prismaObject('Attempt', {
  description: 'One request to the gateway, as it stands in the ledger.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({ resolve: ({ swarmId, agentIndex, number }) => attemptId(swarmId, agentIndex, number) }),
    number: t.exposeInt('number', { description: '1 is the first.' }),
    purpose: t.expose('purpose', { type: AttemptPurposeEnum }),
    status: t.expose('status', { type: AttemptStatusEnum }),
    requestedModel: t.exposeString('requestedModel'),
    servedModel: t.exposeString('servedModel', {
      nullable: true,
      description: 'As the gateway named it; null until it has answered.',
    }),
    isHedge: t.exposeBoolean('isHedge'),
    httpStatus: t.exposeInt('httpStatus', { nullable: true }),
    failure: t.field({ type: FailureRef, nullable: true, resolve: failureOf }),
    retryAt: t.expose('retryAt', { type: 'DateTime', nullable: true, description: 'When the next one was due.' }),
    usage: t.field({ type: TokenUsageRef, resolve: (attempt) => attempt }),
    costUsd: t.expose('costNanoUsd', {
      type: 'Usd',
      nullable: true,
      description: 'Null when unknown, never zero for unknown.',
    }),
    costSource: t.expose('costSource', { type: CostSourceEnum }),
    latencyMs: t.exposeInt('latencyMs', { nullable: true }),
    firstTokenMs: t.exposeInt('firstTokenMs', { nullable: true }),
    startedAt: t.expose('startedAt', { type: 'DateTime' }),
    finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true }),
    upstreamId: t.exposeString('upstreamId', { nullable: true, description: "The answer's id at the gateway." }),
  }),
});

export const attemptNode: NodeReader = {
  ref: AttemptRef,
  async read(ids, query, { caller, prisma }) {
    const keys = ids.map(parseAttemptId).filter((key) => key !== undefined);
    // The ledger has no relation to its swarm: which of these swarms may be seen is asked apart.
    const swarms = await prisma.swarm.findMany({
      where: { id: { in: keys.map((key) => key.swarmId) }, ...swarmScope(caller) },
      select: { id: true },
    });
    const visible = new Set(swarms.map((swarm) => swarm.id));
    const where = { OR: keys.filter((key) => visible.has(key.swarmId)) };
    const attempts = await prisma.attempt.findMany({ ...query, where });
    return new Map(attempts.map((row) => [attemptId(row.swarmId, row.agentIndex, row.number), row]));
  },
};
