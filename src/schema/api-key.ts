import { builder, NodeInterface } from './builder.ts';
import type { NodeReader } from './node-reader.ts';
import { swarmScope } from './scope.ts';
import { RoleEnum } from './status.ts';
import { TenantRef } from './tenant.ts';

export const ApiKeyRef = builder.prismaObject('ApiKey', {
  description: 'A key of the API. The secret itself is kept nowhere.',
  interfaces: [NodeInterface],
  // Column by column, so that not even the hash of the secret is read.
  select: { id: true },
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    prefix: t.exposeString('prefix', { description: 'The first characters of the secret, to tell keys apart.' }),
    role: t.expose('role', { type: RoleEnum }),
    tenant: t.relation('tenant', { type: TenantRef, nullable: true, description: 'Null: a key for all tenants.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true, description: 'To the minute, or so.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true }),
  }),
});

export const apiKeyNode: NodeReader = {
  ref: ApiKeyRef,
  async read(ids, query, { caller, prisma }) {
    // Who is no admin sees the key that it has in its hand.
    const visible = caller.role === 'ADMIN' ? [...ids] : ids.filter((id) => id === caller.apiKeyId);
    const where = { id: { in: visible }, ...swarmScope(caller) };
    const keys: { id: string }[] = await prisma.apiKey.findMany({ ...query, where });
    return new Map(keys.map((key) => [key.id, key]));
  },
};
