import type { Dispatcher } from 'undici';
import type { Completion, Received } from '../domain/completion.ts';
import type { Fault } from '../domain/fault.ts';
import { storableText } from '../domain/text.ts';
import { AnswerReader } from './answer-reader.ts';
import type { Connection, Connections } from './connections.ts';
import type { InFlight, Limited } from './in-flight.ts';
import { brokenFault, connectionFault, networkCode } from './network-fault.ts';
import type { Clean } from './redact.ts';
import { RefusalReader } from './refusal-reader.ts';
import { headerText, type ResponseHeaders } from './retry-after.ts';
import { AttemptClock, type TimeLimits } from './time-limits.ts';

/** What all exchanges with one gateway share. */
export interface ExchangeTools {
  readonly connections: Connections;
  readonly inFlight: InFlight;
  readonly limits: TimeLimits;
  readonly clean: Clean;
  readonly isStreaming: boolean;
  readonly maxAnswerBytes: number;
  /** Of the gateway, for messages. */
  readonly host: string;
}

/** What one exchange is about. */
export interface ExchangeSubject {
  readonly timeoutMs: number;
  readonly onText: (piece: string) => void;
  readonly signal: AbortSignal;
  readonly resolve: (completion: Completion) => void;
  /** Only for bugs, `onText` throwing among them. */
  readonly reject: (bug: unknown) => void;
}

const TOO_LATE = new Error('The request is no longer wanted.');
/** Of the names that gateways give to models and answers. */
const LONGEST_NAME = 200;

function nameOf(raw: string | undefined): string | undefined {
  return raw === undefined ? undefined : storableText(raw.slice(0, LONGEST_NAME));
}

/**
 * One request and its answer:
 *
 *     connecting ─▶ sent ─┬─▶ answering (2xx) ─┬─▶ over
 *          │         │    └─▶ refused (≥ 400) ─┤
 *          └─────────┴─────────────────────────┘  abort, time limit, broken connection: from every state
 *
 * `sent`: undici has begun to write; `answering` and `refused` are when their readers are there. When it is
 * over nothing of it remains: no listener, no place at the timer, and no open connection but a reusable one.
 */
export class Exchange implements Dispatcher.DispatchHandler, Limited {
  readonly #tools: ExchangeTools;
  readonly #subject: ExchangeSubject;
  readonly #startedAt = performance.now();
  readonly #clock: AttemptClock;
  #connection: Connection | undefined;
  #isSent = false;
  #answer: AnswerReader | undefined;
  #refusal: RefusalReader | undefined;
  #httpStatus: number | undefined;
  #firstTokenMs: number | undefined;
  #isOver = false;

  constructor(tools: ExchangeTools, subject: ExchangeSubject) {
    this.#tools = tools;
    this.#subject = subject;
    this.#clock = new AttemptClock(tools.limits, subject.timeoutMs, this.#startedAt);
  }

