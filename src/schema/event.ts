import { encodeCursor } from '../swarm/domain/cursor.ts';
import type { EventData, SwarmEvent } from '../swarm/domain/event.ts';
import { agentId } from '../swarm/domain/ids.ts';
import { AgentRef } from './agent.ts';
import { builder } from './builder.ts';
import { FailureRef } from './failure.ts';
import { SwarmProgressRef } from './progress.ts';
import { rowQuery } from './row-query.ts';
import { AgentStatusEnum, SwarmStatusEnum } from './status.ts';
import { SwarmRef } from './swarm.ts';

type EventOf<Type extends EventData['type']> = SwarmEvent & { readonly data: EventData & { readonly type: Type } };

export const SwarmEventRef = builder.interfaceRef<SwarmEvent>('SwarmEvent').implement({
  description:
    "A durable fact. Strictly ordered per swarm: `sequence` is 1, 2, 3 … without a gap. Each one carries the swarm's state right after it, so that a client needs no second request.",
  resolveType: ({ data }) => TYPE_NAME[data.type],
  fields: (t) => ({
    cursor: t.field({ type: 'EventCursor', resolve: ({ swarmId, sequence }) => encodeCursor(swarmId, sequence) }),
    sequence: t.exposeInt('sequence'),
    occurredAt: t.expose('occurredAt', { type: 'DateTime' }),
    progress: t.field({ type: SwarmProgressRef, resolve: ({ data }) => data.progress }),
    costUsd: t.field({ type: 'Usd', resolve: ({ data }) => BigInt(data.costNanoUsd) }),
  }),
});

const TYPE_NAME: Record<EventData['type'], string> = {
  'swarm-status': 'SwarmStatusChanged',
  'agent-status': 'AgentStatusChanged',
};

builder.objectRef<EventOf<'swarm-status'>>('SwarmStatusChanged').implement({
  interfaces: [SwarmEventRef],
  fields: (t) => ({
    swarmStatus: t.field({ type: SwarmStatusEnum, resolve: ({ data }) => data.swarmStatus }),
    failure: t.field({ type: FailureRef, nullable: true, resolve: ({ data }) => data.failure }),
    swarm: t.field({
      type: SwarmRef,
      description: 'As it is now.',
      resolve: async ({ swarmId }, _args, context, info) => {
        const query = rowQuery({ context, info });
        const swarm = await context.loaders.swarms(query).load(swarmId);
        if (swarm === undefined) throw new Error(`Swarm ${swarmId} has events and no row.`);
        return swarm;
      },
    }),
  }),
});

builder.objectRef<EventOf<'agent-status'>>('AgentStatusChanged').implement({
  interfaces: [SwarmEventRef],
  fields: (t) => ({
    agentId: t.id({ resolve: ({ swarmId, data }) => agentId(swarmId, data.index) }),
    agentKey: t.string({ resolve: ({ data }) => data.key }),
    agentStatus: t.field({ type: AgentStatusEnum, resolve: ({ data }) => data.agentStatus }),
    attempt: t.int({
      description: 'The number of the attempt that it is about; 0 before the first.',
      resolve: ({ data }) => data.attempt,
    }),
    model: t.string({ nullable: true, resolve: ({ data }) => data.model }),
    failure: t.field({ type: FailureRef, nullable: true, resolve: ({ data }) => data.failure }),
    retryAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the next attempt is due.',
      resolve: ({ data }) => (data.retryAt === null ? null : new Date(data.retryAt)),
    }),
    agent: t.field({
      type: AgentRef,
      description: 'As it is now. The other fields are as they were right after this event.',
      resolve: async ({ swarmId, data }, _args, context, info) => {
        const query = rowQuery({ context, info, select: { swarmId: true, index: true } });
        const agent = await context.loaders.agents(query).load({ swarmId, index: data.index });
        if (agent === undefined) throw new Error(`Agent ${data.index} of ${swarmId} has events and no row.`);
        return agent;
      },
    }),
  }),
});
