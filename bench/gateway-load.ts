import type { RequestFacts } from '../src/sandbox/facts.ts';
import { latencyOf } from '../src/sandbox/latency.ts';

/** The sandbox's settings that decide how long an answer takes and how large it is. */
export interface GatewayLoad {
  readonly seed: number;
  /** Median of the time to the headers; log-normal with `sigma`. */
  readonly latencyMs: number;
  readonly sigma: number;
  readonly chunkCount: number;
  readonly answerTokens: number;
  /** 0: all chunks of an answer at once. */
  readonly tokensPerSecond: number;
}

export const ANSWER = { seed: 20_261_201, sigma: 0.5, chunkCount: 16, answerTokens: 100 } as const;

/** What `POST /sandbox/configure` takes. `stallMs`: every answer begins so much later. */
export function sandboxSettings(load: GatewayLoad, stallMs = 0): object {
  const { latencyMs, sigma, ...rest } = load;
  const faults = stallMs === 0 ? [] : [{ fault: 'stall', stallMs }];
  return { ...rest, latency: latencyMs === 0 ? 0 : { medianMs: latencyMs, sigma }, faults };
}

function factsOf(agentIndex: number): RequestFacts {
  const nobody = { swarmId: undefined, agentId: undefined, attemptId: undefined, idempotencyKey: undefined };
  const nothing = { model: '', isStream: true, systemPrompt: '', prompt: '', promptTokens: 0, maxTokens: undefined };
  return { ...nobody, ...nothing, agentIndex, attemptNumber: 1, contentHash: 0, arrival: 1 };
}

/** How long the sandbox takes for the first attempt of each agent, whoever asks: it depends on seed and index alone. */
export function latenciesMs(load: GatewayLoad, agents: number): number[] {
  const { latencyMs, sigma, seed, answerTokens, tokensPerSecond } = load;
  const writingMs = tokensPerSecond === 0 ? 0 : (answerTokens / tokensPerSecond) * 1_000;
  const spread = { medianMs: latencyMs, sigma };
  return Array.from({ length: agents }, (_, index) => latencyOf(spread, factsOf(index), seed) + writingMs);
}
