import type { RoutingRule } from './route.ts';

/** How an agent is asked, when it says so itself. */
export interface AgentSettings {
  readonly systemPrompt: string | null;
  readonly temperature: number | null;
  readonly maxTokens: number | null;
  readonly timeoutMs: number | null;
  readonly maxAttempts: number | null;
}

/** A swarm's defaults for its agents. */
export interface AgentDefaults extends AgentSettings {
  readonly model: string | null;
}

export interface ResolvedSettings {
  readonly systemPrompt: string | undefined;
  readonly temperature: number;
  readonly maxTokens: number;
  readonly timeoutMs: number;
  readonly maxAttempts: number;
}

export const BUILT_IN = { temperature: 0.7, maxTokens: 2048, timeoutMs: 120_000, maxAttempts: 3 } as const;

/** The agent's own word is the strongest, then its rule's, then its swarm's, then the built-in one. */
export function resolveSettings(
  agent: AgentSettings,
  rule: RoutingRule | undefined,
  swarm: AgentSettings,
): ResolvedSettings {
  return {
    systemPrompt: agent.systemPrompt ?? rule?.systemPrompt ?? swarm.systemPrompt ?? undefined,
    temperature: agent.temperature ?? rule?.temperature ?? swarm.temperature ?? BUILT_IN.temperature,
    maxTokens: agent.maxTokens ?? rule?.maxTokens ?? swarm.maxTokens ?? BUILT_IN.maxTokens,
    timeoutMs: agent.timeoutMs ?? rule?.timeoutMs ?? swarm.timeoutMs ?? BUILT_IN.timeoutMs,
    maxAttempts: agent.maxAttempts ?? rule?.maxAttempts ?? swarm.maxAttempts ?? BUILT_IN.maxAttempts,
  };
}
