import type { LaneLimits, Settings } from './settings.ts';

const MINUTE_MS = 60_000;

/** Requests that were let through in the last 60 seconds. */
export class MinuteWindow {
  #times: number[] = [];
  #head = 0;

  /** 0: one more may pass; else after how many milliseconds. */
  waitMs(rpm: number, nowMs: number): number {
    while ((this.#times[this.#head] ?? nowMs) <= nowMs - MINUTE_MS) this.#head += 1;
    if (this.#head > 1_000 && this.#head * 2 > this.#times.length) {
      this.#times = this.#times.slice(this.#head);
      this.#head = 0;
    }
    if (this.#times.length - this.#head < rpm) return 0;
    const leaving = this.#times[this.#times.length - rpm];
    return leaving === undefined ? MINUTE_MS : leaving + MINUTE_MS - nowMs;
  }

  pass(nowMs: number): void {
    this.#times.push(nowMs);
  }
}

export interface Load {
  readonly model: string;
  /** The request itself included. */
  readonly inFlight: number;
  readonly inFlightOfModel: number;
  readonly nowMs: number;
}

export type Passage =
  | { readonly kind: 'passed' }
  | { readonly kind: 'too-many-at-once'; readonly limit: number }
  | { readonly kind: 'too-many-a-minute'; readonly limit: number; readonly waitMs: number };

const PASSED: Passage = { kind: 'passed' };

/** What is limited: all models together under '', and single ones under their names. */
export class Limits {
  readonly #windows = new Map<string, MinuteWindow>();

  /** A request that is refused does not count towards any limit. */
  admit(settings: Settings, load: Load): Passage {
    const { maxConcurrency, rpm, limits } = settings;
    const ofModel: LaneLimits = Object.hasOwn(limits, load.model) ? (limits[load.model] ?? {}) : {};
    if (maxConcurrency !== undefined && load.inFlight > maxConcurrency) {
      return { kind: 'too-many-at-once', limit: maxConcurrency };
    }
    if (ofModel.maxConcurrency !== undefined && load.inFlightOfModel > ofModel.maxConcurrency) {
      return { kind: 'too-many-at-once', limit: ofModel.maxConcurrency };
    }
    const lanes = [
      { name: '', rpm },
      { name: load.model, rpm: ofModel.rpm },
    ].flatMap((lane) => (lane.rpm === undefined ? [] : [{ window: this.#window(lane.name), rpm: lane.rpm }]));
    for (const lane of lanes) {
      const waitMs = lane.window.waitMs(lane.rpm, load.nowMs);
      if (waitMs > 0) return { kind: 'too-many-a-minute', limit: lane.rpm, waitMs };
    }
    for (const lane of lanes) lane.window.pass(load.nowMs);
    return PASSED;
  }

  reset(): void {
    this.#windows.clear();
  }

  #window(name: string): MinuteWindow {
    const window = this.#windows.get(name) ?? new MinuteWindow();
    this.#windows.set(name, window);
    return window;
  }
}
