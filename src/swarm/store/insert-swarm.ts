import type { SwarmSettings } from '../domain/launch-settings.ts';
import type { PlannedAgent } from '../domain/plan.ts';
import type { Prisma } from './database.ts';

export interface NewSwarm {
  readonly id: string;
  readonly tenantId: string;
  readonly apiKeyId: string;
  readonly name: string | null;
  readonly goal: string | null;
  readonly spec: object;
  readonly labels: readonly { readonly key: string; readonly value: string }[];
  readonly idempotencyKey: string | null;
  readonly inputHash: string;
  readonly settings: SwarmSettings;
  readonly agents: readonly PlannedAgent[];
  readonly createdAt: Date;
}

/** One statement and one parameter for all agents: `createMany` would block the event loop for seconds at 10,000. */
const INSERT_AGENTS = `
  INSERT INTO "Agent" ("swarmId", index, key, role, "taskType", "systemPrompt", prompt, model, temperature,
                       "maxTokens", "timeoutMs", "maxAttempts")
  SELECT $1, v.index, v.key, v.role, v."taskType", v."systemPrompt", v.prompt, v.model, v.temperature,
         v."maxTokens", v."timeoutMs", v."maxAttempts"
  FROM jsonb_to_recordset($2::jsonb) AS v(
    index int, key text, role text, "taskType" text, "systemPrompt" text, prompt text, model text,
    temperature double precision, "maxTokens" int, "timeoutMs" int, "maxAttempts" int)`;

/** Makes a swarm durable with all its agents, or throws (Prisma's P2002 when its idempotency key is taken). */
export async function insertSwarm(prisma: Prisma, swarm: NewSwarm): Promise<void> {
  const { settings, agents, id, createdAt, labels, ...columns } = swarm;
  const { fusion, defaults, ...inForce } = settings;
  const rows = JSON.stringify(agents.map((agent, index) => ({ ...agent, index })));
  await prisma.$transaction(
    async (tx) => {
      await tx.swarm.create({
        data: {
          id,
          ...columns,
          createdAt,
          labels: [...labels],
          ...inForce,
          defaults: { ...defaults },
          fusionStrategy: fusion.strategy,
          fusionModel: fusion.model,
          total: agents.length,
          queued: agents.length,
        },
      });
      await tx.$executeRawUnsafe(INSERT_AGENTS, id, rows);
    },
    { timeout: 60_000, maxWait: 30_000 },
  );
}
