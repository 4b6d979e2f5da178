import type { Booking } from '../domain/booking.ts';
import type { Failure } from '../domain/fault.ts';
import type { AttemptPurpose, AttemptStatus } from '../domain/status.ts';
import type { AttemptRow } from '../store/journal-rows.ts';
import { failureColumns } from './agent-state.ts';

/** An attempt that was sent. */
export interface AttemptStart {
  readonly agentIndex: number;
  readonly number: number;
  readonly purpose: AttemptPurpose;
  readonly model: string;
  readonly startedAt: Date;
}

/** How it ended, and what it is booked with. */
export interface AttemptEnd {
  readonly status: Exclude<AttemptStatus, 'RUNNING'>;
  readonly booking: Booking;
  readonly servedModel: string | null;
  readonly httpStatus: number | null;
  readonly failure: Failure | null;
  readonly retryAt: Date | null;
  readonly latencyMs: number | null;
  readonly firstTokenMs: number | null;
  readonly finishedAt: Date;
  readonly upstreamId: string | null;
}

export function attemptRow(swarmId: string, start: AttemptStart, end: AttemptEnd | undefined): AttemptRow {
  const { booking } = end ?? {};
  const { usage, price } = booking ?? {};
  return {
    swarmId,
    agentIndex: start.agentIndex,
    number: start.number,
    purpose: start.purpose,
    status: end?.status ?? 'RUNNING',
    requestedModel: start.model,
    servedModel: end?.servedModel ?? undefined,
    httpStatus: end?.httpStatus ?? undefined,
    ...failureColumns(end?.failure ?? null),
    retryAt: end?.retryAt?.toISOString() ?? undefined,
    inputTokens: usage?.input ?? 0,
    cachedInputTokens: usage?.cachedInput ?? 0,
    outputTokens: usage?.output ?? 0,
    reasoningTokens: usage?.reasoning ?? 0,
    inputNanoUsd: price?.inputNanoUsd.toString() ?? undefined,
    cachedInputNanoUsd: price?.cachedInputNanoUsd.toString() ?? undefined,
    outputNanoUsd: price?.outputNanoUsd.toString() ?? undefined,
    costNanoUsd: booking?.costNanoUsd?.toString() ?? undefined,
    costSource: booking?.source ?? 'UNKNOWN',
    isWasted: end !== undefined && end.status !== 'SUCCEEDED',
    latencyMs: end?.latencyMs ?? undefined,
    firstTokenMs: end?.firstTokenMs ?? undefined,
    startedAt: start.startedAt.toISOString(),
    finishedAt: end?.finishedAt.toISOString() ?? undefined,
    upstreamId: end?.upstreamId ?? undefined,
  };
}
