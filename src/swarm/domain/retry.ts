import { type Fault, isTransient } from './fault.ts';

export interface RetryPolicy {
  readonly maxAttempts: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  /** A gateway that asks for a longer wait is not waited for. */
  readonly maxRetryAfterMs: number;
}

export const RETRY_POLICY = { baseDelayMs: 500, maxDelayMs: 20_000, maxRetryAfterMs: 120_000 } as const;

export type NextStep =
  /** `model` is a position in the route. */
  { readonly kind: 'retry'; readonly delayMs: number; readonly model: number } | { readonly kind: 'give-up' };

/**
 * What follows a fault of attempt number `attempt` (1 is the first) on the route's model at `model`. The only place
 * that decides about another request. Waits: what the gateway asked for, never shortened; else exponential with full
 * jitter (aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter). The next model of the route is taken after
 * a time-out, for the last attempt, and instead of a wait longer than is waited for. `random` is from 0 to below 1.
 */
export function decideNext(
  fault: Fault,
  attempt: number,
  model: number,
  routeLength: number,
  policy: RetryPolicy,
  random: number,
): NextStep {
  if (!isTransient(fault) || attempt >= policy.maxAttempts) return { kind: 'give-up' };
  const nextModel = Math.min(model + 1, routeLength - 1);
  const asked = fault.kind === 'rate-limited' || fault.kind === 'gateway-error' ? fault.retryAfterMs : undefined;
  if (asked !== undefined && asked > policy.maxRetryAfterMs) {
    return nextModel === model ? { kind: 'give-up' } : { kind: 'retry', delayMs: 0, model: nextModel };
  }
  const moves = fault.kind === 'timed-out' || attempt + 1 === policy.maxAttempts;
  const ceilingMs = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (attempt - 1));
  return { kind: 'retry', delayMs: asked ?? Math.floor(random * ceilingMs), model: moves ? nextModel : model };
}
