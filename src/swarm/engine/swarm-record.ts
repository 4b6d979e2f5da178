import type { EventFact, SwarmEvent } from '../domain/event.ts';
import type { Failure } from '../domain/fault.ts';
import { moveAgent, openAgents, type Progress } from '../domain/progress.ts';
import { type AgentStatus, canAgentStep, canSwarmStep, isEndedSwarm, type SwarmStatus } from '../domain/status.ts';
import type { Swarm } from '../store/generated/client.ts';
import type { AgentRow, AttemptRow, SwarmCommit, SwarmRow } from '../store/journal-rows.ts';
import { type AgentState, agentRow, bookOnAgent, failureColumns } from './agent-state.ts';
import { type AttemptEnd, type AttemptStart, attemptRow } from './attempt-state.ts';
import { type FusionState, fusionColumns, fusionState } from './fusion-state.ts';
import { RollupGatherer } from './rollups.ts';
import { SwarmTotals } from './swarm-totals.ts';

const NOT_STORED: Failure = {
  code: 'NOT_STORED',
  message: 'The database refused to store the answer; the log says why.',
  isRetryable: false,
};

function failedRow(row: AgentRow): AgentRow {
  return { ...row, ...failureColumns(NOT_STORED), status: 'FAILED', output: undefined };
}

/**
 * The owner's picture of a swarm, and what of it the journal has not written yet. Each change happens here at once,
 * in one synchronous call, so that counters, rows and events always belong together; `take` hands over all changes
 * since the last commit.
 */
export class SwarmRecord {
  readonly swarm: Swarm;
  readonly totals: SwarmTotals;
  #status: SwarmStatus;
  #failure: Failure | null = null;
  #progress: Progress;
  #fusion: FusionState;
  #sequence: number;
  #revision: number;
  #startedAt: Date | null;
  #finishedAt: Date | null = null;
  #result: string | null = null;
  #agents = new Map<number, AgentRow>();
  #attempts = new Map<string, AttemptRow>();
  #events: SwarmEvent[] = [];
  readonly #rollups = new RollupGatherer();
  #isDirty = false;
  readonly #onChange: (record: SwarmRecord) => void;

  /** `onChange` is called when the first change since the last commit is made. */
  constructor(swarm: Swarm, onChange: (record: SwarmRecord) => void) {
    this.swarm = swarm;
    this.totals = new SwarmTotals(swarm);
    this.#status = swarm.status;
    this.#fusion = fusionState(swarm);
    this.#sequence = swarm.lastSequence;
    this.#revision = swarm.revision;
    this.#startedAt = swarm.startedAt;
    this.#onChange = onChange;
    const { total, queued, running, waiting, succeeded, failed, canceled, skipped } = swarm;
    this.#progress = { total, queued, running, waiting, succeeded, failed, canceled, skipped };
  }

  get id(): string {
    return this.swarm.id;
  }

  get status(): SwarmStatus {
    return this.#status;
  }

  get progress(): Progress {
    return this.#progress;
  }

  get fusion(): FusionState {
    return this.#fusion;
  }

  /** Rows that wait for the next commit. */
  get pendingRows(): number {
    return this.#agents.size + this.#attempts.size + this.#events.length;
  }

