import { builder, NodeInterface } from './builder.ts';
import type { NodeReader } from './node-reader.ts';

const RoutingRuleRef = builder.prismaObject('RoutingRule', {
  description: 'Which models serve which agents. The first enabled rule that matches, by position, is the one.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    position: t.exposeInt('position'),
    isEnabled: t.exposeBoolean('isEnabled'),
    taskTypes: t.exposeStringList('taskTypes', { description: 'Empty: any.' }),
    roles: t.exposeStringList('roles', { description: 'Empty: any.' }),
    minPromptTokens: t.exposeInt('minPromptTokens', { nullable: true }),
    maxPromptTokens: t.exposeInt('maxPromptTokens', { nullable: true }),
    models: t.exposeStringList('models', { description: 'The first serves; the others are fallbacks, in order.' }),
    systemPrompt: t.exposeString('systemPrompt', { nullable: true }),
    temperature: t.exposeFloat('temperature', { nullable: true }),
    maxTokens: t.exposeInt('maxTokens', { nullable: true }),
    timeoutMs: t.exposeInt('timeoutMs', { nullable: true }),
    maxAttempts: t.exposeInt('maxAttempts', { nullable: true }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
});

export const routingRuleNode: NodeReader = {
  ref: RoutingRuleRef,
  async read(ids, query, { prisma }) {
    const rules = await prisma.routingRule.findMany({ ...query, where: { id: { in: [...ids] } } });
    return new Map(rules.map((rule) => [rule.id, rule]));
  },
};

builder.queryField('routingRules', (t) =>
  t.prismaField({
    type: [RoutingRuleRef],
    description: 'By position.',
    resolve: (query, _root, _args, { prisma }) =>
      prisma.routingRule.findMany({ ...query, orderBy: [{ position: 'asc' }, { id: 'asc' }] }),
  }),
);
