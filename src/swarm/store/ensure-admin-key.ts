import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { typeid } from 'typeid-js';
import type { Prisma } from './database.ts';
import { findApiKey, hashOf, prefixOf } from './find-api-key.ts';

export interface AdminKey {
  readonly secret: string;
  readonly file: string;
  readonly isNew: boolean;
}

const KEY = /^wgl_[A-Za-z0-9_-]{32,}$/;
/** Keys that came from the environment: the newest one alone is good. */
const FROM_ENVIRONMENT = 'WAGGLE_ADMIN_KEY';

async function readKey(file: string): Promise<string | undefined> {
  try {
    const secret = (await readFile(file, 'utf8')).trim();
    return KEY.test(secret) ? secret : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Makes sure that an admin can come in: with the given key, else with the one in `admin.key`, else with a new one of
 * 192 random bits. The file holds it afterwards (mode 0600), where the CLI reads it.
 */
export async function ensureAdminKey(
  prisma: Prisma,
  folder: string,
  given: string | undefined,
  now: Date,
): Promise<AdminKey> {
  const file = path.join(folder, 'admin.key');
  const kept = await readKey(file);
  const secret = given ?? kept ?? `wgl_${randomBytes(24).toString('base64url')}`;
  const isKnown = (await findApiKey(prisma, secret, now)) !== undefined;
  if (given !== undefined) {
    await prisma.apiKey.updateMany({
      where: { name: FROM_ENVIRONMENT, revokedAt: null, prefix: { not: prefixOf(secret) } },
      data: { revokedAt: now },
    });
  }
  if (!isKnown) {
    const name = given === undefined ? 'admin' : FROM_ENVIRONMENT;
    const key = { name, secretHash: hashOf(secret), role: 'ADMIN', revokedAt: null } as const;
    const prefix = prefixOf(secret);
    await prisma.apiKey.upsert({
      where: { prefix },
      create: { id: typeid('key').toString(), prefix, ...key },
      update: key,
    });
  }
  if (kept !== secret) await writeFile(file, `${secret}\n`, { mode: 0o600 });
  return { secret, file, isNew: !isKnown };
}
