import { setMaxListeners } from 'node:events';
import pLimit from 'p-limit';
import type { Failure } from '../domain/fault.ts';
import type { Agent } from '../store/generated/client.ts';
import type { AgentSource } from './agent-source.ts';
import { type AgentState, agentState, routeColumns } from './agent-state.ts';
import { Bell } from './bell.ts';
import type { BudgetKeeper } from './budget-keeper.ts';
import { closesRequests, type Halt } from './halt.ts';
import type { Journal } from './journal.ts';
import type { LiveOutput } from './live-output.ts';
import type { Log } from './log.ts';
import { type AgentFact, type AgentTools, type Assignment, runAgent } from './run-agent.ts';
import type { SwarmRecord } from './swarm-record.ts';

/** An agent that was begun here. Between two attempts its generator rests and it holds no slot. */
interface Begun {
  readonly state: AgentState;
  readonly facts: AsyncGenerator<AgentFact, void, void>;
}

export interface DispatcherParts {
  readonly record: SwarmRecord;
  readonly source: AgentSource;
  readonly live: LiveOutput;
  readonly journal: Journal;
  readonly budget: BudgetKeeper;
  readonly log: Log;
  readonly clock: () => Date;
  readonly assign: (agent: Agent) => Promise<{ assignment: Assignment; tools: Omit<AgentTools, 'onText'> }>;
  /** The budget has no room, and nothing is under way that could make some. */
  readonly onOverBudget: () => void;
}

/**
 * Keeps as many agents at work as the swarm's concurrency allows, without waves: a slot that is free is filled at once.
 * Work given to the limiter always fulfils.
 */
