import type { Failure } from './fault.ts';
import type { Progress } from './progress.ts';

export type SwarmOutcome =
  | { readonly status: 'SUCCEEDED' | 'PARTIAL' }
  | { readonly status: 'FAILED'; readonly failure: Failure };

/** All agents succeeded: SUCCEEDED. Fewer than `minSuccess` of them: FAILED. Between: PARTIAL. */
export function decideOutcome(progress: Progress, minSuccess: number): SwarmOutcome {
  if (progress.succeeded === progress.total) return { status: 'SUCCEEDED' };
  // In whole agents, so that no rounding of the share decides: 93 of 100 meet 0.93.
  const needed = Math.ceil(minSuccess * progress.total - 1e-9);
  if (progress.succeeded >= needed && progress.succeeded > 0) return { status: 'PARTIAL' };
  const message =
    `${progress.succeeded} of ${progress.total} agents succeeded, ${needed} were needed (minSuccess ${minSuccess}). ` +
    'Their answers are kept and can be read.';
  return { status: 'FAILED', failure: { code: 'TOO_FEW_SUCCEEDED', message, isRetryable: true } };
}
