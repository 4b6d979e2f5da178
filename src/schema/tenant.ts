import { builder, NodeInterface } from './builder.ts';
import type { NodeReader } from './node-reader.ts';

export const TenantRef = builder.prismaObject('Tenant', {
  description: 'Whose swarms are kept apart from all others’.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    timeZone: t.exposeString('timeZone', { description: 'An IANA name such as "Asia/Seoul".' }),
  }),
});

export const tenantNode: NodeReader = {
  ref: TenantRef,
  async read(ids, query, { caller, prisma }) {
    const own = caller.tenantId;
    const visible = own === null ? [...ids] : ids.filter((id) => id === own);
    const tenants = await prisma.tenant.findMany({ ...query, where: { id: { in: visible } } });
    return new Map(tenants.map((tenant) => [tenant.id, tenant]));
  },
};
