import type { Failure } from '../domain/fault.ts';
import type { AgentSource } from './agent-source.ts';
import type { AgentState } from './agent-state.ts';
import { agentState } from './agent-state.ts';
import type { Journal } from './journal.ts';
import type { SwarmRecord } from './swarm-record.ts';

/** Agents ended between two looks at the journal, so that ten thousand of them do not become one commit. */
const SLICE = 500;

/** Ends all agents that are still open after a halt: those that were begun, and those that never were. */
export async function endOpenAgents(
  record: SwarmRecord,
  journal: Journal,
  begun: readonly AgentState[],
  source: AgentSource,
  status: 'CANCELED' | 'SKIPPED',
  failure: Failure,
  clock: () => Date,
): Promise<void> {
  for (const state of begun) record.setAgent(state, status, failure, null, clock());
  for (let ended = 0; ; ended += 1) {
    if (ended % SLICE === 0) await journal.room();
    const agent = await source.next();
    if (agent === undefined) return;
    record.setAgent(agentState(agent), status, failure, null, clock());
  }
}
