import type { Caller } from '../swarm/engine/caller.ts';
import { forbidden } from './request-error.ts';

/** Which swarms a caller may see: its tenant's, or, without a tenant, all. What is foreign is answered as missing. */
export function swarmScope({ tenantId }: Caller): { tenantId?: string } {
  return tenantId === null ? {} : { tenantId };
}

/** Throws for those who may only look. */
export function requireMember({ role }: Caller): void {
  if (role === 'VIEWER') throw forbidden('This key has the role VIEWER: it may read and watch, but change nothing.');
}
