/** Agents that match get this route. Empty `taskTypes` or `roles` match any; the first enabled match by position serves. */
export interface RoutingRule {
  readonly id: string;
  readonly name: string;
  readonly position: number;
  readonly isEnabled: boolean;
  readonly taskTypes: readonly string[];
  readonly roles: readonly string[];
  readonly minPromptTokens: number | null;
  readonly maxPromptTokens: number | null;
  /** The first serves; the others are fallbacks, in order. */
  readonly models: readonly string[];
  readonly systemPrompt: string | null;
  readonly temperature: number | null;
  readonly maxTokens: number | null;
  readonly timeoutMs: number | null;
  readonly maxAttempts: number | null;
}

export interface Routable {
  readonly taskType: string | null;
  readonly role: string | null;
  readonly model: string | null;
  readonly promptTokens: number;
}

/** The models that may answer, in order, and why. */
export interface Route {
  readonly rule: RoutingRule | undefined;
  readonly models: readonly string[];
  readonly reason: string;
}

function matches(rule: RoutingRule, agent: Routable): boolean {
  const isListed = (list: readonly string[], value: string | null) =>
    list.length === 0 || (value !== null && list.includes(value.toLowerCase()));
  return (
    rule.isEnabled &&
    isListed(rule.taskTypes, agent.taskType) &&
    isListed(rule.roles, agent.role) &&
    agent.promptTokens >= (rule.minPromptTokens ?? 0) &&
    agent.promptTokens <= (rule.maxPromptTokens ?? Number.POSITIVE_INFINITY)
  );
}

/** An agent's own model goes first, with the rule's models behind it. `isUsable` leaves out models that are turned off. */
export function resolveRoute(
  agent: Routable,
  rules: readonly RoutingRule[],
  isUsable: (model: string) => boolean,
): Route {
  const rule = rules.find((candidate) => matches(candidate, agent));
  const ruleModels = rule?.models ?? [];
  const wanted = agent.model === null ? ruleModels : [agent.model, ...ruleModels.filter((m) => m !== agent.model)];
  const behind = rule === undefined ? 'no rule matches' : `fallbacks by rule "${rule.name}"`;
  const what = agent.taskType === null ? 'no task type' : `task type "${agent.taskType}"`;
  const reason =
    agent.model !== null
      ? `The agent asks for ${agent.model}; ${behind}.`
      : rule === undefined
        ? `No enabled rule matches (${what}).`
        : `Rule "${rule.name}" at position ${rule.position} matches (${what}).`;
  return { rule, models: wanted.filter(isUsable), reason };
}
