import type { Role } from '../domain/status.ts';

/** Who asks. `tenantId` null: an admin, who sees all tenants and launches for the default one. */
export interface Caller {
  readonly apiKeyId: string;
  readonly tenantId: string | null;
  readonly role: Role;
}
