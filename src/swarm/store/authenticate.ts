import type { Role } from '../domain/status.ts';
import type { Prisma } from './database.ts';
import { findApiKey } from './find-api-key.ts';

/** `lastUsedAt` is written no more often than this. */
const TOUCH_MS = 60_000;
const BEARER = /^(?:Bearer\s+)?(\S+)$/i;

export interface Authenticated {
  readonly apiKeyId: string;
  readonly tenantId: string | null;
  readonly role: Role;
}

/** Who sends this `Authorization` header ("Bearer KEY", or the bare key); undefined: nobody that we know. */
export function authenticator(
  prisma: Prisma,
): (authorization: string | undefined) => Promise<Authenticated | undefined> {
  return async (authorization) => {
    const secret = BEARER.exec(authorization?.trim() ?? '')?.[1];
    if (secret === undefined) return undefined;
    const now = new Date();
    const key = await findApiKey(prisma, secret, now);
    if (key === undefined) return undefined;
    if (key.lastUsedAt === null || now.getTime() - key.lastUsedAt.getTime() > TOUCH_MS) {
      await prisma.apiKey.update({ where: { id: key.id }, data: { lastUsedAt: now } });
    }
    return { apiKeyId: key.id, tenantId: key.tenantId, role: key.role };
  };
}
