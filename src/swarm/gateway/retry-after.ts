/** A response's headers, their names in lower case. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Beyond a day it is no wait but a mistake: an instant where a duration belongs, say. */
const LONGEST_MS = 86_400_000;
const NUMBER = /^\d+(?:\.\d+)?$/;
/** `1s`, `6m0s`, `250ms`, `1h2m3.5s`: platform.openai.com/docs/guides/rate-limits. */
const DURATION = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?$/;
const UNIT_MS = [86_400_000, 3_600_000, 60_000, 1_000, 1];

export function headerText(headers: ResponseHeaders, name: string): string | undefined {
  const value = headers[name];
  const text = (typeof value === 'string' ? value : value?.[0])?.trim();
  return text === '' ? undefined : text;
}

function possible(waitMs: number): number | undefined {
  return waitMs >= 0 && waitMs <= LONGEST_MS ? Math.ceil(waitMs) : undefined;
}

function milliseconds(text: string | undefined): number | undefined {
  return text !== undefined && NUMBER.test(text) ? possible(Number(text)) : undefined;
}

function secondsOrDate(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  if (NUMBER.test(text)) return possible(Number(text) * 1_000);
  // Date.parse takes "-5" for a year; an HTTP date names its month.
  return /[a-z]{3}/i.test(text) ? possible(Date.parse(text) - nowMs) : undefined;
}

function duration(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (NUMBER.test(text)) return possible(Number(text) * 1_000);
  const parts = DURATION.exec(text)?.slice(1);
  return parts && possible(parts.reduce((sum, part, i) => sum + Number(part ?? 0) * (UNIT_MS[i] ?? 0), 0));
}

/** Of requests and tokens the one that is used up; when that is not told, the one that takes longer. */
function untilReset(headers: ResponseHeaders): number | undefined {
  const budgets = ['requests', 'tokens'].flatMap((unit) => {
    const waitMs = duration(headerText(headers, `x-ratelimit-reset-${unit}`));
    const isUsedUp = headerText(headers, `x-ratelimit-remaining-${unit}`) === '0';
    return waitMs === undefined ? [] : [{ waitMs, isUsedUp }];
  });
  const usedUp = budgets.filter((budget) => budget.isUsedUp);
  const waits = (usedUp.length > 0 ? usedUp : budgets).map((budget) => budget.waitMs);
  return waits.length > 0 ? Math.max(...waits) : undefined;
}

/**
 * How long the gateway asks to wait, in milliseconds. The exact header goes before the one in whole seconds, which can
 * over-wait many times; both before the times of reset. What is negative or impossible counts as not said.
 */
export function retryAfterMs(headers: ResponseHeaders, nowMs: number): number | undefined {
  return (
    milliseconds(headerText(headers, 'retry-after-ms')) ??
    secondsOrDate(headerText(headers, 'retry-after'), nowMs) ??
    untilReset(headers)
  );
}
