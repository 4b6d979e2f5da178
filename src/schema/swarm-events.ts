import { encodeCursor } from '../swarm/domain/cursor.ts';
import type { EventBatch } from '../swarm/engine/follow.ts';
import { builder } from './builder.ts';
import { SwarmEventRef } from './event.ts';
import { sequenceOf } from './event-cursor.ts';
import { checkInterval, findSwarm } from './follow-arguments.ts';
import { SwarmProgressRef } from './progress.ts';
import { SwarmStatusEnum } from './status.ts';

/** What the engine sends, and whose it is. */
interface SwarmEventBatch extends EventBatch {
  readonly swarmId: string;
}

const SwarmEventBatchRef = builder.objectRef<SwarmEventBatch>('SwarmEventBatch').implement({
  description:
    'What came since the last batch, in order. Batches, because 300 agents make hundreds of events a second: one frame,\none render. No events: a heartbeat. `cursor` is where to go on from; `progress` and `costUsd` are as of the last event.',
  fields: (t) => ({
    events: t.field({ type: [SwarmEventRef], resolve: ({ events }) => [...events] }),
    cursor: t.field({ type: 'EventCursor', resolve: ({ swarmId, sequence }) => encodeCursor(swarmId, sequence) }),
    status: t.expose('status', { type: SwarmStatusEnum }),
    progress: t.field({ type: SwarmProgressRef, resolve: ({ progress }) => progress }),
    costUsd: t.expose('costNanoUsd', { type: 'Usd' }),
  }),
});

builder.subscriptionField('swarmEvents', (t) =>
  t.field({
    type: SwarmEventBatchRef,
    description: [
      "Everything after the cursor (from the beginning if it is omitted), then live; completes after the swarm's last event.",
      '`heartbeatMs`: after so long without an event, an empty batch, so that a client can tell silence from a dead connection.',
      '`minIntervalMs`: events are gathered for so long, at most 10,000; 0 sends each commit at once.',
    ].join('\n'),
    args: {
      swarmId: t.arg.id({ required: true }),
      after: t.arg({ type: 'EventCursor' }),
      heartbeatMs: t.arg.int({ required: true, defaultValue: 15_000, description: 'From 100 to 3,600,000.' }),
      minIntervalMs: t.arg.int({ required: true, defaultValue: 50 }),
    },
    subscribe: async (_root, { swarmId, after, heartbeatMs, minIntervalMs }, context) => {
      checkInterval('heartbeatMs', heartbeatMs, 100, 3_600_000);
      checkInterval('minIntervalMs', minIntervalMs, 0, 10_000);
      const { lastSequence } = await findSwarm(swarmId, context);
      const sequence = sequenceOf(after, swarmId, lastSequence);
      return context.engine.follow(swarmId, sequence, { heartbeatMs, minIntervalMs }, context.signal);
    },
    resolve: (batch, { swarmId }) => ({ ...batch, swarmId }),
  }),
);
