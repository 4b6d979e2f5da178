/** Tokens of one attempt, or of many. `cachedInput` is part of `input`, `reasoning` part of `output`. */
export interface TokenUsage {
  readonly input: number;
  readonly cachedInput: number;
  readonly output: number;
  readonly reasoning: number;
}

export const NO_USAGE: TokenUsage = { input: 0, cachedInput: 0, output: 0, reasoning: 0 };

export function addUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    input: a.input + b.input,
    cachedInput: a.cachedInput + b.cachedInput,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
  };
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.trunc(value) : undefined;
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/**
 * Reads the `usage` object of an OpenAI-compatible answer (platform.openai.com/docs/api-reference/chat/object).
 * Undefined when it holds no token counts. More cached than prompt tokens are clamped to the prompt's.
 */
export function parseUsage(raw: unknown): TokenUsage | undefined {
  const usage = record(raw);
  const input = count(usage['prompt_tokens']);
  const output = count(usage['completion_tokens']);
  if (input === undefined && output === undefined) return undefined;
  const cached =
    count(record(usage['prompt_tokens_details'])['cached_tokens']) ?? count(usage['prompt_cache_hit_tokens']) ?? 0;
  const reasoning = count(record(usage['completion_tokens_details'])['reasoning_tokens']) ?? 0;
  return {
    input: input ?? 0,
    cachedInput: Math.min(cached, input ?? 0),
    output: output ?? 0,
    reasoning: Math.min(reasoning, output ?? 0),
  };
}
