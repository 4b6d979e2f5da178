import { brandWithType } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import { typeOfId } from '../swarm/domain/ids.ts';
import { agentNode } from './agent.ts';
import { apiKeyNode } from './api-key.ts';
import { attemptNode } from './attempt.ts';
import { builder, NodeInterface } from './builder.ts';
import type { SchemaContext } from './context.ts';
import { modelNode } from './model.ts';
import type { NodeReader } from './node-reader.ts';
import { MAX_PAGE } from './page.ts';
import { invalidInput } from './request-error.ts';
import { routingRuleNode } from './routing-rule.ts';
import { rowQuery } from './row-query.ts';
import { swarmNode } from './swarm.ts';
import { tenantNode } from './tenant.ts';

/** By the word that ids begin with. */
const READERS: ReadonlyMap<string, NodeReader> = new Map([
  ['swarm', swarmNode],
  ['agent', agentNode],
  ['attempt', attemptNode],
  ['rule', routingRuleNode],
  ['model', modelNode],
  ['tenant', tenantNode],
  ['key', apiKeyNode],
]);

/** One read a type. Null for what is malformed, missing or foreign: the same answer to all three. */
async function readNodes(
  ids: readonly string[],
  context: SchemaContext,
  info: GraphQLResolveInfo,
): Promise<(object | null)[]> {
  const found = new Map<string, object>();
  const reads = [...READERS].map(async ([type, reader]) => {
    const wanted = new Set(ids.filter((id) => typeOfId(id) === type));
    if (wanted.size === 0) return;
    const query = rowQuery({ context, info, typeName: reader.ref.name });
    for (const [id, row] of await reader.read([...wanted], query, context)) {
      brandWithType(row, reader.ref);
      found.set(id, row);
    }
  });
  await Promise.all(reads);
  return ids.map((id) => found.get(id) ?? null);
}

builder.queryField('node', (t) =>
  t.field({
    type: NodeInterface,
    nullable: true,
    description: 'Anything by its id. Null when there is no such thing, or the caller may not see it.',
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, context, info) => (await readNodes([id], context, info))[0] ?? null,
  }),
);

builder.queryField('nodes', (t) =>
  t.field({
    type: [NodeInterface],
    nullable: { list: false, items: true },
    description: 'In the order of the ids, which are at most 1,000.',
    args: { ids: t.arg.idList({ required: true }) },
    resolve: (_root, { ids }, context, info) => {
      if (ids.length <= MAX_PAGE) return readNodes(ids, context, info);
      throw invalidInput(`ids has ${ids.length} entries; at most ${MAX_PAGE} are read at once.`);
    },
  }),
);
