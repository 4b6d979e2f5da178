import type { NanoUsd } from './money.ts';
import type { BudgetAction, FusionStrategy } from './status.ts';

type Maybe<T> = T | null | undefined;

/** `LaunchSwarmInput` of the API, after its scalars were read. */
export interface LaunchInput {
  readonly name?: Maybe<string>;
  readonly goal?: Maybe<string>;
  readonly plan: PlanInput;
  readonly fusion?: Maybe<FusionInput>;
  readonly concurrency?: Maybe<number>;
  readonly budgetUsd?: Maybe<NanoUsd>;
  readonly onBudget: BudgetAction;
  readonly minSuccess: number;
  readonly deadlineMs?: Maybe<number>;
  readonly allowUnpriced: boolean;
  readonly defaults?: Maybe<AgentDefaultsInput>;
  readonly baselineModel?: Maybe<string>;
  readonly labels?: Maybe<readonly { readonly key: string; readonly value: string }[]>;
  readonly idempotencyKey?: Maybe<string>;
}

export interface PlanInput {
  readonly agents?: Maybe<readonly AgentInput[]>;
  readonly template?: Maybe<TemplatePlanInput>;
}

export interface AgentSettingsInput {
  readonly systemPrompt?: Maybe<string>;
  readonly model?: Maybe<string>;
  readonly temperature?: Maybe<number>;
  readonly maxTokens?: Maybe<number>;
  readonly timeoutMs?: Maybe<number>;
  readonly maxAttempts?: Maybe<number>;
}

export interface AgentInput extends AgentSettingsInput {
  readonly key?: Maybe<string>;
  readonly role?: Maybe<string>;
  readonly taskType?: Maybe<string>;
  readonly prompt: string;
}

export interface TemplatePlanInput {
  readonly prompt: string;
  readonly items: readonly unknown[];
  readonly systemPrompt?: Maybe<string>;
  readonly role?: Maybe<string>;
  readonly taskType?: Maybe<string>;
  readonly model?: Maybe<string>;
}

export type AgentDefaultsInput = AgentSettingsInput;

export interface FusionInput {
  readonly strategy: FusionStrategy;
  readonly model?: Maybe<string>;
  readonly instructions?: Maybe<string>;
  readonly maxTokens?: Maybe<number>;
}
