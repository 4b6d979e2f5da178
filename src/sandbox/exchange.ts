import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Counters, Visit } from './counters.ts';
import type { Delivery } from './delivery.ts';

const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * The answering of one request, with one timer at most. It is over when the answer was ended, when the client or the
 * sandbox closed the connection; then the counters know how, and no timer is left.
 */
export class Exchange {
  readonly #response: ServerResponse;
  readonly #counters: Counters;
  readonly #visit: Visit;
  readonly #onClose: (exchange: Exchange) => void;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;
  #isBrokenOff = false;

  constructor(response: ServerResponse, counters: Counters, visit: Visit, onClose: (exchange: Exchange) => void) {
    this.#response = response;
    this.#counters = counters;
    this.#visit = visit;
    this.#onClose = onClose;
    response.once('close', () => this.#closed());
  }

  /** Answers at once. */
  reply(status: number, headers: OutgoingHttpHeaders, body: string | Uint8Array): void {
    if (this.#isOver) return;
    this.#response.writeHead(status, headers);
    this.#end(status, body);
  }

  /** Calls `then` after a while, unless it is over before. 0: now. Infinity: never. */
  wait(delayMs: number, then: () => void): void {
    if (this.#isOver || delayMs > LONGEST_TIMER_MS) return;
    if (delayMs <= 0) {
      then();
      return;
    }
    this.#timer = setTimeout(then, delayMs);
  }

  deliver(delivery: Delivery): void {
    this.#step(delivery, 0, performance.now());
  }

  /** RST instead of an answer. */
  reset(): void {
    this.#breakOff();
    this.#response.socket?.resetAndDestroy();
  }

  /** When the sandbox is closed. */
  abandon(): void {
    this.#breakOff();
    this.#response.destroy();
  }

  /** `dueMs`: when the step before was due, so that the delays of timers do not add up. */
  #step(delivery: Delivery, index: number, dueMs: number): void {
    const step = delivery.steps[index];
    if (step === undefined) return;
    const nextDueMs = dueMs + step.waitMs;
    const delayMs = step.waitMs === 0 ? 0 : Math.round(nextDueMs - performance.now());
    this.wait(delayMs, () => {
      if (index === 0) this.#response.writeHead(delivery.status, delivery.headers);
      const isLast = index === delivery.steps.length - 1;
      if (isLast && delivery.ending === 'end') this.#end(delivery.status, step.bytes);
      else if (step.bytes.length === 0) {
        this.#response.flushHeaders();
        this.#after(isLast, delivery, index, nextDueMs);
      } else {
        this.#response.write(step.bytes, (error) => {
          if (!error) this.#after(isLast, delivery, index, nextDueMs);
        });
      }
    });
  }

  #after(isLast: boolean, delivery: Delivery, index: number, dueMs: number): void {
    if (this.#isOver) return;
    if (!isLast) {
      this.#step(delivery, index + 1, dueMs);
      return;
    }
    this.#breakOff();
    this.#response.destroy();
  }

  #end(status: number, body: string | Uint8Array): void {
    this.#isOver = true;
    // Before the last byte, so that a client never finds its ended request still counted as in flight.
    this.#counters.answered(this.#visit, status);
    this.#response.end(body);
  }

  #breakOff(): void {
    this.#isOver = true;
    this.#isBrokenOff = true;
    clearTimeout(this.#timer);
    this.#counters.brokenOff(this.#visit);
  }

  #closed(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    if (!this.#response.writableFinished && !this.#isBrokenOff) this.#counters.hungUp(this.#visit);
    this.#onClose(this);
  }
}
