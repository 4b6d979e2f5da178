import { describe, expect, it } from 'vitest';
import { maskKey } from '../../src/swarm/gateway/mask-key.ts';
import { createCleaner, MOST_QUOTED } from '../../src/swarm/gateway/redact.ts';

const KEY = 'q8Zr"T&v/0123456789xyzABC';
const clean = createCleaner([KEY]);

describe('a quoted text', () => {
  it.each([
    ['the key', `Incorrect API key provided: ${KEY}.`],
    ['the key in a URL', `GET https://host/v1?key=${encodeURIComponent(KEY)} failed`],
    ['the key as JSON writes it', JSON.stringify({ authorization: KEY })],
    ['the key as HTML writes it', `<b>${KEY.replace('&', '&amp;')}</b>`],
    ['the beginning of the key', `Your key ${KEY.slice(0, 12)}… is wrong`],
    ['the end of the key', `Your key …${KEY.slice(-9)} is wrong`],
    ['the key twice', `${KEY} ${KEY}`],
  ])('does not show %s', (_, text) => {
    const shown = clean(text);

    expect(shown).toContain('[key]');
    for (let from = 0; from + 8 <= KEY.length; from += 1) expect(shown).not.toContain(KEY.slice(from, from + 8));
  });

  it.each([
    ['sk-abc123***************wxyz is wrong', '[key] is wrong'],
    ['key hs_live_0123456789abcdef', 'key [key]'],
    ['Authorization: Bearer eyJhbGciOi.J9', 'Authorization: [key]'],
    ['Authorization: Basic dXNlcjpwYXNz', 'Authorization: [key]'],
    ['Your basic plan has ended', 'Your basic plan has ended'],
    ['ask a risk-free task', 'ask a risk-free task'],
  ])('"%s" becomes "%s"', (text, shown) => {
    expect(createCleaner([])(text)).toBe(shown);
  });

  it('hides a short key as well', () => {
    expect(createCleaner(['ab'])('it is ab!')).toBe('it is [key]!');
  });

  it('is one line that can be stored, of at most 500 characters', () => {
    expect(clean('a\r\n\tb\u0000\u001b[31mc\u2028d \ud800')).toBe('a b [31mc d \ufffd');
    expect(clean('가'.repeat(600))).toBe(`${'가'.repeat(MOST_QUOTED - 1)}…`);
    expect(clean(`${'x'.repeat(MOST_QUOTED - 2)}😀😀`)).toBe(`${'x'.repeat(MOST_QUOTED - 2)}…`);
  });

  it('is cut after the key was hidden, not through it', () => {
    const text = 'x'.repeat(MOST_QUOTED - 10) + KEY;

    expect(clean(text)).toBe(`${'x'.repeat(MOST_QUOTED - 10)}[key]`);
  });
});

describe('a masked key', () => {
  it.each([
    ['sk-abcdefghijklmnopqrstuvwxyz', 'sk-abc…wxyz'],
    ['hs_0123456789abcdef', 'hs_012…cdef'],
    ['short', '…'],
    ['', '…'],
  ])('of %s is %s', (key, masked) => {
    expect(maskKey(key)).toBe(masked);
  });
});
