import type { Failure } from '../domain/fault.ts';

/** Why a run stops before all its agents have ended. */
export type Halt =
  | { readonly kind: 'canceled'; readonly failure: Failure }
  /** By the caller, or by the budget. Attempts under way end by themselves. */
  | { readonly kind: 'paused'; readonly failure: Failure | null }
  /** Attempts under way end by themselves: their cost is reserved. */
  | { readonly kind: 'over-budget'; readonly failure: Failure }
  | { readonly kind: 'deadline'; readonly failure: Failure }
  /** This server stops; the next one goes on. */
  | { readonly kind: 'stopped'; readonly failure: Failure }
  /** Another process owns the swarm: nothing may be written any more. */
  | { readonly kind: 'fenced'; readonly failure: Failure };

/** Requests under way are closed at once. */
export function closesRequests(halt: Halt): boolean {
  return halt.kind !== 'paused' && halt.kind !== 'over-budget';
}

/** Agents that are still open are ended with the run; otherwise they wait for the next one. */
export function endsAgents(halt: Halt): halt is Extract<Halt, { kind: 'canceled' | 'over-budget' | 'deadline' }> {
  return halt.kind === 'canceled' || halt.kind === 'over-budget' || halt.kind === 'deadline';
}

const STRENGTH: Record<Halt['kind'], number> = {
  paused: 0,
  'over-budget': 1,
  deadline: 2,
  stopped: 3,
  canceled: 4,
  fenced: 5,
};

/** A stronger word replaces a weaker one: a pause can still become a cancel. */
export function isStronger(halt: Halt, than: Halt | undefined): boolean {
  return than === undefined || STRENGTH[halt.kind] > STRENGTH[than.kind];
}
