import type { Caller } from '../swarm/engine/caller.ts';
import { ApiKeyRef } from './api-key.ts';
import { builder } from './builder.ts';
import { RoleEnum } from './status.ts';
import { TenantRef } from './tenant.ts';

const ViewerRef = builder.objectRef<Caller>('Viewer').implement({
  description: 'Who asks.',
  fields: (t) => ({
    apiKey: t.prismaField({
      type: ApiKeyRef,
      nullable: true,
      resolve: (query, { apiKeyId }, _args, { prisma }) =>
        prisma.apiKey.findUnique({ ...query, where: { id: apiKeyId } }),
    }),
    tenant: t.prismaField({
      type: TenantRef,
      nullable: true,
      description: 'Null: all tenants.',
      resolve: (query, { tenantId }, _args, { prisma }) =>
        tenantId === null ? null : prisma.tenant.findUnique({ ...query, where: { id: tenantId } }),
    }),
    role: t.expose('role', { type: RoleEnum }),
  }),
});

builder.queryField('viewer', (t) => t.field({ type: ViewerRef, resolve: (_root, _args, { caller }) => caller }));
