import { expect, it } from 'vitest';
import { type ResponseHeaders, retryAfterMs } from '../../src/swarm/gateway/retry-after.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');

const rows: readonly [string, ResponseHeaders, number | undefined][] = [
  ['says nothing', {}, undefined],
  ['says milliseconds', { 'retry-after-ms': '250' }, 250],
  ['says fractions of milliseconds, rounded up', { 'retry-after-ms': '250.2' }, 251],
  ['says seconds', { 'retry-after': '3' }, 3_000],
  ['says fractions of seconds', { 'retry-after': '0.5' }, 500],
  ['says zero', { 'retry-after': '0' }, 0],
  ['says a date', { 'retry-after': 'Sun, 01 Mar 2026 12:00:20 GMT' }, 20_000],
  ['says this very moment', { 'retry-after': 'Sun, 01 Mar 2026 12:00:00 GMT' }, 0],
  ['says a date that is past', { 'retry-after': 'Sun, 01 Mar 2026 11:59:59 GMT' }, undefined],
  ['says a date of next year', { 'retry-after': 'Mon, 01 Mar 2027 12:00:00 GMT' }, undefined],
  ['says both: milliseconds count', { 'retry-after-ms': '120', 'retry-after': '1' }, 120],
  ['says impossible milliseconds: seconds count', { 'retry-after-ms': '-5', 'retry-after': '2' }, 2_000],
  ['says a negative number', { 'retry-after': '-5' }, undefined],
  ['says an instant in place of a duration', { 'retry-after': '1772366400' }, undefined],
  ['says words', { 'retry-after': 'soon' }, undefined],
  ['says nothing in a header that is there', { 'retry-after': ' ' }, undefined],
  ['says it twice: the first counts', { 'retry-after': ['2', '9'] }, 2_000],
  ['tells a reset in seconds', { 'x-ratelimit-reset-requests': '1s' }, 1_000],
  ['tells a reset in minutes', { 'x-ratelimit-reset-tokens': '6m0s' }, 360_000],
  ['tells a reset in milliseconds', { 'x-ratelimit-reset-tokens': '250ms' }, 250],
  ['tells a reset in all units', { 'x-ratelimit-reset-tokens': '1h2m3.5s' }, 3_723_500],
  ['tells a reset as a number of seconds', { 'x-ratelimit-reset-requests': '1.5' }, 1_500],
  ['tells a reset as an instant', { 'x-ratelimit-reset-requests': '1772366400' }, undefined],
  ['tells no reset', { 'x-ratelimit-reset-requests': '' }, undefined],
  ['tells a reset that is none', { 'x-ratelimit-reset-requests': 'never' }, undefined],
  [
    'tells two resets, neither used up: the longer counts',
    { 'x-ratelimit-reset-requests': '1s', 'x-ratelimit-reset-tokens': '2s' },
    2_000,
  ],
  [
    'tells two resets, one used up: that one counts',
    {
      'x-ratelimit-reset-requests': '1s',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-tokens': '6m0s',
      'x-ratelimit-remaining-tokens': '120',
    },
    1_000,
  ],
  ['says seconds and tells a reset: seconds count', { 'retry-after': '1', 'x-ratelimit-reset-tokens': '9s' }, 1_000],
];

it.each(rows)('waits as a gateway asks that %s', (_, headers, expected) => {
  expect(retryAfterMs(headers, NOW)).toBe(expected);
});
