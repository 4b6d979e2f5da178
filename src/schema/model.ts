import { builder, NodeInterface } from './builder.ts';
import type { NodeReader } from './node-reader.ts';

const ModelPriceRef = builder.prismaObject('ModelPrice', {
  description: 'US dollars per million tokens, from an instant on. Never changed, only followed by another.',
  fields: (t) => ({
    validFrom: t.expose('validFrom', { type: 'DateTime' }),
    inputUsd: t.expose('inputNanoUsd', { type: 'Usd' }),
    cachedInputUsd: t.expose('cachedInputNanoUsd', { type: 'Usd' }),
    outputUsd: t.expose('outputNanoUsd', { type: 'Usd' }),
  }),
});

const ModelRef = builder.prismaObject('Model', {
  description: 'A model at a gateway, with its limits and prices.',
  interfaces: [NodeInterface],
  include: { prices: { orderBy: { validFrom: 'desc' } } },
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    gateway: t.exposeString('gateway'),
    contextWindow: t.exposeInt('contextWindow', { description: 'In tokens, prompt and answer together.' }),
    maxOutputTokens: t.exposeInt('maxOutputTokens'),
    maxConcurrency: t.exposeInt('maxConcurrency', { nullable: true }),
    rpm: t.exposeInt('rpm', { nullable: true, description: 'Requests a minute.' }),
    tpm: t.exposeInt('tpm', { nullable: true, description: 'Tokens a minute.' }),
    isEnabled: t.exposeBoolean('isEnabled'),
    price: t.field({
      type: ModelPriceRef,
      nullable: true,
      description: 'In force now.',
      resolve: ({ prices }) => prices.find((price) => price.validFrom <= new Date()),
    }),
    prices: t.field({ type: [ModelPriceRef], description: 'The newest first.', resolve: ({ prices }) => prices }),
  }),
});

export const modelNode: NodeReader = {
  ref: ModelRef,
  async read(ids, query, { prisma }) {
    const models = await prisma.model.findMany({ ...query, where: { id: { in: [...ids] } } });
    return new Map(models.map((model) => [model.id, model]));
  },
};

builder.queryField('models', (t) =>
  t.prismaField({
    type: [ModelRef],
    description: 'By name.',
    resolve: (query, _root, _args, { prisma }) => prisma.model.findMany({ ...query, orderBy: { name: 'asc' } }),
  }),
);
