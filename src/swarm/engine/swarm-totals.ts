import type { Booking } from '../domain/booking.ts';
import { addUsage, type TokenUsage } from '../domain/usage.ts';
import type { Swarm } from '../store/generated/client.ts';
import type { SwarmRow } from '../store/journal-rows.ts';

/** How an attempt counts in its swarm's figures. */
export interface AttemptTally {
  readonly booking: Booking;
  readonly isFailed: boolean;
  readonly isWasted: boolean;
  readonly isRateLimited: boolean;
  readonly isTimedOut: boolean;
}

type TotalColumns =
  | 'attempts'
  | 'failedAttempts'
  | 'retries'
  | 'rateLimited'
  | 'timeouts'
  | 'inputTokens'
  | 'cachedInputTokens'
  | 'outputTokens'
  | 'reasoningTokens'
  | 'costNanoUsd'
  | 'wastedNanoUsd'
  | 'estimatedNanoUsd'
  | 'unpricedCalls';

/** A swarm's counters and sums; always what its ledger adds up to. */
export class SwarmTotals {
  #attempts: number;
  #failedAttempts: number;
  #retries: number;
  #rateLimited: number;
  #timeouts: number;
  #usage: TokenUsage;
  #costNanoUsd: bigint;
  #wastedNanoUsd: bigint;
  #estimatedNanoUsd: bigint;
  #unpricedCalls: number;

  constructor(swarm: Swarm) {
    this.#attempts = swarm.attempts;
    this.#failedAttempts = swarm.failedAttempts;
    this.#retries = swarm.retries;
    this.#rateLimited = swarm.rateLimited;
    this.#timeouts = swarm.timeouts;
    this.#usage = {
      input: Number(swarm.inputTokens),
      cachedInput: Number(swarm.cachedInputTokens),
      output: Number(swarm.outputTokens),
      reasoning: Number(swarm.reasoningTokens),
    };
    this.#costNanoUsd = swarm.costNanoUsd;
    this.#wastedNanoUsd = swarm.wastedNanoUsd;
    this.#estimatedNanoUsd = swarm.estimatedNanoUsd;
    this.#unpricedCalls = swarm.unpricedCalls;
  }

  get costNanoUsd(): bigint {
    return this.#costNanoUsd;
  }

  begin(isRetry: boolean): void {
    this.#attempts += 1;
    if (isRetry) this.#retries += 1;
  }

  end({ booking, isFailed, isWasted, isRateLimited, isTimedOut }: AttemptTally): void {
    if (isFailed) this.#failedAttempts += 1;
    if (isRateLimited) this.#rateLimited += 1;
    if (isTimedOut) this.#timeouts += 1;
    this.#usage = addUsage(this.#usage, booking.usage);
    if (booking.costNanoUsd === null) this.#unpricedCalls += 1;
    const cost = booking.costNanoUsd ?? 0n;
    this.#costNanoUsd += cost;
    if (isWasted) this.#wastedNanoUsd += cost;
    if (booking.source === 'ESTIMATED') this.#estimatedNanoUsd += cost;
  }

  columns(): Pick<SwarmRow, TotalColumns> {
    return {
      attempts: this.#attempts,
      failedAttempts: this.#failedAttempts,
      retries: this.#retries,
      rateLimited: this.#rateLimited,
      timeouts: this.#timeouts,
      inputTokens: this.#usage.input,
      cachedInputTokens: this.#usage.cachedInput,
      outputTokens: this.#usage.output,
      reasoningTokens: this.#usage.reasoning,
      costNanoUsd: this.#costNanoUsd.toString(),
      wastedNanoUsd: this.#wastedNanoUsd.toString(),
      estimatedNanoUsd: this.#estimatedNanoUsd.toString(),
      unpricedCalls: this.#unpricedCalls,
    };
  }
}
