import { setTimeout as sleep } from 'node:timers/promises';
import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils';
import type { SwarmEvent } from '../domain/event.ts';
import { commitJournal } from '../store/commit-journal.ts';
import { findRefusedAgents } from '../store/find-refused-agents.ts';
import type { SwarmCommit } from '../store/journal-rows.ts';
import { isRefusedStatement } from '../store/sql-state.ts';
import type { Log } from './log.ts';
import type { SwarmRecord } from './swarm-record.ts';

const TICK_MS = 20;
const ROWS_PER_COMMIT = 1_000;
/** Dispatch waits while more rows than this wait for the database. */
const FULL_AT_ROWS = 10_000;
const RETRY_MS = [100, 250, 500, 1_000, 2_000] as const;

/** A record and what was taken out of it. */
interface Taken {
  readonly record: SwarmRecord;
  readonly commit: SwarmCommit;
}

export interface JournalHooks {
  /** Called after each commit, with its events. */
  onCommitted(swarmId: string, events: readonly SwarmEvent[]): void;
  /** Another process owns the swarm now: nothing more of it will be written. */
  onFenced(swarmId: string): void;
}

/**
 * Writes the facts of this process's swarms: one transaction per tick, one in flight. Nobody awaits it but who needs
 * durability (`drained`) or room (`room`). While the database is away it keeps the facts and tries again.
 */
export class Journal {
  readonly #driver: SqlDriverAdapter;
  readonly #log: Log;
  readonly #hooks: JournalHooks;
  readonly #dirty = new Set<SwarmRecord>();
  /** Swarms in the commit under way. */
  #inFlight: readonly Taken[] = [];
  #loop: Promise<void> | undefined;
  #waiters: (() => void)[] = [];

  constructor(driver: SqlDriverAdapter, log: Log, hooks: JournalHooks) {
    this.#driver = driver;
    this.#log = log;
    this.#hooks = hooks;
  }

  /** The record has something to write. Arrow: it is handed to records as their `onChange`. */
  readonly touch = (record: SwarmRecord): void => {
    this.#dirty.add(record);
    this.#loop ??= this.#run();
  };

  get pendingRows(): number {
    let rows = 0;
    for (const record of this.#dirty) rows += record.pendingRows;
    for (const { commit } of this.#inFlight)
      rows += commit.events.length + commit.agents.length + commit.attempts.length;
    return rows;
  }

  isFull(): boolean {
    return this.pendingRows > FULL_AT_ROWS;
  }

  /** Resolves when there is room again. */
  async room(): Promise<void> {
    while (this.isFull()) await this.#nextCommit();
  }

  /** Resolves when all that the swarm said so far is in the database, or refused because another process owns it. */
  async drained(record: SwarmRecord): Promise<void> {
    while (this.#dirty.has(record) || this.#inFlight.some((taken) => taken.record === record)) {
      await this.#nextCommit();
    }
  }

  /** Resolves when nothing is left to write. */
  async close(): Promise<void> {
    while (this.#loop !== undefined) await this.#loop;
  }

  /** Forgets what a swarm still wanted to say. */
  drop(record: SwarmRecord): void {
    this.#dirty.delete(record);
  }

  #nextCommit(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  async #run(): Promise<void> {
    await sleep(TICK_MS);
    while (this.#dirty.size > 0) {
      this.#inFlight = this.#take();
      await this.#write(this.#inFlight);
      this.#inFlight = [];
      const waiters = this.#waiters;
      this.#waiters = [];
      for (const resolve of waiters) resolve();
      await sleep(TICK_MS);
    }
    this.#loop = undefined;
  }

  #take(): Taken[] {
    const commits: Taken[] = [];
    let rows = 0;
    for (const record of this.#dirty) {
      if (rows >= ROWS_PER_COMMIT) break;
      this.#dirty.delete(record);
      rows += record.pendingRows;
      const commit = record.take();
      if (commit !== undefined) commits.push({ record, commit });
    }
    return commits;
  }

  /** Tries until the database has it: what was paid for is not dropped. */
  async #write(taken: readonly Taken[]): Promise<void> {
    for (let failures = 0; ; failures += 1) {
      try {
        return await this.#commit(taken);
      } catch (error) {
        const swarmIds = taken.map(({ record }) => record.id);
        this.#log.error({ err: error, swarmIds }, 'The journal could not write; it keeps the facts and tries again.');
        if (isRefusedStatement(error)) return this.#writeAroundRefused(taken);
        await sleep(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]);
      }
    }
  }

  async #commit(taken: readonly Taken[]): Promise<void> {
    const accepted = await commitJournal(
      this.#driver,
      taken.map(({ commit }) => commit),
    );
    for (const { record, commit } of taken) {
      if (accepted.has(record.id)) this.#hooks.onCommitted(record.id, commit.events);
      else this.#hooks.onFenced(record.id);
    }
  }

  /** The database refuses something in here: find whose it is, so that nobody else loses by it. */
  async #writeAroundRefused(taken: readonly Taken[]): Promise<void> {
    for (const one of taken) {
      if (taken.length > 1) {
        await this.#write([one]);
        continue;
      }
      const refused = await findRefusedAgents(this.#driver, one.commit).catch(() => []);
      this.#log.error(
        { swarmId: one.record.id, agentIndexes: refused },
        'The database refuses what these agents brought.',
      );
      if (refused.length === 0) await sleep(RETRY_MS[RETRY_MS.length - 1]);
      await this.#write([{ record: one.record, commit: one.record.withoutRefused(one.commit, refused) }]);
    }
  }
}
