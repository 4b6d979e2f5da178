import type { Fault } from './fault.ts';
import type { TokenUsage } from './usage.ts';

/** One request to a gateway, as the executor sends it. */
export interface CompletionRequest {
  readonly swarmId: string;
  /** The agent's id; for a swarm's own requests, such as its fusion, the swarm's. */
  readonly agentId: string;
  /** Also the idempotency key. */
  readonly attemptId: string;
  readonly model: string;
  readonly systemPrompt: string | undefined;
  readonly prompt: string;
  readonly temperature: number;
  readonly maxTokens: number;
  /** The most time for the whole attempt. */
  readonly timeoutMs: number;
}

/** What was received of an answer, whole or not. `text` can be stored: no NUL, no lone surrogate. */
export interface Received {
  readonly text: string;
  /** As the gateway reported it (the last report wins); undefined: it gave none. */
  readonly usage: TokenUsage | undefined;
  /** `model` of the answer. */
  readonly servedModel: string | undefined;
  readonly upstreamId: string | undefined;
  readonly httpStatus: number | undefined;
  readonly latencyMs: number;
  readonly firstTokenMs: number | undefined;
  /** The gateway took the request and did not refuse it: without reported usage its cost is an estimate, not nothing. */
  readonly isBillable: boolean;
}

/** How an attempt ended. A fault is a value, never an exception; `aborted`: by the caller's signal. */
export type Completion =
  | (Received & { readonly kind: 'answered'; readonly isTruncated: boolean })
  | (Received & { readonly kind: 'faulted'; readonly fault: Fault })
  | (Received & { readonly kind: 'aborted' });
