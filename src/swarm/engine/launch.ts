import { typeid } from 'typeid-js';
import { fusionShare } from '../domain/fusion.ts';
import type { LaunchInput } from '../domain/launch-input.ts';
import { checkLaunchSettings, type SwarmSettings, settingsOf } from '../domain/launch-settings.ts';
import { makePlan, type PlannedAgent } from '../domain/plan.ts';
import type { Prisma } from '../store/database.ts';
import { findLaunch } from '../store/find-launch.ts';
import { insertSwarm, type NewSwarm } from '../store/insert-swarm.ts';
import type { CatalogCache } from './catalog-cache.ts';
import { checkPrices, forecast, leastBudget } from './check-budget.ts';
import { inputHash } from './input-hash.ts';
import type { LaunchResult } from './result.ts';
import type { SwarmSpec } from './swarm-spec.ts';

export interface LaunchParts {
  readonly prisma: Prisma;
  readonly catalog: CatalogCache;
  readonly clock: () => Date;
}

type Checked =
  | Extract<LaunchResult, { kind: 'invalid-input' | 'budget-exceeded' }>
  | {
      readonly kind: 'sound';
      readonly settings: SwarmSettings;
      readonly agents: readonly PlannedAgent[];
      readonly spec: SwarmSpec;
    };

/** All that can be wrong with a launch is found here, before anything is stored or sent. */
async function check(input: LaunchInput, { catalog: cache }: LaunchParts): Promise<Checked> {
  const catalog = await cache.current();
  const settings = settingsOf(input, input.plan.agents?.length ?? input.plan.template?.items.length ?? 0);
  const issues = checkLaunchSettings(input, catalog);
  const plan = makePlan(input, settings.defaults, catalog);
  if (plan.kind === 'faulty') issues.push(...plan.issues);
  if (plan.kind === 'faulty' || issues.length > 0) return { kind: 'invalid-input', issues };
  const { agents } = plan;
  const hasBudget = settings.budgetNanoUsd !== null;
  const forecasts = hasBudget ? agents.map((agent) => forecast(agent, settings, catalog)) : [];
  const unpriced = checkPrices(forecasts, settings, catalog);
  if (unpriced.length > 0) return { kind: 'invalid-input', issues: unpriced };
  const maxTokens = forecasts.map((one) => one.settings.maxTokens);
  const share = hasBudget ? fusionShare(settings.fusion, maxTokens, catalog) : 0n;
  const [first] = forecasts;
  const neededNanoUsd = first === undefined ? 0n : leastBudget(first, share, catalog);
  if (settings.budgetNanoUsd !== null && neededNanoUsd > settings.budgetNanoUsd) {
    return { kind: 'budget-exceeded', budgetNanoUsd: settings.budgetNanoUsd, neededNanoUsd };
  }
  const { template } = input.plan;
  const spec: SwarmSpec = {
    plan: template ? 'template' : 'agents',
    template: template ? { prompt: template.prompt } : null,
    fusion: settings.fusion,
    fusionShareNanoUsd: share.toString(),
  };
  return { kind: 'sound', settings, agents, spec };
}

/** Who used this idempotency key before: the same input gets its swarm, any other is told of it. */
async function replay(
  swarm: Pick<NewSwarm, 'tenantId' | 'idempotencyKey' | 'inputHash' | 'createdAt'>,
  prisma: Prisma,
): Promise<LaunchResult | undefined> {
  if (swarm.idempotencyKey === null) return undefined;
  const earlier = await findLaunch(prisma, swarm.tenantId, swarm.idempotencyKey, swarm.createdAt);
  if (earlier === undefined) return undefined;
  return earlier.inputHash === swarm.inputHash
    ? { kind: 'launched', swarmId: earlier.id, isReplay: true }
    : { kind: 'idempotency-conflict', swarmId: earlier.id };
}

function isStorable(text: string | null): boolean {
  return text === null || (text.isWellFormed() && !text.includes('\u0000'));
}

function isTakenKey(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'P2002';
}

/** Stores a swarm with all its agents, or says why not. It does not start it. */
export async function launch(
  input: LaunchInput,
  tenantId: string,
  apiKeyId: string,
  parts: LaunchParts,
): Promise<LaunchResult> {
  const idempotencyKey = input.idempotencyKey ?? null;
  const identity = { tenantId, idempotencyKey, inputHash: inputHash(input), createdAt: parts.clock() };
  // A key that no row can hold was never used; the check below says what is wrong with it.
  const before = isStorable(idempotencyKey) ? await replay(identity, parts.prisma) : undefined;
  if (before !== undefined) return before;
  const checked = await check(input, parts);
  if (checked.kind !== 'sound') return checked;
  const id = typeid('swarm').toString();
  const { settings, agents, spec } = checked;
  const words = { name: input.name ?? null, goal: input.goal ?? null, labels: input.labels ?? [] };
  try {
    await insertSwarm(parts.prisma, { id, apiKeyId, ...identity, ...words, settings, agents, spec });
  } catch (error) {
    // Two launches under one key at once: one of them made the swarm.
    const winner = isTakenKey(error) ? await replay(identity, parts.prisma) : undefined;
    if (winner === undefined) throw error;
    return winner;
  }
  return { kind: 'launched', swarmId: id, isReplay: false };
}
