import { typeOfId } from '../swarm/domain/ids.ts';
import { builder } from './builder.ts';
import { cutPage, pageOf } from './page.ts';
import { rowQuery } from './row-query.ts';
import { swarmScope } from './scope.ts';
import { SwarmRef } from './swarm.ts';
import { SwarmFilterInput, whereOf } from './swarm-filter.ts';
import {
  beyond,
  decodePlace,
  encodePlace,
  NEWEST_FIRST,
  ORDER_COLUMNS,
  type OrderColumns,
  orderBy,
  SwarmOrderInput,
} from './swarm-order.ts';

builder.queryField('swarm', (t) =>
  t.prismaField({
    type: SwarmRef,
    nullable: true,
    description: 'Null when there is no such swarm, or the caller may not see it.',
    args: { id: t.arg.id({ required: true }) },
    resolve: (query, _root, { id }, { caller, prisma }) =>
      typeOfId(id) === 'swarm' ? prisma.swarm.findFirst({ ...query, where: { id, ...swarmScope(caller) } }) : null,
  }),
);

const SWARM_NODES = { typeName: 'Swarm', paths: [['nodes'], ['edges', 'node']] };

builder.queryField('swarms', (t) =>
  t.connection(
    {
      type: SwarmRef,
      description: 'The newest first, unless `orderBy` says otherwise.',
      args: { filter: t.arg({ type: SwarmFilterInput }), orderBy: t.arg({ type: SwarmOrderInput }) },
      resolve: async (_root, args, context, info) => {
        const { caller, prisma } = context;
        const order = args.orderBy ?? NEWEST_FIRST;
        const page = pageOf(args, (cursor) => decodePlace(order, cursor));
        const fitting = { ...whereOf(args.filter), ...swarmScope(caller) };
        const query = rowQuery({ context, info, ...SWARM_NODES, select: ORDER_COLUMNS });
        const bounds = [
          page.after === undefined ? {} : beyond(order, page.after, false),
          page.before === undefined ? {} : beyond(order, page.before, true),
        ];
        const read: OrderColumns[] = await prisma.swarm.findMany({
          ...query,
          where: { AND: [fitting, ...bounds] },
          orderBy: orderBy(order, page.isBackward),
          take: page.limit + 1,
        });
        const { entries, pageInfo } = cutPage(read, page, (swarm) => encodePlace(order, swarm));
        const edges = entries.map((node) => ({ cursor: encodePlace(order, node), node }));
        return { pageInfo, edges, countSwarms: () => prisma.swarm.count({ where: fitting }) };
      },
    },
    {
      name: 'SwarmConnection',
      fields: (c) => ({ totalCount: c.int({ resolve: ({ countSwarms }) => countSwarms() }) }),
    },
    { name: 'SwarmEdge' },
  ),
);
