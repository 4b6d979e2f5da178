import type { IncomingHttpHeaders } from 'node:http';

/** Who sent a request, from Waggle's headers. */
export interface Sender {
  readonly swarmId: string | undefined;
  readonly agentId: string | undefined;
  readonly attemptId: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** The number that an agent id ends in. */
  readonly agentIndex: number | undefined;
  /** 1 when it is not told. */
  readonly attemptNumber: number;
}

/** A request as latency functions and fault rules see it. */
export interface RequestFacts extends Sender {
  readonly model: string;
  readonly isStream: boolean;
  readonly systemPrompt: string;
  /** The last user message. */
  readonly prompt: string;
  readonly promptTokens: number;
  readonly maxTokens: number | undefined;
  /** Of the model and all messages. */
  readonly contentHash: number;
  /** 1 for the first request since the counters were reset. */
  readonly arrival: number;
}

const AGENT_ID = /_(\d{1,6})$/;
const ATTEMPT_ID = /_(\d{1,6}|fuse)_(\d{1,6})$/;

function one(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0];
}

export function senderOf(headers: IncomingHttpHeaders): Sender {
  const agentId = one(headers['x-waggle-agent-id']);
  const attemptId = one(headers['x-waggle-attempt-id']);
  const [, indexOfAttempt, number] = (attemptId !== undefined && ATTEMPT_ID.exec(attemptId)) || [];
  const [, indexOfAgent] = (agentId !== undefined && AGENT_ID.exec(agentId)) || [];
  const index = Number(indexOfAgent ?? indexOfAttempt ?? Number.NaN);
  return {
    swarmId: one(headers['x-waggle-swarm-id']),
    agentId,
    attemptId,
    idempotencyKey: one(headers['idempotency-key']),
    agentIndex: Number.isNaN(index) ? undefined : index,
    attemptNumber: number === undefined ? 1 : Number(number),
  };
}

/**
 * What chance draws from, besides the seed: agent and attempt if they are told, so that agent 7 fares the same whatever
 * its client puts into the body; else what the request says. Never the order of arrival.
 */
export function chanceOf(facts: Pick<RequestFacts, 'agentIndex' | 'attemptNumber' | 'contentHash'>): number[] {
  return facts.agentIndex === undefined
    ? [0, facts.contentHash, facts.attemptNumber]
    : [1, facts.agentIndex, facts.attemptNumber];
}
