import { describe, expect, it } from 'vitest';
import { AttemptClock, type Stage } from '../../src/swarm/gateway/time-limits.ts';

const LIMITS = { connectMs: 100, firstTokenMs: 1_000, idleMs: 500, endingMs: 2_000 };

/** A clock that has just entered `stage`, and about when that was. */
function clockIn(stage: Stage, totalMs = 60_000) {
  const start = performance.now();
  const clock = new AttemptClock(LIMITS, totalMs, start);
  if (stage !== 'connect') clock.enter(stage);
  return { clock, start, now: performance.now() };
}

describe('an attempt', () => {
  it.each([
    ['connect', 100],
    ['first-token', 1_000],
    ['idle', 500],
  ] as const)('passes the limit of %s when that is over', (stage, limitMs) => {
    const { clock, start, now } = clockIn(stage);

    expect(clock.overdue(start + limitMs - 1)).toBeUndefined();
    expect(clock.overdue(now + limitMs)).toEqual({ limit: stage, limitMs });
  });

  it('passes the total in any stage', () => {
    for (const stage of ['connect', 'first-token', 'idle', 'whole'] as const) {
      const { clock, start } = clockIn(stage, 50);

      expect(clock.overdue(start + 49)).toBeUndefined();
      expect(clock.overdue(start + 50)).toEqual({ limit: 'total', limitMs: 50 });
    }
  });

  it('has passed the limit that came first, when two are found passed at once', () => {
    const { clock, start } = clockIn('connect', 150);

    expect(clock.overdue(start + 10_000)).toEqual({ limit: 'connect', limitMs: 100 });
  });

  it('in one piece may take the total', () => {
    const { clock, start } = clockIn('whole', 3_600_000);

    expect(clock.overdue(start + 3_599_999)).toBeUndefined();
  });

  it('that moves is never idle, for as long as the total allows', () => {
    const { clock, start } = clockIn('idle', 100_000);

    for (let now = start; now < start + 100_000; now += 400) {
      clock.move();
      expect(clock.overdue(now)).toBeUndefined();
    }
    clock.move();
    expect(clock.overdue(start + 100_000)).toEqual({ limit: 'total', limitMs: 100_000 });
  });

  it('whose outcome is known is not waited for long, and no limit strikes it', () => {
    const { clock, now } = clockIn('ending', 1);

    expect(clock.overdue(now + 2_000)).toBe('ending');
  });
});
