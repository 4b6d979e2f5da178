import { encodeCursor } from '../swarm/domain/cursor.ts';
import type { SwarmEvent } from '../swarm/domain/event.ts';
import { builder } from './builder.ts';
import { SwarmEventRef } from './event.ts';
import { sequenceOf } from './event-cursor.ts';
import { cutPage, type PageInfo, pageOf } from './page.ts';
import { SwarmRef } from './swarm.ts';

interface SwarmEventConnection {
  readonly nodes: readonly SwarmEvent[];
  readonly pageInfo: PageInfo;
}

const SwarmEventConnectionRef = builder.objectRef<SwarmEventConnection>('SwarmEventConnection').implement({
  description: 'A part of the log, in order. The cursors of its `pageInfo` are those of the events.',
  fields: (t) => ({
    nodes: t.field({ type: [SwarmEventRef], resolve: ({ nodes }) => [...nodes] }),
    pageInfo: t.field({ type: builder.pageInfoRef(), resolve: ({ pageInfo }) => pageInfo }),
  }),
});

builder.prismaObjectField(SwarmRef, 'events', (t) =>
  t.field({
    type: SwarmEventConnectionRef,
    description: 'The log from the cursor on; from its beginning if that is omitted.',
    args: {
      first: t.arg.int({ defaultValue: 100, description: 'At most 1,000.' }),
      after: t.arg({ type: 'EventCursor' }),
    },
    select: { lastSequence: true },
    resolve: async ({ id: swarmId, lastSequence }, args, { loaders }) => {
      const after = sequenceOf(args.after, swarmId, lastSequence);
      const page = pageOf({ first: args.first ?? 100, after: args.after }, () => after);
      const read = await loaders.events.load({ swarmId, after, limit: page.limit + 1 });
      const { entries, pageInfo } = cutPage(read, page, ({ sequence }) => encodeCursor(swarmId, sequence));
      return { nodes: entries, pageInfo: { ...pageInfo, hasPreviousPage: after > 0 } };
    },
  }),
);
