import type { Failure } from '../domain/fault.ts';
import { claimSwarm } from '../store/claim-swarm.ts';
import { readOpenSwarms } from '../store/read-open-swarms.ts';
import type { EngineParts } from './engine-parts.ts';
import type { Halt } from './halt.ts';
import { SwarmRecord } from './swarm-record.ts';
import { SwarmRun } from './swarm-run.ts';

const STOPPED: Failure = {
  code: 'SERVER_STOPPED',
  message: 'The server was stopped while this was being answered; it is asked again.',
  isRetryable: true,
};

/** A swarm that this process runs, from before its claim. */
interface Running {
  /** Heard before there was a run. */
  halt: Halt | undefined;
  run: SwarmRun | undefined;
  readonly ended: Promise<void>;
}

/** Runs swarms in this process: each at most once at a time. */
export class Worker {
  readonly #parts: EngineParts;
  readonly #onRunEnded: (swarmId: string) => void;
  readonly #swarms = new Map<string, Running>();
  #isStopped = false;

  constructor(parts: EngineParts, onRunEnded: (swarmId: string) => void) {
    this.#parts = parts;
    this.#onRunEnded = onRunEnded;
  }

  /** Takes up what an earlier process left open. Returns how many. */
  async recover(): Promise<number> {
    const swarmIds = await readOpenSwarms(this.#parts.prisma);
    for (const swarmId of swarmIds) this.start(swarmId);
    return swarmIds.length;
  }

  /** Runs the swarm unless it runs already. A swarm that has ended stays as it is. */
  start(swarmId: string, halt?: Halt): void {
    if (this.#isStopped) return;
    const running = this.#swarms.get(swarmId);
    if (running !== undefined) {
      if (halt !== undefined) this.halt(swarmId, halt);
      return;
    }
    const fresh: Running = { halt, run: undefined, ended: this.#run(swarmId) };
    this.#swarms.set(swarmId, fresh);
  }

  find(swarmId: string): SwarmRun | undefined {
    return this.#swarms.get(swarmId)?.run;
  }

  /** False: it does not run here. */
  halt(swarmId: string, halt: Halt): boolean {
    const running = this.#swarms.get(swarmId);
    if (running === undefined) return false;
    if (running.run === undefined) running.halt = halt;
    else running.run.halt(halt);
    return true;
  }

  /** Resolves when the swarm is no longer run here. */
  async ended(swarmId: string): Promise<void> {
    await this.#swarms.get(swarmId)?.ended;
  }

  /** Closes all requests, leaves open swarms for the next process, and resolves when all is written. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const swarmId of this.#swarms.keys()) this.halt(swarmId, { kind: 'stopped', failure: STOPPED });
    await Promise.all([...this.#swarms.values()].map((running) => running.ended));
  }

  async #run(swarmId: string): Promise<void> {
    const { prisma, journal, log } = this.#parts;
    // Not before `start` has put it into the map.
    await Promise.resolve();
    try {
      const swarm = await claimSwarm(prisma, swarmId);
      if (swarm === undefined) return;
      const running = this.#swarms.get(swarmId);
      const run = new SwarmRun(new SwarmRecord(swarm, journal.touch), this.#parts);
      if (running !== undefined) running.run = run;
      if (running?.halt !== undefined) run.halt(running.halt);
      await run.run();
    } catch (error) {
      log.error({ err: error, swarmId }, 'A swarm could not be run; it stays open and is taken up at the next start.');
    } finally {
      this.#swarms.delete(swarmId);
      this.#onRunEnded(swarmId);
    }
  }
}