  setStatus(status: SwarmStatus, failure: Failure | null, now: Date): void {
    if (!canSwarmStep(this.#status, status))
      throw new Error(`Swarm ${this.id}: ${this.#status} → ${status} is no step.`);
    if (isEndedSwarm(status) && openAgents(this.#progress) > 0) {
      throw new Error(`Swarm ${this.id} cannot end as ${status} while agents are open.`);
    }
    this.#status = status;
    this.#failure = failure;
    this.#startedAt ??= now;
    if (isEndedSwarm(status)) this.#finishedAt = now;
    this.#addEvent({ type: 'swarm-status', swarmStatus: status, failure }, now);
  }

  /** Moves an agent on and writes the event. What else changed on the agent goes along. */
  setAgent(agent: AgentState, status: AgentStatus, failure: Failure | null, retryAt: Date | null, now: Date): void {
    if (!canAgentStep(agent.status, status)) {
      throw new Error(`Agent ${agent.index} of ${this.id}: ${agent.status} → ${status} is no step.`);
    }
    this.#progress = moveAgent(this.#progress, agent.status, status);
    agent.status = status;
    agent.failure = failure;
    if (status === 'RUNNING') agent.startedAt ??= now;
    else if (status !== 'WAITING') agent.finishedAt = now;
    this.#agents.set(agent.index, agentRow(this.id, agent));
    this.#addEvent(
      {
        type: 'agent-status',
        index: agent.index,
        key: agent.key,
        agentStatus: status,
        attempt: agent.attemptCount,
        model: agent.model,
        failure,
        retryAt: retryAt?.toISOString() ?? null,
      },
      now,
    );
  }

  beginAttempt(start: AttemptStart, isRetry: boolean): void {
    this.totals.begin(isRetry);
    this.#putAttempt(attemptRow(this.id, start, undefined));
  }

  /** Books an attempt: once in the ledger, in the swarm's sums, in the hour's, and on its agent if it has one. */
  endAttempt(start: AttemptStart, end: AttemptEnd, agent: AgentState | undefined): void {
    const isWasted = end.status !== 'SUCCEEDED';
    const isFailed = end.status === 'FAILED' || end.status === 'TIMED_OUT' || end.status === 'LOST';
    const { booking } = end;
    if (agent !== undefined) bookOnAgent(agent, booking.usage, booking.costNanoUsd);
    this.totals.end({
      booking,
      isFailed,
      isWasted,
      isRateLimited: end.failure?.code === 'RATE_LIMITED',
      isTimedOut: end.status === 'TIMED_OUT',
    });
    const { tenantId, apiKeyId } = this.swarm;
    const dimensions = { swarmId: this.id, tenantId, apiKeyId, purpose: start.purpose, finishedAt: end.finishedAt };
    const labels = { taskType: agent?.taskType ?? '', role: agent?.role ?? '' };
    this.#rollups.add({ ...dimensions, ...labels }, booking, isFailed, isWasted);
    this.#putAttempt(attemptRow(this.id, start, end));
  }

  setFusion(patch: Partial<FusionState>, result?: string): void {
    this.#fusion = { ...this.#fusion, ...patch };
    if (result !== undefined) this.#result = result;
    this.#touch();
  }

  /** All changes since the last call, as one commit; undefined when there are none. */
  take(): SwarmCommit | undefined {
    if (!this.#isDirty) return undefined;
    this.#revision += 1;
    const commit: SwarmCommit = {
      swarm: this.#row(),
      agents: [...this.#agents.values()],
      attempts: [...this.#attempts.values()],
      events: this.#events,
      rollups: this.#rollups.take(),
    };
    this.#agents = new Map();
    this.#attempts = new Map();
    this.#events = [];
    this.#isDirty = false;
    return commit;
  }

  /**
   * The commit with what the database refuses taken out of it: an agent that had succeeded is FAILED (its answer cannot
   * be kept), in its row, its event, and all counters from there on; of any other, the row is left as it was.
   */
  withoutRefused(commit: SwarmCommit, refused: readonly number[]): SwarmCommit {
    const isRefused = (index: number) => refused.includes(index);
    const lost = commit.agents.filter((row) => isRefused(row.index) && row.status === 'SUCCEEDED');
    const agents = [...commit.agents.filter((row) => !isRefused(row.index)), ...lost.map(failedRow)];
    const attempts = commit.attempts.map((row) =>
      isRefused(row.agentIndex) ? { ...row, failureMessage: undefined, upstreamId: undefined } : row,
    );
    let moved = 0;
    const recount = (progress: Progress): Progress => ({
      ...progress,
      succeeded: progress.succeeded - moved,
      failed: progress.failed + moved,
    });
    const correct = (event: SwarmEvent): SwarmEvent => {
      const { data } = event;
      const isLost = data.type === 'agent-status' && data.agentStatus === 'SUCCEEDED' && isRefused(data.index);
      if (isLost) moved += 1;
      const progress = recount(data.progress);
      if (!isLost) return { ...event, data: { ...data, progress } };
      return { ...event, data: { ...data, agentStatus: 'FAILED', failure: NOT_STORED, progress } };
    };
    const events = commit.events.map(correct);
    const { succeeded, failed } = commit.swarm;
    const swarm = { ...commit.swarm, succeeded: succeeded - moved, failed: failed + moved };
    this.#events = this.#events.map(correct);
    this.#progress = recount(this.#progress);
    return { ...commit, swarm, agents, attempts, events };
  }

  #putAttempt(row: AttemptRow): void {
    this.#attempts.set(`${row.agentIndex}_${row.number}`, row);
    this.#touch();
  }

  #addEvent(fact: EventFact, now: Date): void {
    this.#sequence += 1;
    const data = { ...fact, progress: this.#progress, costNanoUsd: this.totals.costNanoUsd.toString() };
    this.#events.push({ swarmId: this.id, sequence: this.#sequence, occurredAt: now, data });
    this.#touch();
  }

  #touch(): void {
    if (this.#isDirty) return;
    this.#isDirty = true;
    this.#onChange(this);
  }

  #row(): SwarmRow {
    const { total: _, ...counters } = this.#progress;
    return {
      id: this.id,
      epoch: this.swarm.epoch,
      revision: this.#revision,
      status: this.#status,
      ...failureColumns(this.#failure),
      ...counters,
      ...this.totals.columns(),
      ...fusionColumns(this.#fusion),
      result: this.#result ?? undefined,
      lastSequence: this.#sequence,
      startedAt: this.#startedAt?.toISOString(),
      finishedAt: this.#finishedAt?.toISOString(),
    };
  }
}
