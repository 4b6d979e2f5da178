import { storableText } from '../swarm/domain/text.ts';
import type { AgentFilter } from '../swarm/store/read-agent-indexes.ts';
import { AgentRef } from './agent.ts';
import { builder } from './builder.ts';
import type { SchemaContext } from './context.ts';
import { cutPage, type Page, pageOf } from './page.ts';
import { rowQuery } from './row-query.ts';
import { AgentStatusEnum } from './status.ts';
import { SwarmRef } from './swarm.ts';

const AgentFilterInput = builder.inputType('AgentFilter', {
  description: 'All that is given has to fit; of a list, one. An empty list restricts nothing.',
  fields: (t) => ({
    status: t.field({ type: [AgentStatusEnum] }),
    role: t.stringList(),
    taskType: t.stringList(),
    model: t.stringList({ description: 'What `Agent.model` shows.' }),
  }),
});

type FilterInput = typeof AgentFilterInput.$inferInput;

function listOf<Value>(values: readonly Value[] | null | undefined): readonly Value[] | null {
  return values === null || values === undefined || values.length === 0 ? null : values;
}

/** Undefined: all agents fit. */
export function filterOf(input: FilterInput | null | undefined): AgentFilter | undefined {
  const filter = {
    status: listOf(input?.status),
    role: listOf(input?.role)?.map(storableText) ?? null,
    taskType: listOf(input?.taskType)?.map(storableText) ?? null,
    model: listOf(input?.model)?.map(storableText) ?? null,
  };
  return Object.values(filter).some((list) => list !== null) ? filter : undefined;
}

const CURSOR = /^agent:(\d{1,6})$/;

export function encodePlace(index: number): string {
  return Buffer.from(`agent:${index}`).toString('base64url');
}

export function decodePlace(cursor: string): number | undefined {
  const match = CURSOR.exec(Buffer.from(cursor, 'base64url').toString());
  return match === null ? undefined : Number(match[1]);
}

/** What of ascending indexes is on a page, in its reading direction, and one more if there is one. */
export function readPlaces(indexes: readonly number[], { limit, isBackward, after, before }: Page<number>): number[] {
  const from = after === undefined ? 0 : indexes.findIndex((index) => index > after);
  const end = before === undefined ? -1 : indexes.findIndex((index) => index >= before);
  const between = from === -1 ? [] : indexes.slice(from, end === -1 ? undefined : end);
  return isBackward ? between.slice(-limit - 1).reverse() : between.slice(0, limit + 1);
}

/** Agents of a swarm are numbered without a gap, so that without a filter their number says which ones there are. */
function indexesOf(
  swarm: { readonly id: string; readonly total: number },
  filter: AgentFilter | undefined,
  { loaders }: SchemaContext,
): readonly number[] | Promise<readonly number[]> {
  if (filter === undefined) return Array.from({ length: swarm.total }, (_, index) => index);
  return loaders.agentIndexes(filter).load(swarm.id);
}

const AGENT_NODES = { typeName: 'Agent', paths: [['nodes'], ['edges', 'node']] };
const PLACE_COLUMNS = { swarmId: true, index: true } as const;

builder.prismaObjectField(SwarmRef, 'agents', (t) =>
  t.connection(
    {
      type: AgentRef,
      description: 'In the order of the plan.',
      args: { filter: t.arg({ type: AgentFilterInput }) },
      select: { total: true },
      resolve: async (swarm, args, context, info) => {
        const page = pageOf(args, decodePlace);
        const indexes = await indexesOf(swarm, filterOf(args.filter), context);
        const { entries, pageInfo } = cutPage(readPlaces(indexes, page), page, encodePlace);
        return {
          pageInfo,
          totalCount: indexes.length,
          // Not read by who asks for the count alone.
          get edges() {
            const query = rowQuery({ context, info, ...AGENT_NODES, select: PLACE_COLUMNS });
            const loader = context.loaders.agents(query);
            return Promise.all(entries.map((index) => loader.load({ swarmId: swarm.id, index }))).then((agents) =>
              agents.filter((agent) => agent !== undefined).map((node) => ({ cursor: encodePlace(node.index), node })),
            );
          },
        };
      },
    },
    { name: 'AgentConnection', fields: (c) => ({ totalCount: c.exposeInt('totalCount') }) },
    { name: 'AgentEdge' },
  ),
);

builder.prismaObjectField(SwarmRef, 'agent', (t) =>
  t.field({
    type: AgentRef,
    nullable: true,
    description: 'Null: no agent has this key.',
    args: { key: t.arg.string({ required: true }) },
    select: { id: true },
    resolve: async ({ id: swarmId }, { key }, context, info) => {
      const query = rowQuery({ context, info, select: PLACE_COLUMNS });
      const index = await context.loaders.agentIndex.load({ swarmId, key: storableText(key) });
      return index === undefined ? null : context.loaders.agents(query).load({ swarmId, index });
    },
  }),
);
