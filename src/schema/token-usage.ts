import { builder } from './builder.ts';

/** The columns of swarms, agents, attempts and breakdowns. */
export interface UsageColumns {
  readonly inputTokens: number | bigint;
  readonly cachedInputTokens: number | bigint;
  readonly outputTokens: number | bigint;
  readonly reasoningTokens: number | bigint;
}

export const USAGE_COLUMNS = {
  inputTokens: true,
  cachedInputTokens: true,
  outputTokens: true,
  reasoningTokens: true,
} as const;

export const TokenUsageRef = builder.objectRef<UsageColumns>('TokenUsage').implement({
  description: 'Tokens of all attempts, also of those whose answer was not used.',
  fields: (t) => ({
    input: t.expose('inputTokens', { type: 'BigInt' }),
    cachedInput: t.expose('cachedInputTokens', { type: 'BigInt', description: 'Part of `input`.' }),
    output: t.expose('outputTokens', { type: 'BigInt' }),
    reasoning: t.expose('reasoningTokens', { type: 'BigInt', description: 'Part of `output`.' }),
  }),
});
