import type DataLoader from 'dataloader';
import { routeIn } from '../swarm/domain/catalog.ts';
import { agentId } from '../swarm/domain/ids.ts';
import type { Route } from '../swarm/domain/route.ts';
import { estimateTokens } from '../swarm/domain/tokens.ts';
import type { Engine } from '../swarm/engine/engine.ts';
import type { Prisma } from '../swarm/store/database.ts';
import type { Attempt } from '../swarm/store/generated/client.ts';
import { type AgentFilter, readAgentIndexes } from '../swarm/store/read-agent-indexes.ts';
import { readRoutables } from '../swarm/store/read-routables.ts';
import { batcher, batchers, groupBy } from './batcher.ts';
import type { RowQuery } from './row-query.ts';

/** An agent's place: its primary key. */
export interface AgentPlace {
  readonly swarmId: string;
  readonly index: number;
}

interface AgentName {
  readonly swarmId: string;
  readonly key: string;
}

/** None of them asks who may see the swarm: whoever has its id from a row that was read may. */
export interface AgentLoaders {
  readonly agents: (query: RowQuery) => DataLoader<AgentPlace, AgentPlace | undefined>;
  /** The index of an agent by its key. */
  readonly agentIndex: DataLoader<AgentName, number | undefined>;
  /** The indexes of a swarm's agents that fit, ascending. */
  readonly agentIndexes: (filter: AgentFilter) => DataLoader<string, readonly number[]>;
  /** Attempts of an agent, or of the fusion, by number. */
  readonly attempts: DataLoader<AgentPlace, Attempt[]>;
  /** The route that an agent would have by the rules in force now. */
  readonly routes: DataLoader<AgentPlace, Route>;
}

const nameOf = ({ swarmId, index }: AgentPlace) => agentId(swarmId, index);

/** What is wanted of each swarm: one condition a swarm, however many of its agents it is. */
function bySwarm<Key extends { readonly swarmId: string }, Part>(keys: readonly Key[], partOf: (key: Key) => Part) {
  const parts = new Map<string, Set<Part>>();
  for (const key of keys) parts.set(key.swarmId, (parts.get(key.swarmId) ?? new Set()).add(partOf(key)));
  return [...parts].map(([swarmId, wanted]) => ({ swarmId, in: [...wanted] }));
}

function routeBatcher(prisma: Prisma, engine: Engine): AgentLoaders['routes'] {
  return batcher(async (places) => {
    const catalog = await engine.catalog();
    const isLengthAsked = catalog.rules.some((rule) => rule.minPromptTokens !== null || rule.maxPromptTokens !== null);
    const rows = await readRoutables(prisma, places, isLengthAsked);
    const found = new Map(
      rows.map((row) => [nameOf(row), routeIn(catalog, { ...row, promptTokens: estimateTokens(row.prompt) })]),
    );
    return (place) => found.get(nameOf(place)) ?? { rule: undefined, models: [], reason: 'There is no such agent.' };
  });
}

/** Agents that were never sent to a model fit if the first one of the route they would have does. */
async function fittingIndexes(
  prisma: Prisma,
  routes: AgentLoaders['routes'],
  swarmIds: readonly string[],
  filter: AgentFilter,
): Promise<(swarmId: string) => readonly number[]> {
  const found = await readAgentIndexes(prisma, swarmIds, filter);
  const { model } = filter;
  const fitting = found.map(async ({ swarmId, indexes, unrouted }): Promise<[string, readonly number[]]> => {
    if (model === null || unrouted === null) return [swarmId, indexes];
    const wouldBe = await Promise.all(unrouted.map((index) => routes.load({ swarmId, index })));
    const unfit = new Set(unrouted.filter((_, at) => !model.includes(wouldBe[at]?.models[0] ?? '')));
    return [swarmId, indexes.filter((index) => !unfit.has(index))];
  });
  const indexesOf = new Map(await Promise.all(fitting));
  return (swarmId) => indexesOf.get(swarmId) ?? [];
}

export function createAgentLoaders(prisma: Prisma, engine: Engine): AgentLoaders {
  const routes = routeBatcher(prisma, engine);
  return {
    routes,
    agents: batchers((query) =>
      batcher(async (places) => {
        const wanted = bySwarm(places, (place) => place.index);
        const where = { OR: wanted.map(({ swarmId, in: index }) => ({ swarmId, index: { in: index } })) };
        const rows: AgentPlace[] = await prisma.agent.findMany({ ...query, where });
        const found = new Map(rows.map((row) => [nameOf(row), row]));
        return (place) => found.get(nameOf(place));
      }),
    ),
    agentIndex: batcher(async (names) => {
      const wanted = bySwarm(names, (name) => name.key);
      const where = { OR: wanted.map(({ swarmId, in: key }) => ({ swarmId, key: { in: key } })) };
      const rows = await prisma.agent.findMany({ where, select: { swarmId: true, index: true, key: true } });
      const found = new Map(rows.map((row) => [`${row.swarmId} ${row.key}`, row.index]));
      return ({ swarmId, key }) => found.get(`${swarmId} ${key}`);
    }),
    agentIndexes: batchers((filter) => batcher((swarmIds) => fittingIndexes(prisma, routes, swarmIds, filter))),
    attempts: batcher(async (places) => {
      const wanted = bySwarm(places, (place) => place.index);
      const where = { OR: wanted.map(({ swarmId, in: agentIndex }) => ({ swarmId, agentIndex: { in: agentIndex } })) };
      const rows = await prisma.attempt.findMany({ where, orderBy: { number: 'asc' } });
      const ofAgent = groupBy(rows, (row) => `${row.swarmId} ${row.agentIndex}`);
      return ({ swarmId, index }) => ofAgent(`${swarmId} ${index}`);
    }),
  };
}
