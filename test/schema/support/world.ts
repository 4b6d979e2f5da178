import type { Caller } from '../../../src/swarm/engine/caller.ts';
import type { Engine } from '../../../src/swarm/engine/engine.ts';
import type { ApiKey, Tenant } from '../../../src/swarm/store/generated/client.ts';
import { databases, type TestDatabase } from '../../support/databases.ts';
import { type Api, anApi } from './api.ts';
import { aKey, aTenant } from './rows.ts';

/** Two tenants, each with a key, and an admin of all, on a seeded database of a test file's own. */
export interface World extends Api {
  readonly tenant: Tenant;
  readonly key: ApiKey;
  readonly other: Tenant;
  readonly otherKey: ApiKey;
  /** Of all tenants. Asks when nobody else is named. */
  readonly admin: Caller;
  readonly member: Caller;
  readonly viewer: Caller;
  readonly stranger: Caller;
  /** `tenantId` and `apiKeyId` of the first tenant. */
  readonly ours: { readonly tenantId: string; readonly apiKeyId: string };
  readonly theirs: { readonly tenantId: string; readonly apiKeyId: string };
}

export async function aWorld(open: () => Promise<TestDatabase>, engine: Partial<Engine> = {}): Promise<World> {
  const test = await open();
  const { prisma } = test.database;
  const [tenant, other] = [await aTenant(prisma), await aTenant(prisma)];
  const key = await aKey(prisma, { tenantId: tenant.id, role: 'MEMBER' });
  const otherKey = await aKey(prisma, { tenantId: other.id, role: 'MEMBER' });
  const adminKey = await aKey(prisma);
  const admin: Caller = { apiKeyId: adminKey.id, tenantId: null, role: 'ADMIN' };
  const ours = { tenantId: tenant.id, apiKeyId: key.id };
  const theirs = { tenantId: other.id, apiKeyId: otherKey.id };
  const api = await anApi(test, admin, engine);
  const close = async () => {
    await api.close();
    await test.drop();
  };
  return {
    ...{ ...api, tenant, key, other, otherKey, admin, ours, theirs, close },
    member: { ...ours, role: 'MEMBER' },
    viewer: { ...ours, role: 'VIEWER' },
    stranger: { ...theirs, role: 'MEMBER' },
  };
}

/** PGlite alone: enough where no statement is of our own making. */
export async function aSmallWorld(engine: Partial<Engine> = {}): Promise<World> {
  const [pglite] = databases;
  if (pglite === undefined) throw new Error('There is no database to test on.');
  return aWorld(pglite.open, engine);
}
