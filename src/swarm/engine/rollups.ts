import type { Booking } from '../domain/booking.ts';
import type { AttemptPurpose } from '../domain/status.ts';
import type { RollupRow } from '../store/journal-rows.ts';

const HOUR_MS = 3_600_000;

export interface RollupKey {
  readonly swarmId: string;
  readonly tenantId: string;
  readonly apiKeyId: string;
  readonly taskType: string;
  readonly role: string;
  readonly purpose: AttemptPurpose;
  readonly finishedAt: Date;
}

type Amount = 'costNanoUsd' | 'wastedNanoUsd' | 'estimatedNanoUsd';
/** A row while it is added to. */
type Sums = Omit<RollupRow, Amount> & Record<Amount, bigint>;

/** Gathers what the attempts of one swarm add to the hourly sums until the next commit. */
export class RollupGatherer {
  #rows = new Map<string, Sums>();

  add(key: RollupKey, booking: Booking, isFailed: boolean, isWasted: boolean): void {
    const hour = new Date(Math.floor(key.finishedAt.getTime() / HOUR_MS) * HOUR_MS).toISOString();
    const id = [hour, booking.model, key.taskType, key.role, key.purpose].join('\u0001');
    const row = this.#rows.get(id) ?? this.#open(id, key, hour, booking.model);
    const cost = booking.costNanoUsd ?? 0n;
    row.calls += 1;
    if (isFailed) row.failedCalls += 1;
    if (booking.costNanoUsd === null) row.unpricedCalls += 1;
    row.inputTokens += booking.usage.input;
    row.cachedInputTokens += booking.usage.cachedInput;
    row.outputTokens += booking.usage.output;
    row.reasoningTokens += booking.usage.reasoning;
    row.costNanoUsd += cost;
    if (isWasted) row.wastedNanoUsd += cost;
    if (booking.source === 'ESTIMATED') row.estimatedNanoUsd += cost;
  }

  take(): RollupRow[] {
    const rows = [...this.#rows.values()].map((sums) => ({
      ...sums,
      costNanoUsd: sums.costNanoUsd.toString(),
      wastedNanoUsd: sums.wastedNanoUsd.toString(),
      estimatedNanoUsd: sums.estimatedNanoUsd.toString(),
    }));
    this.#rows = new Map();
    return rows;
  }

  #open(id: string, key: RollupKey, hour: string, model: string): Sums {
    const { swarmId, tenantId, apiKeyId, taskType, role, purpose } = key;
    const row: Sums = {
      ...{ swarmId, hour, tenantId, apiKeyId, model, taskType, role, purpose, shard: 0 },
      ...{ calls: 0, failedCalls: 0, unpricedCalls: 0 },
      ...{ inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 },
      ...{ costNanoUsd: 0n, wastedNanoUsd: 0n, estimatedNanoUsd: 0n },
    };
    this.#rows.set(id, row);
    return row;
  }
}
