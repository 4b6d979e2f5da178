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

/** Gathers what the attempts of one swarm add to the hourly sums until the next commit. */
export class RollupGatherer {
  #rows = new Map<string, RollupRow>();

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
    row.costNanoUsd = (BigInt(row.costNanoUsd) + cost).toString();
    if (isWasted) row.wastedNanoUsd = (BigInt(row.wastedNanoUsd) + cost).toString();
    if (booking.source === 'ESTIMATED') row.estimatedNanoUsd = (BigInt(row.estimatedNanoUsd) + cost).toString();
  }

  take(): RollupRow[] {
    const rows = [...this.#rows.values()];
    this.#rows = new Map();
    return rows;
  }

  #open(id: string, key: RollupKey, hour: string, model: string): RollupRow {
    const { swarmId, tenantId, apiKeyId, taskType, role, purpose } = key;
    const row: RollupRow = {
      ...{ swarmId, hour, tenantId, apiKeyId, model, taskType, role, purpose, shard: 0 },
      ...{ calls: 0, failedCalls: 0, unpricedCalls: 0 },
      ...{ inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 },
      ...{ costNanoUsd: '0', wastedNanoUsd: '0', estimatedNanoUsd: '0' },
    };
    this.#rows.set(id, row);
    return row;
  }
}
