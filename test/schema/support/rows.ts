import { typeid } from 'typeid-js';
import type { EventFact } from '../../../src/swarm/domain/event.ts';
import { FUSION_INDEX } from '../../../src/swarm/domain/ids.ts';
import { type Progress, queuedProgress } from '../../../src/swarm/domain/progress.ts';
import type { Prisma as Client } from '../../../src/swarm/store/database.ts';
import type { Agent, ApiKey, Attempt, Prisma, Swarm, Tenant } from '../../../src/swarm/store/generated/client.ts';

/** Dollars as the database keeps them. */
export function dollars(amount: number): bigint {
  return BigInt(Math.round(amount * 1_000_000_000));
}

let made = 0;

export async function aTenant(prisma: Client, name?: string): Promise<Tenant> {
  made += 1;
  return prisma.tenant.create({ data: { id: typeid('tenant').toString(), name: name ?? `tenant ${made}` } });
}

export async function aKey(prisma: Client, words: Partial<Prisma.ApiKeyUncheckedCreateInput> = {}): Promise<ApiKey> {
  made += 1;
  const data = { name: `key ${made}`, prefix: `wgl_${made}_${process.pid}`, secretHash: 'f00', role: 'ADMIN' } as const;
  return prisma.apiKey.create({ data: { id: typeid('key').toString(), ...data, ...words } });
}

export type SwarmWords = Partial<Prisma.SwarmUncheckedCreateInput> & Pick<Swarm, 'tenantId' | 'apiKeyId'>;

/** A swarm without agents, unless `total` says how many there are going to be. */
export async function aSwarm(prisma: Client, words: SwarmWords): Promise<Swarm> {
  const total = words.total ?? 0;
  return prisma.swarm.create({
    data: {
      id: typeid('swarm').toString(),
      spec: { plan: 'agents', template: null },
      inputHash: 'hash',
      concurrency: 10,
      onBudget: 'FUSE_PARTIAL',
      allowUnpriced: false,
      minSuccess: 1,
      defaults: {},
      total,
      queued: total,
      fusionStrategy: 'NONE',
      createdAt: new Date('2026-03-01T00:00:00Z'),
      ...words,
    },
  });
}

/** The swarm's agents 0, 1, 2 …, one for each entry. */
export async function theAgents(
  prisma: Client,
  swarmId: string,
  words: readonly Partial<Prisma.AgentUncheckedCreateInput>[],
): Promise<Agent[]> {
  return prisma.agent.createManyAndReturn({
    data: words.map((word, index) => ({
      ...{ swarmId, index, key: `agent-${index + 1}`, prompt: `Do ${index}.`, ...word },
    })),
  });
}

export function anAttempt(
  swarmId: string,
  agentIndex: number,
  words: Partial<Prisma.AttemptUncheckedCreateInput> = {},
): Prisma.AttemptUncheckedCreateInput {
  return {
    swarmId,
    agentIndex,
    number: 1,
    purpose: agentIndex === FUSION_INDEX ? 'FUSE' : 'AGENT',
    status: 'SUCCEEDED',
    requestedModel: 'openai/gpt-4.1',
    costSource: 'PRICED',
    costNanoUsd: 0n,
    startedAt: new Date('2026-03-01T00:00:01Z'),
    ...words,
  };
}

export async function theAttempts(
  prisma: Client,
  attempts: readonly Prisma.AttemptUncheckedCreateInput[],
): Promise<Attempt[]> {
  return prisma.attempt.createManyAndReturn({ data: [...attempts] });
}

/** Events 1, 2, 3 … of the swarm, with these facts. */
export async function theEvents(
  prisma: Client,
  swarmId: string,
  facts: readonly EventFact[],
  progress: Progress = queuedProgress(1),
): Promise<void> {
  await prisma.swarmEvent.createMany({
    data: facts.map((fact, at) => ({
      swarmId,
      sequence: at + 1,
      occurredAt: new Date(Date.UTC(2026, 2, 1, 0, 0, at)),
      // A plain object; Prisma asks for an index signature, which interfaces have not.
      data: { ...fact, progress, costNanoUsd: String(at * 1_000) } as unknown as Prisma.InputJsonObject,
    })),
  });
  await prisma.swarm.update({ where: { id: swarmId }, data: { lastSequence: facts.length } });
}

export function agentIs(index: number, agentStatus: Agent['status'], attempt = 0): EventFact {
  const [key, model, failure, retryAt] = [`agent-${index + 1}`, null, null, null];
  return { type: 'agent-status', index, key, agentStatus, attempt, model, failure, retryAt };
}

export function swarmIs(swarmStatus: Swarm['status']): EventFact {
  return { type: 'swarm-status', swarmStatus, failure: null };
}
