import { agentId, parseAgentId } from '../swarm/domain/ids.ts';
import type { AgentPlace } from './agent-loaders.ts';
import { AttemptRef } from './attempt.ts';
import { builder, NodeInterface } from './builder.ts';
import { FAILURE_COLUMNS, FailureRef, failureOf } from './failure.ts';
import type { NodeReader } from './node-reader.ts';
import { swarmScope } from './scope.ts';
import { AgentStatusEnum } from './status.ts';
import { TokenUsageRef, USAGE_COLUMNS } from './token-usage.ts';

interface AgentRoute {
  readonly ruleName: string | null;
  readonly models: readonly string[];
  readonly reason: string;
}

const AgentRouteRef = builder.objectRef<AgentRoute>('AgentRoute').implement({
  description: 'As it was when the agent was begun; before that, as it would be now.',
  fields: (t) => ({
    ruleName: t.exposeString('ruleName', { nullable: true, description: 'Null: no rule matched.' }),
    models: t.field({ type: ['String'], description: 'In the order they are asked.', resolve: ({ models }) => models }),
    reason: t.exposeString('reason'),
  }),
});

export const AgentRef = builder.prismaObject('Agent', {
  description: 'One member of a swarm: a prompt to be answered.',
  interfaces: [NodeInterface],
  // Column by column: a list of agents does not read their prompts and answers.
  select: { swarmId: true, index: true },
  fields: (t) => ({
    id: t.id({ resolve: ({ swarmId, index }) => agentId(swarmId, index) }),
    swarm: t.relation('swarm'),
    key: t.exposeString('key', { description: 'Unique within its swarm.' }),
    index: t.exposeInt('index', { description: 'Its place in the swarm, from 0.' }),
    role: t.exposeString('role', { nullable: true }),
    taskType: t.exposeString('taskType', { nullable: true }),
    prompt: t.exposeString('prompt'),
    status: t.expose('status', { type: AgentStatusEnum }),
    failure: t.field({ type: FailureRef, nullable: true, select: FAILURE_COLUMNS, resolve: failureOf }),
    model: t.string({
      description: 'The model that answered, else the one it is routed to.',
      select: { routedModel: true },
      resolve: async ({ routedModel, swarmId, index }, _args, { loaders }) =>
        routedModel ?? (await loaders.routes.load({ swarmId, index })).models[0] ?? '',
    }),
    route: t.field({
      type: AgentRouteRef,
      select: { routeRule: true, routeModels: true, routeReason: true },
      resolve: async ({ routeRule, routeModels, routeReason, swarmId, index }, _args, { loaders }) => {
        if (routeReason !== null) return { ruleName: routeRule, models: routeModels, reason: routeReason };
        const { rule, models, reason } = await loaders.routes.load({ swarmId, index });
        return { ruleName: rule?.name ?? null, models, reason };
      },
    }),
    output: t.string({
      nullable: true,
      description: 'Never cut. While it runs: the text so far.',
      select: { status: true, output: true },
      resolve: ({ swarmId, index, status, output }, _args, { engine }) =>
        (status === 'RUNNING' ? engine.liveText(swarmId, index) : undefined) ?? output,
    }),
    isTruncated: t.exposeBoolean('isTruncated', { description: 'The model stopped at its output limit.' }),
    attempts: t.field({
      type: [AttemptRef],
      description: 'By number, also those whose answer was not used.',
      select: { swarmId: true, index: true },
      resolve: ({ swarmId, index }, _args, { loaders }) => loaders.attempts.load({ swarmId, index }),
    }),
    usage: t.field({ type: TokenUsageRef, select: USAGE_COLUMNS, resolve: (agent) => agent }),
    costUsd: t.expose('costNanoUsd', { type: 'Usd', description: 'The known costs of all its attempts.' }),
    latencyMs: t.exposeInt('latencyMs', { nullable: true, description: 'Of the attempt that was answered.' }),
    firstTokenMs: t.exposeInt('firstTokenMs', { nullable: true }),
    startedAt: t.expose('startedAt', { type: 'DateTime', nullable: true }),
    finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true }),
  }),
});

export const agentNode: NodeReader = {
  ref: AgentRef,
  async read(ids, query, { caller, prisma }) {
    const places = ids.map(parseAgentId).filter((place) => place !== undefined);
    const where = { OR: places, swarm: swarmScope(caller) };
    const agents: AgentPlace[] = await prisma.agent.findMany({ ...query, where });
    return new Map(agents.map((agent) => [agentId(agent.swarmId, agent.index), agent]));
  },
};
