import type { Sender } from './facts.ts';
import { Tally } from './tally.ts';

const MAX_RECORDS = 50_000;
const MAX_AGENTS = 50_000;
const MAX_MODELS = 10_000;

/**
 * `answered`: to the end, with whatever status. `hung-up`: the client closed before. `broken-off`: the sandbox did, for
 * a fault or because it was closed.
 */
export type Outcome = 'open' | 'answered' | 'hung-up' | 'broken-off';

/** One request that arrived. Times are of this process's `performance.now()`. */
export interface ArrivalRecord {
  readonly atMs: number;
  /** Undefined: the body named none. */
  readonly model: string | undefined;
  readonly swarmId: string | undefined;
  readonly agentId: string | undefined;
  readonly attemptId: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** An Authorization header was sent; which one is not kept. */
  readonly hasAuthorization: boolean;
  readonly outcome: Outcome;
  readonly status: number | undefined;
  readonly endedAtMs: number | undefined;
}

/** Without a reset in between: arrivals = inFlight + hangUps + brokenOff + all of answeredByStatus. */
export interface SandboxCounters {
  readonly arrivals: number;
  readonly arrivalsByModel: Readonly<Record<string, number>>;
  /** Of the last agents, at most 50,000. */
  readonly arrivalsByAgent: Readonly<Record<string, number>>;
  readonly inFlight: number;
  readonly inFlightByModel: Readonly<Record<string, number>>;
  /** A request is no longer in flight when its last byte is handed over, so a client sees no higher figure than its own. */
  readonly peakInFlight: number;
  readonly peakInFlightByModel: Readonly<Record<string, number>>;
  readonly answeredByStatus: Readonly<Record<string, number>>;
  readonly hangUps: number;
  readonly brokenOff: number;
  readonly openConnections: number;
  /** The last 50,000, oldest first. */
  readonly records: readonly ArrivalRecord[];
}

/** A request under way, as the counters know it. */
export interface Visit {
  readonly epoch: number;
  readonly record: { -readonly [K in keyof ArrivalRecord]: ArrivalRecord[K] };
}

export class Counters {
  #epoch = 0;
  #arrivals = 0;
  #hangUps = 0;
  #brokenOff = 0;
  #inFlight = 0;
  #peakInFlight = 0;
  #records: Visit['record'][] = [];
  readonly #arrivalsByModel = new Tally(MAX_MODELS);
  readonly #arrivalsByAgent = new Tally(MAX_AGENTS);
  readonly #inFlightByModel = new Tally();
  readonly #peakInFlightByModel = new Tally(MAX_MODELS);
  readonly #answeredByStatus = new Tally();

  get arrivals(): number {
    return this.#arrivals;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  inFlightOf(model: string): number {
    return this.#inFlightByModel.get(model);
  }

  arrive(sender: Sender, model: string | undefined, hasAuthorization: boolean): Visit {
    const { swarmId, agentId, attemptId, idempotencyKey } = sender;
    const record: Visit['record'] = {
      atMs: performance.now(),
      model,
      swarmId,
      agentId,
      attemptId,
      idempotencyKey,
      hasAuthorization,
      outcome: 'open',
      status: undefined,
      endedAtMs: undefined,
    };
    this.#records.push(record);
    if (this.#records.length >= 2 * MAX_RECORDS) this.#records.splice(0, MAX_RECORDS);
    this.#arrivals += 1;
    this.#inFlight += 1;
    if (this.#inFlight > this.#peakInFlight) this.#peakInFlight = this.#inFlight;
    if (model !== undefined) {
      this.#arrivalsByModel.add(model, 1);
      const inFlight = this.#inFlightByModel.add(model, 1);
      if (inFlight > this.#peakInFlightByModel.get(model)) this.#peakInFlightByModel.set(model, inFlight);
    }
    if (agentId !== undefined) this.#arrivalsByAgent.add(agentId, 1);
    return { epoch: this.#epoch, record };
  }

  answered(visit: Visit, status: number): void {
    if (!this.#leave(visit, 'answered')) return;
    visit.record.status = status;
    if (visit.epoch === this.#epoch) this.#answeredByStatus.add(String(status), 1);
  }

  /** Also of a request that counted as answered, if the client went before it had all of the answer. */
  hungUp(visit: Visit): void {
    const { record } = visit;
    if (record.outcome === 'answered') {
      record.outcome = 'hung-up';
      if (visit.epoch === this.#epoch) this.#answeredByStatus.add(String(record.status), -1);
    } else if (!this.#leave(visit, 'hung-up')) return;
    if (visit.epoch === this.#epoch) this.#hangUps += 1;
  }

  brokenOff(visit: Visit): void {
    if (this.#leave(visit, 'broken-off') && visit.epoch === this.#epoch) this.#brokenOff += 1;
  }

  /** What is in flight stays so, and is not counted when it ends. */
  reset(): void {
    this.#epoch += 1;
    this.#arrivals = 0;
    this.#hangUps = 0;
    this.#brokenOff = 0;
    this.#records = [];
    this.#arrivalsByModel.clear();
    this.#arrivalsByAgent.clear();
    this.#answeredByStatus.clear();
    this.#peakInFlight = this.#inFlight;
    this.#peakInFlightByModel.clear();
    for (const [model, count] of this.#inFlightByModel.entries()) this.#peakInFlightByModel.set(model, count);
  }

  snapshot(openConnections: number): SandboxCounters {
    return {
      arrivals: this.#arrivals,
      arrivalsByModel: Object.fromEntries(this.#arrivalsByModel.entries()),
      arrivalsByAgent: Object.fromEntries(this.#arrivalsByAgent.entries()),
      inFlight: this.#inFlight,
      inFlightByModel: Object.fromEntries(this.#inFlightByModel.entries()),
      peakInFlight: this.#peakInFlight,
      peakInFlightByModel: Object.fromEntries(this.#peakInFlightByModel.entries()),
      answeredByStatus: Object.fromEntries(this.#answeredByStatus.entries()),
      hangUps: this.#hangUps,
      brokenOff: this.#brokenOff,
      openConnections,
      records: this.#records.slice(-MAX_RECORDS).map((record) => ({ ...record })),
    };
  }

  #leave({ record }: Visit, outcome: Outcome): boolean {
    if (record.outcome !== 'open') return false;
    record.outcome = outcome;
    record.endedAtMs = performance.now();
    this.#inFlight -= 1;
    if (record.model !== undefined) this.#inFlightByModel.add(record.model, -1);
    return true;
  }
}
