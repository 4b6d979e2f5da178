import SchemaBuilder from '@pothos/core';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import type PrismaTypes from '../swarm/store/generated/pothos-types.ts';
import { getDatamodel } from '../swarm/store/generated/pothos-types.ts';
import type { SchemaContext } from './context.ts';
import { DEFAULT_PAGE } from './page.ts';

/** A type and not an interface: Pothos wants to see that there is nothing else in it. */
type Scalars = {
  readonly DateTime: { Input: Date; Output: Date };
  /** Billionths of a dollar. */
  readonly Usd: { Input: bigint; Output: bigint };
  readonly BigInt: { Input: bigint; Output: bigint | number };
  readonly JSON: { Input: unknown; Output: unknown };
  readonly EventCursor: { Input: string; Output: string };
  readonly ID: { Input: string; Output: string };
};

/** Every file of this folder adds its noun to this builder; `index.ts` makes the schema of it. */
export const builder = new SchemaBuilder<{
  Context: SchemaContext;
  Scalars: Scalars;
  PrismaTypes: PrismaTypes;
  DefaultFieldNullability: false;
  DefaultEdgesNullability: false;
  DefaultNodeNullability: false;
}>({
  plugins: [RelayPlugin, PrismaPlugin],
  defaultFieldNullability: false,
  prisma: { client: (context) => context.prisma, dmmf: getDatamodel() },
  relay: {
    nodesOnConnection: true,
    edgesFieldOptions: { nullable: false },
    nodeFieldOptions: { nullable: false },
    // Ids are ours as they are: node.ts reads them, and nothing is wrapped in Base64.
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    nodeTypeOptions: { description: 'What has an id of its own, typed and sortable, the same in the logs and in SQL.' },
    pageInfoTypeOptions: {},
    firstArgOptions: { defaultValue: DEFAULT_PAGE, description: 'At most 1,000.' },
    lastArgOptions: { description: 'Counts from the end, and takes the place of `first`. At most 1,000.' },
  },
});

builder.queryType({});
builder.mutationType({});
builder.subscriptionType({});

export const NodeInterface = builder.nodeInterfaceRef();
