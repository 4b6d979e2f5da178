import type { Failure } from '../domain/fault.ts';
import { decideOutcome } from '../domain/outcome.ts';
import { isEndedAgent } from '../domain/status.ts';
import { readAgentHeads } from '../store/read-agents.ts';
import { AgentSource } from './agent-source.ts';
import { assignAgent } from './assign.ts';
import { BudgetKeeper } from './budget-keeper.ts';
import { Dispatcher } from './dispatcher.ts';
import { endOpenAgents } from './end-agents.ts';
import type { EngineParts } from './engine-parts.ts';
import { fuse } from './fuse.ts';
import { endsAgents, type Halt, isStronger } from './halt.ts';
import { keepTrying } from './keep-trying.ts';
import { LiveOutput } from './live-output.ts';
import { recover } from './recover.ts';
import type { SwarmRecord } from './swarm-record.ts';
import { specOf } from './swarm-spec.ts';

const OVER_BUDGET: Failure = {
  code: 'BUDGET_EXCEEDED',
  message: 'The next request could cost more than is left of the budget. Raise it, or lower maxTokens.',
  isRetryable: true,
};

function fusionFailure({ code, message, isRetryable }: Failure): Failure {
  return {
    code: 'FUSION_FAILED',
    message: `The fusion failed (${code}): ${message} All answers are kept.`,
    isRetryable,
  };
}

/** One swarm, from the claim to its end or its next pause, in this process. Only `halt` comes from outside. */
export class SwarmRun {
  readonly record: SwarmRecord;
  readonly live = new LiveOutput();
  readonly #parts: EngineParts;
  #budget = new BudgetKeeper(null, 0n, 0n);
  #fusing: AbortController | undefined;
  #dispatcher: Dispatcher | undefined;
  #halt: Halt | undefined;

  constructor(record: SwarmRecord, parts: EngineParts) {
    this.record = record;
    this.#parts = parts;
  }

  /** Returns at once; `run` resolves when it has been done. A weaker word than the one in force is not heard. */
  halt(halt: Halt): void {
    if (!isStronger(halt, this.#halt)) return;
    this.#halt = halt;
    this.#dispatcher?.halt(halt);
    this.#fusing?.abort();
  }

  /** Resolves when all is durable and the swarm has ended, is paused, or is left to another process. */
  async run(): Promise<void> {
    const { record } = this;
    const { journal, prisma, catalog, clock } = this.#parts;
    await recover(prisma, record, await catalog.current(), clock());
    const share = BigInt(specOf(record.swarm).fusionShareNanoUsd);
    this.#budget = new BudgetKeeper(record.swarm.budgetNanoUsd, record.totals.costNanoUsd, share);
    const deadline = this.#watchDeadline();
    try {
      if (record.status !== 'FUSING') await this.#runAgents();
      await journal.drained(record);
      await this.#finish();
      await journal.drained(record);
    } finally {
      clearTimeout(deadline);
    }
  }

  #watchDeadline(): NodeJS.Timeout | undefined {
    const { deadlineMs, startedAt } = this.record.swarm;
    if (deadlineMs === null) return undefined;
    const now = this.#parts.clock().getTime();
    const message = `The swarm's deadline of ${deadlineMs} ms has passed.`;
    const failure = { code: 'DEADLINE_EXCEEDED', message, isRetryable: true };
    const leftMs = (startedAt?.getTime() ?? now) + deadlineMs - now;
    return setTimeout(() => this.halt({ kind: 'deadline', failure }), Math.max(0, leftMs));
  }

  async #runAgents(): Promise<void> {
    const { record } = this;
    const { prisma, journal, clock } = this.#parts;
    // What recovery changed has to be read back.
    await journal.drained(record);
    if (this.#halt === undefined && record.status !== 'RUNNING') record.setStatus('RUNNING', null, clock());
    const source = new AgentSource(prisma, record.id, await this.#openIndexes(), this.#parts.log);
    const dispatcher = this.#makeDispatcher(source);
    this.#dispatcher = dispatcher;
    if (this.#halt !== undefined) dispatcher.halt(this.#halt);
    await dispatcher.run();
    if (this.#halt === undefined || !endsAgents(this.#halt)) return;
    const status = this.#halt.kind === 'canceled' ? 'CANCELED' : 'SKIPPED';
    await endOpenAgents(record, journal, dispatcher.rest(), source, status, this.#halt.failure, clock);
  }

  async #openIndexes(): Promise<number[]> {
    const { total, queued } = this.record.progress;
    if (queued === total) return Array.from({ length: total }, (_, index) => index);
    const heads = await readAgentHeads(this.#parts.prisma, this.record.id);
    return heads.filter((head) => !isEndedAgent(head.status)).map((head) => head.index);
  }

  #makeDispatcher(source: AgentSource): Dispatcher {
    const { record, live } = this;
    const { journal, log, clock, catalog, gateway, random } = this.#parts;
    const { swarm } = record;
    const budget = this.#budget;
    return new Dispatcher({
      ...{ record, source, live, journal, budget, log, clock },
      assign: async (agent) => {
        const current = await keepTrying(() => catalog.current(), log, 'rules and prices');
        const assignment = assignAgent(swarm, agent, current);
        return { assignment, tools: { gateway, catalog: current, budget, clock, random } };
      },
      onOverBudget: () => {
        const paused = swarm.onBudget === 'PAUSE';
        this.halt({ kind: paused ? 'paused' : 'over-budget', failure: OVER_BUDGET });
      },
    });
  }

  async #finish(): Promise<void> {
    const { record } = this;
    const halt = this.#halt;
    const now = this.#parts.clock();
    switch (halt?.kind) {
      case 'fenced':
      case 'stopped':
        return;
      case 'paused':
        return record.setStatus('PAUSED', halt.failure, now);
      case 'canceled':
        record.setFusion({ status: 'CANCELED' });
        return record.setStatus('CANCELED', halt.failure, now);
      case 'over-budget':
        if (record.swarm.onBudget === 'FAIL' || record.progress.succeeded === 0) return this.#fail(halt.failure);
        return this.#fuse('PARTIAL');
      case 'deadline':
      case undefined: {
        const outcome = decideOutcome(record.progress, record.swarm.minSuccess);
        if (outcome.status !== 'FAILED') return this.#fuse(outcome.status);
        return this.#fail(halt?.failure ?? outcome.failure);
      }
    }
  }

  #fail(failure: Failure): void {
    this.record.setFusion({ status: 'SKIPPED' });
    this.record.setStatus('FAILED', failure, this.#parts.clock());
  }

  async #fuse(status: 'SUCCEEDED' | 'PARTIAL'): Promise<void> {
    const { record } = this;
    const { clock } = this.#parts;
    if (record.status !== 'FUSING') record.setStatus('FUSING', null, clock());
    const before = this.#halt;
    this.#fusing = new AbortController();
    this.#budget.releaseSetAside();
    const outcome = await fuse(record, this.#parts, this.#budget, this.#fusing.signal);
    this.#fusing = undefined;
    if (this.#halt !== before) return this.#finishHalted();
    if (outcome.kind === 'failed') return record.setStatus('FAILED', fusionFailure(outcome.failure), clock());
    if (outcome.kind === 'fused' && outcome.text !== undefined) record.setFusion({}, outcome.text);
    record.setStatus(status, null, clock());
  }

  /** A word that came while it was fusing: a fused text that may have come with it is not shown. */
  #finishHalted(): Promise<void> | void {
    const halt = this.#halt;
    if (halt?.kind === 'deadline') return this.#fail(halt.failure);
    return this.#finish();
  }
}
