import type { InputIssue } from '../domain/issue.ts';
import type { NanoUsd } from '../domain/money.ts';
import type { SwarmStatus } from '../domain/status.ts';

/** `launched` with `isReplay`: the idempotency key was used before, with the same input. */
export type LaunchResult =
  | { readonly kind: 'launched'; readonly swarmId: string; readonly isReplay: boolean }
  | { readonly kind: 'invalid-input'; readonly issues: readonly InputIssue[] }
  | { readonly kind: 'budget-exceeded'; readonly budgetNanoUsd: NanoUsd; readonly neededNanoUsd: NanoUsd }
  | { readonly kind: 'idempotency-conflict'; readonly swarmId: string };

/** Foreign and missing swarms are `not-found` alike. */
export type ChangeResult =
  | { readonly kind: 'changed'; readonly swarmId: string }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'invalid-state'; readonly status: SwarmStatus; readonly message: string };