  begin(path: string, headers: string[], body: string): void {
    const { connections, inFlight } = this.#tools;
    inFlight.add(this.#subject.signal, this);
    this.#connection = connections.dispatch({ method: 'POST', path, headers, body }, this);
  }

  abort(): void {
    if (!this.#isOver) this.#hangUp({ kind: 'aborted', ...this.#received() });
  }

  isOverdue(now: number): boolean {
    return this.#clock.overdue(now) !== undefined;
  }

  breakOffIfOverdue(now: number): void {
    const overdue = this.#clock.overdue(now);
    if (overdue === undefined || this.#isOver) return;
    if (overdue === 'ending' || this.#answer?.isWhole) this.#hangUp(this.#outcome());
    else this.#hangUp(this.#faulted({ kind: 'timed-out', ...overdue }));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // It was broken off before it had a socket.
    if (this.#isOver) controller.abort(TOO_LATE);
    else {
      this.#isSent = true;
      this.#clock.enter(this.#tools.isStreaming ? 'first-token' : 'whole');
    }
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    if (this.#isOver || status < 200) return;
    const { clean, maxAnswerBytes } = this.#tools;
    this.#httpStatus = status;
    const isPlain = (headerText(headers, 'content-encoding') ?? 'identity') === 'identity';
    if (status >= 400) {
      this.#refusal = new RefusalReader(status, headers, clean);
      this.#clock.enter('ending');
      if (!isPlain) this.#hangUp(this.#outcome());
    } else if (status >= 300) {
      const place = clean(headerText(headers, 'location') ?? '');
      const message = `The gateway answered ${status}: the base URL redirects to "${place}". Set GATEWAY_BASE_URL to where the gateway is.`;
      this.#hangUp(this.#faulted({ kind: 'bad-answer', message }));
    } else if (!isPlain) {
      const message = 'The gateway sent a compressed answer, which was not asked for.';
      this.#hangUp(this.#faulted({ kind: 'bad-answer', message }));
    } else this.#answer = new AnswerReader(this.#show, clean, maxAnswerBytes);
  }

  onResponseData(_: Dispatcher.DispatchController, bytes: Buffer): void {
    if (this.#isOver) return;
    if (this.#refusal?.feed(bytes) === 'enough') this.#hangUp(this.#outcome());
    const answer = this.#answer;
    if (answer === undefined) return;
    this.#guard(() => answer.feed(bytes));
    if (this.#isOver) return;
    if (answer.fault !== undefined) this.#hangUp(this.#faulted(answer.fault));
    else if (answer.isDone) this.#clock.enter('ending');
    else if (answer.hasMoved) {
      answer.hasMoved = false;
      if (this.#clock.stage === 'first-token') this.#clock.enter('idle');
      else this.#clock.move();
    }
  }

  onResponseEnd(): void {
    if (this.#isOver) return;
    this.#guard(() => this.#answer?.end());
    if (this.#isOver) return;
    this.#leave();
    const completion = this.#outcome();
    // undici has a connection free again only in its own setImmediate, which it sets after this call. Told earlier, a
    // caller who goes on at once would open another connection.
    queueMicrotask(() => setImmediate(this.#subject.resolve, completion));
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.#isOver) return;
    const code = networkCode(error);
    if (code === undefined) this.#crash(error);
    else this.#settle(this.#outcome(code));
  }

  readonly #show = (piece: string) => {
    if (this.#isOver) return;
    this.#firstTokenMs ??= this.#elapsedMs();
    this.#subject.onText(piece);
  };

  /** How it ends when no more comes. `code`: of the error that broke it off. */
  #outcome(code = 'ECONNRESET'): Completion {
    if (this.#refusal !== undefined) return this.#faulted(this.#refusal.fault(Date.now()));
    const answer = this.#answer;
    if (answer === undefined) return this.#faulted(connectionFault(code, this.#tools.host));
    answer.conclude(brokenFault(code));
    if (answer.fault !== undefined) return this.#faulted(answer.fault);
    return { kind: 'answered', isTruncated: answer.isTruncated, ...this.#received() };
  }

  #faulted(fault: Fault): Completion {
    return { kind: 'faulted', fault, ...this.#received() };
  }

  #received(): Received {
    const answer = this.#answer;
    return {
      text: answer?.text ?? '',
      usage: answer?.usage,
      servedModel: nameOf(answer?.servedModel),
      upstreamId: nameOf(answer?.upstreamId),
      httpStatus: this.#httpStatus,
      latencyMs: this.#elapsedMs(),
      firstTokenMs: this.#firstTokenMs,
      isBillable: this.#isBillable(),
    };
  }

  #isBillable(): boolean {
    if (this.#answer !== undefined) return !this.#answer.isRefused;
    if (this.#httpStatus !== undefined) return this.#httpStatus < 300;
    return this.#isSent && this.#connection?.isFlushed === true;
  }

  #elapsedMs(): number {
    return Math.round(performance.now() - this.#startedAt);
  }

  /** `onText` is the caller's: what it throws is no fault of the gateway. */
  #guard(read: () => void): void {
    try {
      read();
    } catch (bug) {
      this.#crash(bug);
    }
  }

  #crash(bug: unknown): void {
    this.#leave();
    this.#connection?.breakOff();
    this.#subject.reject(bug);
  }

  #settle(completion: Completion): void {
    this.#leave();
    this.#subject.resolve(completion);
  }

  #hangUp(completion: Completion): void {
    this.#settle(completion);
    this.#connection?.breakOff();
  }

  #leave(): void {
    this.#isOver = true;
    this.#tools.inFlight.remove(this.#subject.signal, this);
  }
}
