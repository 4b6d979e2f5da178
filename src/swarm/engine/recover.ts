import { book } from '../domain/booking.ts';
import { type Catalog, priceOf } from '../domain/catalog.ts';
import type { Failure } from '../domain/fault.ts';
import { FUSION_INDEX } from '../domain/ids.ts';
import type { Prisma } from '../store/database.ts';
import type { Attempt } from '../store/generated/client.ts';
import { readAgents } from '../store/read-agents.ts';
import { readRunningAttempts } from '../store/read-running-attempts.ts';
import { agentState } from './agent-state.ts';
import type { AttemptEnd, AttemptStart } from './attempt-state.ts';
import type { SwarmRecord } from './swarm-record.ts';

const LOST: Failure = {
  code: 'LOST',
  message: 'The process that made this request died before it ended; it is made again.',
  isRetryable: true,
};

/** A lost request may have been answered and billed: its prompt is booked, as an estimate. */
function lostEnd(attempt: Attempt, prompt: string, catalog: Catalog, finishedAt: Date): AttemptEnd {
  const received = { usage: undefined, text: '', isBillable: true, servedModel: undefined };
  const texts = { systemPrompt: undefined, prompt };
  const booking = book(received, texts, attempt.requestedModel, (model) => priceOf(catalog, model));
  const nothing = { servedModel: null, httpStatus: null, retryAt: null, latencyMs: null, firstTokenMs: null };
  return { status: 'LOST', booking, failure: LOST, ...nothing, finishedAt, upstreamId: null };
}

/**
 * Puts right what a dead owner left: its running attempts are LOST and booked, their agents WAITING to be asked again.
 * Agents that had ended are not touched.
 */
export async function recover(prisma: Prisma, record: SwarmRecord, catalog: Catalog, now: Date): Promise<number> {
  const attempts = await readRunningAttempts(prisma, record.id);
  const indexes = attempts.map((attempt) => attempt.agentIndex).filter((index) => index !== FUSION_INDEX);
  const agents = new Map((await readAgents(prisma, record.id, indexes)).map((agent) => [agent.index, agent]));
  for (const attempt of attempts) {
    const { agentIndex, number, purpose, requestedModel: model, startedAt } = attempt;
    const start: AttemptStart = { agentIndex, number, purpose, model, startedAt };
    const agent = agents.get(agentIndex);
    const state = agent && agentState(agent);
    record.endAttempt(start, lostEnd(attempt, agent?.prompt ?? '', catalog, now), state);
    if (state?.status === 'RUNNING') record.setAgent(state, 'WAITING', LOST, now, now);
  }
  return attempts.length;
}
