import type { Failure } from '../domain/fault.ts';
import type { AgentStatus } from '../domain/status.ts';
import type { Swarm } from '../store/generated/client.ts';
import type { SwarmRow } from '../store/journal-rows.ts';

export interface FusionState {
  readonly status: AgentStatus;
  readonly model: string | null;
  readonly sources: readonly number[];
  readonly missing: readonly number[];
  readonly calls: number;
  readonly levels: number;
  readonly failure: Failure | null;
}

export function fusionState(swarm: Swarm): FusionState {
  return {
    status: swarm.fusionStatus,
    model: swarm.fusionModel,
    sources: swarm.fusionSources,
    missing: swarm.fusionMissing,
    calls: swarm.fusionCalls,
    levels: swarm.fusionLevels,
    failure: null,
  };
}

type FusionColumns = Extract<keyof SwarmRow, `fusion${string}`>;

export function fusionColumns(fusion: FusionState): Pick<SwarmRow, FusionColumns> {
  return {
    fusionStatus: fusion.status,
    fusionModel: fusion.model ?? undefined,
    fusionSources: fusion.sources,
    fusionMissing: fusion.missing,
    fusionCalls: fusion.calls,
    fusionLevels: fusion.levels,
    fusionFailureCode: fusion.failure?.code ?? undefined,
    fusionFailureMessage: fusion.failure?.message ?? undefined,
    fusionFailureIsRetryable: fusion.failure?.isRetryable ?? undefined,
  };
}
