import type { Prisma } from '../store/database.ts';
import type { Agent } from '../store/generated/client.ts';
import { readAgents } from '../store/read-agents.ts';
import { keepTrying } from './keep-trying.ts';
import type { Log } from './log.ts';

const PAGE = 200;

/** Hands out agents one by one in the given order, and holds at most two pages of prompts, whatever their number. */
export class AgentSource {
  readonly #prisma: Prisma;
  readonly #swarmId: string;
  readonly #log: Log;
  #rest: readonly number[];
  #page: Agent[] = [];
  #nextPage: Promise<Agent[]> | undefined;

  constructor(prisma: Prisma, swarmId: string, indexes: readonly number[], log: Log) {
    this.#log = log;
    this.#prisma = prisma;
    this.#swarmId = swarmId;
    this.#rest = indexes;
  }

  async next(): Promise<Agent | undefined> {
    if (this.#page.length === 0) await this.#turnPage();
    return this.#page.shift();
  }

  async #turnPage(): Promise<void> {
    this.#nextPage ??= this.#readPage();
    this.#page = await this.#nextPage;
    this.#nextPage = this.#rest.length === 0 ? undefined : this.#readPage();
    // Read ahead; who turns the page hears of a failure.
    this.#nextPage?.catch(() => undefined);
  }

  #readPage(): Promise<Agent[]> {
    const indexes = this.#rest.slice(0, PAGE);
    this.#rest = this.#rest.slice(PAGE);
    if (indexes.length === 0) return Promise.resolve([]);
    return keepTrying(() => readAgents(this.#prisma, this.#swarmId, indexes), this.#log, 'agents of a swarm');
  }
}