export class Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #limit;
  readonly #controller = new AbortController();
  readonly #bell = new Bell();
  readonly #waiting = new Map<Begun, NodeJS.Timeout>();
  /** Ready to go on, before those not begun. */
  #ready: Begun[] = [];
  /** Found no room in the budget; tried again when something under way gives some back. */
  #parked: Begun[] = [];
  #halt: Halt | undefined;
  #isSourceEmpty = false;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    // Every request under way listens to it.
    setMaxListeners(0, this.#controller.signal);
    this.#limit = pLimit(parts.record.swarm.concurrency);
  }

  /** Stops handing out work; requests under way are closed or may end, as the halt says. */
  halt(halt: Halt): void {
    this.#halt = halt;
    for (const timer of this.#waiting.values()) clearTimeout(timer);
    if (closesRequests(halt)) this.#controller.abort();
    this.#bell.ring();
  }

  /** Resolves when no agent is open, or when it is halted and nothing is under way. */
  async run(): Promise<void> {
    while (this.#halt === undefined) {
      if (this.#parts.journal.isFull()) await Promise.race([this.#parts.journal.room(), this.#bell.wait()]);
      else if (this.#underWay() >= this.#limit.concurrency) await this.#bell.wait();
      else if (!(await this.#startOne())) {
        if (this.#halt !== undefined || this.#isIdle()) break;
        await this.#bell.wait();
      }
    }
    while (this.#underWay() > 0) await this.#bell.wait();
  }

  /** Agents that were begun and have not ended: after a halt, those that waited. */
  rest(): AgentState[] {
    return [...this.#waiting.keys(), ...this.#ready, ...this.#parked].map((begun) => begun.state);
  }

  #underWay(): number {
    return this.#limit.activeCount + this.#limit.pendingCount;
  }

  #isIdle(): boolean {
    return this.#underWay() === 0 && this.#waiting.size === 0 && this.#ready.length === 0 && this.#parked.length === 0;
  }

  async #startOne(): Promise<boolean> {
    const begun = this.#ready.shift() ?? (await this.#begin());
    if (begun === undefined) return false;
    if (this.#halt !== undefined) {
      this.#ready.push(begun);
      return false;
    }
    void this.#limit(() => this.#drive(begun));
    return true;
  }

  async #begin(): Promise<Begun | undefined> {
    if (this.#isSourceEmpty) return undefined;
    const agent = await this.#parts.source.next();
    if (agent === undefined) {
      this.#isSourceEmpty = true;
      return undefined;
    }
    const { assignment, tools } = await this.#parts.assign(agent);
    const state = agentState(agent);
    state.route = routeColumns(assignment.route);
    const onText = (attempt: number, piece: string) => this.#parts.live.append(state.index, attempt, piece);
    return { state, facts: runAgent(assignment, { ...tools, onText }, this.#controller.signal) };
  }

  /** Pulls facts until the agent has ended or has to wait. */
  async #drive(begun: Begun): Promise<void> {
    try {
      for (let goesOn = true; goesOn; ) {
        const { value: fact } = await begun.facts.next();
        goesOn = fact !== undefined && this.#apply(begun, fact);
      }
    } catch (error) {
      this.#parts.log.error(
        { err: error, swarmId: this.#parts.record.id, index: begun.state.index },
        'An agent failed by a bug.',
      );
      this.#end(begun.state, 'FAILED', {
        code: 'INTERNAL_ERROR',
        message: 'Waggle itself failed; its log says why.',
        isRetryable: true,
      });
    }
    // The limiter counts this one until it has returned.
    setImmediate(() => this.#bell.ring());
  }

  /** True: the agent keeps its slot and goes on. */
  #apply(begun: Begun, fact: AgentFact): boolean {
    const { record, live, clock } = this.#parts;
    const { state } = begun;
    switch (fact.type) {
      case 'attempt-began':
        state.attemptCount = fact.start.number;
        state.model = fact.start.model;
        live.begin(state.index, state.key, fact.start.number);
        record.beginAttempt(fact.start, fact.isRetry);
        record.setAgent(state, 'RUNNING', null, null, fact.start.startedAt);
        return true;
      case 'attempt-ended':
        live.end(state.index);
        record.endAttempt(fact.start, fact.end, state);
        this.#unpark();
        return true;
      case 'waiting':
        record.setAgent(state, 'WAITING', fact.failure, fact.retryAt, clock());
        this.#waitUntil(begun, fact.retryAt);
        return false;
      case 'answered': {
        const { text, isTruncated, latencyMs, firstTokenMs, servedModel } = fact.completion;
        Object.assign(state, { output: text, isTruncated, latencyMs, firstTokenMs: firstTokenMs ?? null });
        state.model = servedModel ?? state.model;
        this.#end(state, 'SUCCEEDED', null);
        return false;
      }
      case 'failed':
        this.#end(state, state.status === 'QUEUED' ? 'SKIPPED' : 'FAILED', fact.failure);
        return false;
      case 'aborted':
        this.#endAborted(state, fact.text);
        return false;
      case 'over-budget':
        this.#parked.push(begun);
        if (!this.#parts.budget.hasReservations) this.#parts.onOverBudget();
        return false;
    }
  }

  #end(state: AgentState, status: 'SUCCEEDED' | 'FAILED' | 'CANCELED' | 'SKIPPED', failure: Failure | null): void {
    this.#parts.record.setAgent(state, status, failure, null, this.#parts.clock());
  }

  /** What came of the answer is kept, and marked as not whole. */
  #endAborted(state: AgentState, text: string): void {
    const halt = this.#halt;
    if (halt === undefined || halt.kind === 'fenced') return;
    if (halt.kind === 'stopped') {
      this.#parts.record.setAgent(state, 'WAITING', halt.failure, null, this.#parts.clock());
      return;
    }
    if (text !== '') Object.assign(state, { output: text, isTruncated: true });
    this.#end(state, halt.kind === 'deadline' ? 'FAILED' : 'CANCELED', halt.failure);
  }

  #waitUntil(begun: Begun, time: Date): void {
    const resume = () => {
      this.#waiting.delete(begun);
      this.#ready.push(begun);
      this.#bell.ring();
    };
    const timer = setTimeout(resume, Math.max(0, time.getTime() - this.#parts.clock().getTime()));
    if (this.#halt !== undefined) clearTimeout(timer);
    this.#waiting.set(begun, timer);
  }

  #unpark(): void {
    if (this.#parked.length === 0) return;
    this.#ready.push(...this.#parked);
    this.#parked = [];
  }
}
