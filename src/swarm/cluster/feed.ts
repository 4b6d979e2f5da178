/** One follower's ear for one swarm's news. */
export interface Ears {
  /** Forgets what was heard so far: whoever reads next sees it anyway. */
  forget(): void;
  /** Resolves at news since `forget`, after `timeoutMs`, or when aborted. Never rejects. */
  heard(timeoutMs: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

class LocalEars implements Ears {
  readonly #onClose: (ears: LocalEars) => void;
  #hasNews = false;
  #wake: (() => void) | undefined;

  constructor(onClose: (ears: LocalEars) => void) {
    this.#onClose = onClose;
  }

  news(): void {
    this.#hasNews = true;
    this.#wake?.();
  }

  forget(): void {
    this.#hasNews = false;
  }

  heard(timeoutMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (this.#hasNews || signal.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        this.#wake = undefined;
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      signal.addEventListener('abort', done);
      this.#wake = done;
    });
  }

  close(): void {
    this.#onClose(this);
  }
}

/** Says that a swarm has news, no more: what they are stands in the log. Lost or doubled wake-ups cost latency only. */
export class Feed {
  readonly #listeners = new Map<string, Set<LocalEars>>();

  wake(swarmId: string): void {
    for (const ears of this.#listeners.get(swarmId) ?? []) ears.news();
  }

  listen(swarmId: string): Ears {
    const listeners = this.#listeners.get(swarmId) ?? new Set();
    const ears = new LocalEars((closed) => {
      listeners.delete(closed);
      if (listeners.size === 0) this.#listeners.delete(swarmId);
    });
    listeners.add(ears);
    this.#listeners.set(swarmId, listeners);
    return ears;
  }

  /** For tests and metrics: 0 when nobody listens. */
  get listenerCount(): number {
    return [...this.#listeners.values()].reduce((sum, listeners) => sum + listeners.size, 0);
  }
}
