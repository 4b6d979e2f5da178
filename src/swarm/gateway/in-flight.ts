/** What has time limits, and can be aborted. */
export interface Limited {
  /** `now`: of `performance.now()`. */
  isOverdue(now: number): boolean;
  /** Does what is to be done if it still is overdue. */
  breakOffIfOverdue(now: number): void;
  abort(): void;
}

interface Group {
  readonly members: Set<Limited>;
  readonly listener: () => void;
}

const TICK_MS = 50;

/**
 * All exchanges under way: one timer for the time limits of all of them, and one listener a signal, since hundreds
 * share a swarm's and an event target walks all its listeners whenever one is added or removed. When nothing is under
 * way there is no timer, and a signal that nothing waits for has no listener.
 */
export class InFlight {
  readonly #groups = new Map<AbortSignal, Group>();
  #timer: NodeJS.Timeout | undefined;

  add(signal: AbortSignal, member: Limited): void {
    const group = this.#groups.get(signal);
    if (group !== undefined) {
      group.members.add(member);
      return;
    }
    const members = new Set([member]);
    const listener = () => abortAll(members);
    this.#groups.set(signal, { members, listener });
    signal.addEventListener('abort', listener);
    this.#timer ??= setInterval(this.#tick, TICK_MS);
  }

  remove(signal: AbortSignal, member: Limited): void {
    const group = this.#groups.get(signal);
    if (group === undefined || !group.members.delete(member) || group.members.size > 0) return;
    this.#groups.delete(signal);
    signal.removeEventListener('abort', group.listener);
    if (this.#groups.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  abortAll(): void {
    for (const { members } of this.#groups.values()) abortAll(members);
  }

  readonly #tick = () => {
    const now = performance.now();
    for (const { members } of this.#groups.values()) {
      for (const member of members) {
        if (!member.isOverdue(now)) continue;
        // After a poll for what lies in the sockets: a gateway is not blamed for a stall of this process.
        setImmediate(this.#breakOff, now);
        return;
      }
    }
  };

  readonly #breakOff = (now: number) => {
    for (const { members } of this.#groups.values()) {
      for (const member of members) member.breakOffIfOverdue(now);
    }
  };
}

function abortAll(members: ReadonlySet<Limited>): void {
  for (const member of members) member.abort();
}
