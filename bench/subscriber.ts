import { createParser } from 'eventsource-parser';
import type { Dispatcher } from 'undici';

/** What `waggle watch` reads, at the API's own interval. */
const WATCH = `subscription ($id: ID!) {
  swarmEvents(swarmId: $id) {
    cursor status costUsd
    progress { total queued running waiting succeeded failed canceled skipped }
    events { sequence ... on AgentStatusChanged { agentKey agentStatus } ... on SwarmStatusChanged { swarmStatus } }
  }
}`;

const ENDED = new Set(['SUCCEEDED', 'PARTIAL', 'FAILED', 'CANCELED']);

export interface Batch {
  readonly status: string;
  readonly progress: { readonly succeeded: number };
  readonly events: readonly { readonly sequence: number }[];
}

interface Frame {
  readonly data?: { readonly swarmEvents: Batch };
  readonly errors?: readonly { readonly message: string }[];
}

/** What one subscriber got. */
export interface Watched {
  /** `performance.now()` at the arrival of the batch that says the swarm has ended. */
  readonly endedAt: number;
  readonly status: string;
  readonly succeeded: number;
  readonly events: number;
  readonly frames: number;
}

export interface Subscription {
  /** Resolves with the first batch. */
  readonly begun: Promise<void>;
  /** Resolves when the stream was completed. Rejects unless the events were 1, 2, 3 … and the swarm's end the last. */
  readonly done: Promise<Watched>;
}

export interface Target {
  readonly dispatcher: Dispatcher;
  /** The GraphQL endpoint. */
  readonly url: string;
  readonly key: string;
}

type OnBatch = (batch: Batch) => void;

/** Reads one event stream, with as little work a frame as a client can have. */
class Reader implements Dispatcher.DispatchHandler {
  readonly #decoder = new TextDecoder();
  readonly #parser = createParser({ onEvent: ({ event, data }) => event === 'next' && this.#onFrame(data) });
  readonly #onBatch: OnBatch;
  readonly #resolve: (watched: Watched) => void;
  readonly #reject: (error: Error) => void;
  #status = 0;
  #complaint = '';
  #last: Watched = { endedAt: Number.NaN, status: '', succeeded: 0, events: 0, frames: 0 };

  constructor(onBatch: OnBatch, resolve: (watched: Watched) => void, reject: (error: Error) => void) {
    this.#onBatch = onBatch;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** undici takes no handler without it. */
  onRequestStart(): void {}

  onResponseStart(_: Dispatcher.DispatchController, status: number): void {
    this.#status = status;
  }

  onResponseData(_: Dispatcher.DispatchController, bytes: Buffer): void {
    const text = this.#decoder.decode(bytes, { stream: true });
    if (this.#status === 200) this.#parser.feed(text);
    else this.#complaint += text;
  }

  onResponseEnd(): void {
    if (ENDED.has(this.#last.status)) this.#resolve(this.#last);
    else this.#reject(new Error(`A subscription ended early (HTTP ${this.#status}): ${this.#complaint}`));
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#reject(error);
  }

  #onFrame(data: string): void {
    const frame = JSON.parse(data) as Frame;
    const batch = frame.data?.swarmEvents;
    if (batch === undefined) {
      this.#reject(new Error(`A subscription failed: ${data}`));
      return;
    }
    let { events } = this.#last;
    for (const { sequence } of batch.events) {
      if (sequence !== events + 1) this.#reject(new Error(`Event ${sequence} came after event ${events}.`));
      events = sequence;
    }
    const { status, progress } = batch;
    const endedAt = ENDED.has(status) ? performance.now() : Number.NaN;
    const { succeeded } = progress;
    this.#last = { endedAt, status, succeeded, events, frames: this.#last.frames + 1 };
    this.#onBatch(batch);
  }
}

/** Watches a swarm from its first event to its last over server-sent events. */
export function subscribe({ dispatcher, url, key }: Target, id: string, onBatch: OnBatch = () => undefined) {
  const { origin, pathname } = new URL(url);
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const done = new Promise<Watched>((resolve, reject) => {
    const onEach = (batch: Batch) => {
      begin();
      onBatch(batch);
    };
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'text/event-stream' };
    const body = JSON.stringify({ query: WATCH, variables: { id } });
    dispatcher.dispatch({ origin, method: 'POST', path: pathname, headers, body }, new Reader(onEach, resolve, reject));
  });
  // Who waits for the first batch hears of a failure before it; whoever waits for the end hears of it in any case.
  const firstOrFailure = Promise.race([begun, done.then(() => undefined)]);
  for (const promise of [done, firstOrFailure]) promise.catch(() => undefined);
  return { begun: firstOrFailure, done } satisfies Subscription;
}
