import { readFile } from 'node:fs/promises';
import { typeid } from 'typeid-js';
import { parseUsd } from '../domain/money.ts';
import type { Prisma } from './database.ts';

const SEED = new URL('../../../prisma/seed.json', import.meta.url);
/** Prices of the seed are in force since ever. */
const SINCE = new Date('2000-01-01T00:00:00Z');

interface Seed {
  readonly models: readonly {
    readonly name: string;
    readonly contextWindow: number;
    readonly maxOutputTokens: number;
    readonly inputUsd: string;
    readonly cachedInputUsd: string;
    readonly outputUsd: string;
  }[];
  readonly rules: readonly {
    readonly name: string;
    readonly position: number;
    readonly taskTypes: string[];
    readonly models: string[];
  }[];
}

export const DEFAULT_TENANT = 'default';
export const DEFAULT_GATEWAY = 'default';

function usd(text: string): bigint {
  const nano = parseUsd(text);
  if (nano === undefined) throw new Error(`prisma/seed.json: "${text}" is no amount.`);
  return nano;
}

/** Fills a new database: the default tenant, and models, prices and rules where there are none at all. */
export async function seed(prisma: Prisma): Promise<void> {
  await prisma.tenant.upsert({
    where: { name: DEFAULT_TENANT },
    create: { id: typeid('tenant').toString(), name: DEFAULT_TENANT },
    update: {},
  });
  if ((await prisma.model.count()) > 0) return;
  const { models, rules }: Seed = JSON.parse(await readFile(SEED, 'utf8'));
  await prisma.$transaction(async (tx) => {
    for (const { name, contextWindow, maxOutputTokens, ...price } of models) {
      const prices = {
        create: {
          validFrom: SINCE,
          inputNanoUsd: usd(price.inputUsd),
          cachedInputNanoUsd: usd(price.cachedInputUsd),
          outputNanoUsd: usd(price.outputUsd),
        },
      };
      const id = typeid('model').toString();
      await tx.model.create({ data: { id, name, gateway: DEFAULT_GATEWAY, contextWindow, maxOutputTokens, prices } });
    }
    for (const rule of rules) {
      await tx.routingRule.create({ data: { id: typeid('rule').toString(), roles: [], ...rule } });
    }
  });
}
