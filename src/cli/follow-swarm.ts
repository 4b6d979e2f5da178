import { setTimeout as sleep } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import { CommandError, type Endpoint, openStream } from './api.ts';
import { type Batch, ENDED, WATCH } from './swarm-event.ts';

const HEARTBEAT_MS = 5_000;
/** Without a batch for so long, not even an empty one, the connection is dead. */
const SILENCE_MS = 3 * HEARTBEAT_MS;
/** Between two connections: random, growing with each failure up to `maxPauseMs`. */
const FIRST_PAUSE_MS = 250;

interface Frame {
  readonly data?: { readonly swarmEvents: Batch };
  readonly errors?: readonly { readonly message: string }[];
}

/** Aborts when it was not fed for `SILENCE_MS`. */
class Watchdog {
  readonly controller = new AbortController();
  #timer = this.#start();

  feed(): void {
    clearTimeout(this.#timer);
    this.#timer = this.#start();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.controller.abort();
  }

  #start(): NodeJS.Timeout {
    return setTimeout(() => this.controller.abort(), SILENCE_MS);
  }
}

/** The batches of one connection, until it ends or breaks. A break is no error: the caller connects again. */
async function* readConnection(endpoint: Endpoint, id: string, after: string | undefined): AsyncGenerator<Batch> {
  const watchdog = new Watchdog();
  try {
    const { signal } = watchdog.controller;
    const body = await openStream(endpoint, WATCH, { id, after, heartbeatMs: HEARTBEAT_MS }, signal);
    let frames: Frame[] = [];
    const parser = createParser({ onEvent: ({ event, data }) => event === 'next' && frames.push(JSON.parse(data)) });
    const decoder = new TextDecoder();
    for await (const bytes of body) {
      watchdog.feed();
      parser.feed(decoder.decode(bytes, { stream: true }));
      const ready = frames;
      frames = [];
      for (const { data, errors } of ready) {
        if (errors !== undefined) throw new CommandError(errors.map((error) => error.message).join('\n'));
        if (data !== undefined) yield data.swarmEvents;
      }
    }
  } catch (error) {
    // The stream's own faults have no type of their own; what the server said has.
    if (error instanceof CommandError) throw error;
  } finally {
    watchdog.stop();
  }
}

/**
 * Follows a swarm to its end, over as many connections as it takes: each one goes on from the newest cursor, and events
 * that came before are dropped by their sequence. Yields heartbeats too.
 */
export async function* followSwarm(
  endpoint: Endpoint,
  id: string,
  { giveUpAfter = 20, maxPauseMs = 10_000 } = {},
): AsyncGenerator<Batch> {
  let after: string | undefined;
  let newest = 0;
  for (let failures = 0; ; failures += 1) {
    try {
      for await (const batch of readConnection(endpoint, id, after)) {
        failures = 0;
        const events = batch.events.filter((event) => event.sequence > newest);
        newest = events.at(-1)?.sequence ?? newest;
        after = batch.cursor;
        yield { ...batch, events };
        if (batch.status === 'PAUSED' || ENDED.includes(batch.status)) return;
      }
    } catch (error) {
      // A server that is being restarted does not answer for a while; one that never answered is said at once.
      if (after === undefined || failures >= giveUpAfter) throw error;
    }
    await sleep(Math.random() * Math.min(maxPauseMs, FIRST_PAUSE_MS * 2 ** failures));
  }
}
