import { type Catalog, priceOf, routeIn } from '../domain/catalog.ts';
import type { InputIssue } from '../domain/issue.ts';
import type { SwarmSettings } from '../domain/launch-settings.ts';
import type { NanoUsd } from '../domain/money.ts';
import type { PlannedAgent } from '../domain/plan.ts';
import { worstCost } from '../domain/price.ts';
import type { Route } from '../domain/route.ts';
import { type ResolvedSettings, resolveSettings } from '../domain/settings.ts';
import { estimateTokens, mostPromptTokens } from '../domain/tokens.ts';

/** How a planned agent would be asked by the rules in force at its launch. */
export interface Forecast {
  readonly agent: PlannedAgent;
  readonly route: Route;
  readonly settings: ResolvedSettings;
}

export function forecast(agent: PlannedAgent, settings: SwarmSettings, catalog: Catalog): Forecast {
  const model = agent.model ?? settings.defaults.model;
  const route = routeIn(catalog, { ...agent, model, promptTokens: estimateTokens(agent.prompt) });
  return { agent, route, settings: resolveSettings(agent, route.rule, settings.defaults) };
}

/** With a budget, every model that may be asked needs a price, unless the caller allows it. */
export function checkPrices(forecasts: readonly Forecast[], settings: SwarmSettings, catalog: Catalog): InputIssue[] {
  if (settings.budgetNanoUsd === null || settings.allowUnpriced) return [];
  const { strategy, model } = settings.fusion;
  const fuser = strategy === 'SYNTHESIZE' && model !== null ? [model] : [];
  const models = new Set([...forecasts.flatMap(({ route }) => route.models), ...fuser]);
  const unpriced = [...models].filter((name) => priceOf(catalog, name) === undefined);
  return unpriced.map((name) => ({
    path: ['input', 'budgetUsd'],
    code: 'NO_PRICE',
    message: `Model "${name}" has no price, so the budget cannot be kept; set its price, or allowUnpriced.`,
  }));
}

/** The least that must be free for the first agent to be asked: its worst case, and the fusion's share. */
export function leastBudget(first: Forecast, fusionShare: NanoUsd, catalog: Catalog): NanoUsd {
  const model = first.route.models[0];
  const price = model === undefined ? undefined : priceOf(catalog, model);
  if (price === undefined) return fusionShare;
  const texts = { systemPrompt: first.settings.systemPrompt, prompt: first.agent.prompt };
  return fusionShare + worstCost(mostPromptTokens(texts), first.settings.maxTokens, price);
}
