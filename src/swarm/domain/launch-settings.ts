import { type Catalog, isUsableModel, priceOf } from './catalog.ts';
import { type InputIssue, IssueList } from './issue.ts';
import type { FusionInput, LaunchInput } from './launch-input.ts';
import type { NanoUsd } from './money.ts';
import { MAX_CONCURRENCY, MAX_TEXT } from './plan.ts';
import type { AgentDefaults } from './settings.ts';
import type { BudgetAction } from './status.ts';

const DEFAULT_CONCURRENCY = 100;
const MAX_LABELS = 50;
const WEEK_MS = 7 * 24 * 3_600_000;

export interface FusionSettings {
  readonly strategy: FusionInput['strategy'];
  readonly model: string | null;
  readonly instructions: string | null;
  readonly maxTokens: number | null;
}

/** What is in force for a swarm after defaults were applied. */
export interface SwarmSettings {
  readonly concurrency: number;
  readonly budgetNanoUsd: NanoUsd | null;
  readonly onBudget: BudgetAction;
  readonly allowUnpriced: boolean;
  readonly minSuccess: number;
  readonly deadlineMs: number | null;
  readonly defaults: AgentDefaults;
  readonly baselineModel: string | null;
  readonly fusion: FusionSettings;
}

export function settingsOf(input: LaunchInput, agentCount: number): SwarmSettings {
  const { defaults, fusion } = input;
  return {
    concurrency: input.concurrency ?? Math.min(DEFAULT_CONCURRENCY, Math.max(1, agentCount)),
    budgetNanoUsd: input.budgetUsd ?? null,
    onBudget: input.onBudget,
    allowUnpriced: input.allowUnpriced,
    minSuccess: input.minSuccess,
    deadlineMs: input.deadlineMs ?? null,
    defaults: {
      systemPrompt: defaults?.systemPrompt ?? null,
      model: defaults?.model ?? null,
      temperature: defaults?.temperature ?? null,
      maxTokens: defaults?.maxTokens ?? null,
      timeoutMs: defaults?.timeoutMs ?? null,
      maxAttempts: defaults?.maxAttempts ?? null,
    },
    baselineModel: input.baselineModel ?? null,
    fusion: {
      strategy: fusion?.strategy ?? 'CONCAT',
      model: fusion?.model ?? null,
      instructions: fusion?.instructions ?? null,
      maxTokens: fusion?.maxTokens ?? null,
    },
  };
}

function checkFusion(issues: IssueList, input: LaunchInput, catalog: Catalog): void {
  const { fusion } = input;
  if (!fusion) return;
  const path = ['input', 'fusion'];
  issues.text([...path, 'instructions'], fusion.instructions, MAX_TEXT);
  issues.inRange([...path, 'maxTokens'], fusion.maxTokens, 1, 1_000_000);
  if (fusion.model && !isUsableModel(catalog, fusion.model)) {
    issues.add([...path, 'model'], 'UNKNOWN', `Model "${fusion.model}" is not known or turned off; see Query.models.`);
  }
  if (fusion.strategy === 'SYNTHESIZE') {
    if (!input.goal && !fusion.instructions) {
      const message = 'SYNTHESIZE answers the goal, and there is none; write goal, or fusion.instructions.';
      issues.add(['input', 'goal'], 'REQUIRED', message);
    }
    return;
  }
  for (const field of ['model', 'instructions', 'maxTokens'] as const) {
    if (fusion[field] === null || fusion[field] === undefined) continue;
    const message = `${fusion.strategy} asks no model, so ${field} would do nothing; leave it out or take SYNTHESIZE.`;
    issues.add([...path, field], 'NOT_APPLICABLE', message);
  }
}

function checkLabels(issues: IssueList, labels: NonNullable<LaunchInput['labels']>): void {
  const path = ['input', 'labels'];
  if (labels.length > MAX_LABELS) {
    issues.add(path, 'OUT_OF_RANGE', `labels has ${labels.length} entries; at most ${MAX_LABELS} are taken.`);
  }
  const seen = new Set<string>();
  labels.forEach((label, index) => {
    const at = [...path, String(index)];
    issues.text([...at, 'key'], label.key, 100);
    if (label.value.length > 500) issues.add([...at, 'value'], 'OUT_OF_RANGE', 'value is longer than 500 characters.');
    issues.storable([...at, 'value'], label.value);
    if (seen.has(label.key)) issues.add([...at, 'key'], 'DUPLICATE', `Label "${label.key}" is given twice.`);
    seen.add(label.key);
  });
}

/** Names every problem of a launch outside its plan. */
export function checkLaunchSettings(input: LaunchInput, catalog: Catalog): InputIssue[] {
  const issues = new IssueList();
  issues.text(['input', 'name'], input.name, 200);
  issues.text(['input', 'goal'], input.goal, MAX_TEXT);
  issues.text(['input', 'idempotencyKey'], input.idempotencyKey, 255);
  issues.inRange(['input', 'concurrency'], input.concurrency, 1, MAX_CONCURRENCY);
  issues.inRange(['input', 'minSuccess'], input.minSuccess, 0, 1);
  issues.inRange(['input', 'deadlineMs'], input.deadlineMs, 1, WEEK_MS);
  if (input.budgetUsd !== null && input.budgetUsd !== undefined && input.budgetUsd < 0n) {
    issues.add(
      ['input', 'budgetUsd'],
      'OUT_OF_RANGE',
      'budgetUsd is negative; give the most the swarm may cost, or none.',
    );
  }
  if (input.baselineModel && priceOf(catalog, input.baselineModel) === undefined) {
    const message = `Model "${input.baselineModel}" has no price to compare with; see Query.models.`;
    issues.add(['input', 'baselineModel'], 'UNKNOWN', message);
  }
  checkFusion(issues, input, catalog);
  checkLabels(issues, input.labels ?? []);
  return issues.found;
}
