import type { Price } from './price.ts';
import { type Routable, type Route, type RoutingRule, resolveRoute } from './route.ts';

export interface ModelFacts {
  readonly name: string;
  readonly gateway: string;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  readonly isEnabled: boolean;
  /** In force now; undefined: nobody knows what it costs. */
  readonly price: Price | undefined;
}

/** What is known of models and rules at one instant. */
export interface Catalog {
  /** By position. */
  readonly rules: readonly RoutingRule[];
  /** By name, exactly. */
  readonly models: ReadonlyMap<string, ModelFacts>;
}

export function isUsableModel(catalog: Catalog, model: string): boolean {
  return catalog.models.get(model)?.isEnabled === true;
}

export function routeIn(catalog: Catalog, agent: Routable): Route {
  return resolveRoute(agent, catalog.rules, (model) => isUsableModel(catalog, model));
}

export function priceOf(catalog: Catalog, model: string): Price | undefined {
  return catalog.models.get(model)?.price;
}
