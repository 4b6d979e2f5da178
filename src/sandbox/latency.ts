import { chanceOf, type RequestFacts } from './facts.ts';
import { normal } from './random.ts';

/** Milliseconds of every request, a log-normal spread around a median, or whatever a function says. */
export type Latency = number | LogNormal | ((facts: RequestFacts) => number);

export interface LogNormal {
  readonly medianMs: number;
  /** Standard deviation of the logarithm: at 0.5 two of three requests lie between 0.6 and 1.65 medians. */
  readonly sigma: number;
}

/** Whole milliseconds; of the same agent, attempt and seed always the same. */
export function latencyOf(latency: Latency, facts: RequestFacts, seed: number): number {
  if (typeof latency === 'number') return Math.round(latency);
  if (typeof latency === 'function') return Math.round(latency(facts));
  return Math.round(latency.medianMs * Math.exp(latency.sigma * normal(seed, 4, ...chanceOf(facts))));
}
