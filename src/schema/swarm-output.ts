import { agentId } from '../swarm/domain/ids.ts';
import { storableText } from '../swarm/domain/text.ts';
import type { OutputPiece } from '../swarm/engine/follow-output.ts';
import { builder } from './builder.ts';
import type { SchemaContext } from './context.ts';
import { checkInterval, findSwarm } from './follow-arguments.ts';
import { invalidInput, quoted } from './request-error.ts';

interface OutputChunk extends OutputPiece {
  readonly swarmId: string;
}

const OutputChunkRef = builder.objectRef<OutputChunk>('OutputChunk').implement({
  description:
    "A piece of an agent's text while it is being written; not part of the log. `offset` counts UTF-16 units from the start of that attempt's text. The first piece after subscribing holds all text so far.",
  fields: (t) => ({
    agentId: t.id({ resolve: ({ swarmId, agentIndex }) => agentId(swarmId, agentIndex) }),
    agentKey: t.exposeString('agentKey'),
    attempt: t.exposeInt('attempt', { description: 'A new attempt writes its text anew, from offset 0.' }),
    offset: t.exposeInt('offset'),
    text: t.exposeString('text'),
    isLast: t.exposeBoolean('isLast', { description: 'Nothing more comes of this attempt.' }),
  }),
});

const MOST_NAMED = 5;

/** The indexes of the agents with these keys, or INVALID_INPUT that names the unknown ones. Undefined: all agents. */
async function indexesOf(
  swarmId: string,
  keys: readonly string[] | null | undefined,
  { loaders }: SchemaContext,
): Promise<number[] | undefined> {
  if (keys === null || keys === undefined) return undefined;
  if (keys.length === 0) throw invalidInput('agentKeys is empty; name agents, or leave it out to get all.');
  const indexes = await Promise.all(keys.map((key) => loaders.agentIndex.load({ swarmId, key: storableText(key) })));
  const unknown = keys.filter((_, at) => indexes[at] === undefined);
  if (unknown.length > 0) {
    const named = unknown.slice(0, MOST_NAMED).map((key) => quoted(key));
    const others = unknown.length > MOST_NAMED ? ` and ${unknown.length - MOST_NAMED} more` : '';
    throw invalidInput(`agentKeys: this swarm has no agent ${named.join(', ')}${others}.`);
  }
  return indexes.filter((index) => index !== undefined);
}

builder.subscriptionField('swarmOutput', (t) =>
  t.field({
    type: [OutputChunkRef],
    description: 'Live text of all, or of the named, agents of one swarm.',
    args: {
      swarmId: t.arg.id({ required: true }),
      agentKeys: t.arg.stringList(),
      minIntervalMs: t.arg.int({
        required: true,
        defaultValue: 100,
        description: 'Text is gathered for so long, at most 10,000.',
      }),
    },
    subscribe: async (_root, { swarmId, agentKeys, minIntervalMs }, context) => {
      checkInterval('minIntervalMs', minIntervalMs, 0, 10_000);
      await findSwarm(swarmId, context);
      const indexes = await indexesOf(swarmId, agentKeys, context);
      return context.engine.followOutput(swarmId, indexes, minIntervalMs, context.signal);
    },
    resolve: (pieces, { swarmId }) => pieces.map((piece) => ({ ...piece, swarmId })),
  }),
);
