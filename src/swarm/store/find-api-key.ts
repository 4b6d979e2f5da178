import { createHash, timingSafeEqual } from 'node:crypto';
import type { Role } from '../domain/status.ts';
import type { Prisma } from './database.ts';

export interface FoundKey {
  readonly id: string;
  readonly tenantId: string | null;
  readonly role: Role;
  readonly lastUsedAt: Date | null;
}

/** The characters of a key that are kept in the clear, for people and for the look-up. */
export function prefixOf(secret: string): string {
  return secret.slice(0, 12);
}

/** SHA-256: a key of 192 random bits needs no slow hash. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** The key with this secret, unless it is unknown, expired or revoked: three reasons, one answer. */
export async function findApiKey(prisma: Prisma, secret: string, now: Date): Promise<FoundKey | undefined> {
  const key = await prisma.apiKey.findUnique({ where: { prefix: prefixOf(secret) } });
  const given = Buffer.from(hashOf(secret));
  const isSame = timingSafeEqual(given, key === null ? Buffer.alloc(given.length) : Buffer.from(key.secretHash));
  if (key === null || !isSame || key.revokedAt !== null) return undefined;
  if (key.expiresAt !== null && key.expiresAt <= now) return undefined;
  return key;
}
