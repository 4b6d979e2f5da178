import type { FusionSettings } from '../domain/launch-settings.ts';
import type { Swarm } from '../store/generated/client.ts';

/** What the launch keeps of the caller's words besides the columns and the agents. Never changed. */
export interface SwarmSpec {
  readonly plan: 'agents' | 'template';
  readonly template: { readonly prompt: string } | null;
  readonly fusion: FusionSettings;
  /** Billionths of a dollar kept back for the fusion, as a string. */
  readonly fusionShareNanoUsd: string;
}

export function specOf(swarm: Swarm): SwarmSpec {
  return swarm.spec as unknown as SwarmSpec;
}
