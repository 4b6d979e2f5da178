// Weights in twelfths of a token: 4 Latin characters a token, 1.5 of any other script.
const LATIN = 3;
const OTHER = 8;
const WHOLE = 12;
const LAST_LATIN = 0x24f;

/** About how many tokens a text has. */
export function countTokens(text: string): number {
  let weight = 0;
  for (let i = 0; i < text.length; i += 1) weight += text.charCodeAt(i) <= LAST_LATIN ? LATIN : OTHER;
  return Math.ceil(weight / WHOLE);
}

/** The longest beginning of a text that has no more than `limit` tokens and halves no surrogate pair. */
export function firstTokens(text: string, limit: number): string {
  const most = limit * WHOLE;
  let weight = 0;
  for (let i = 0; i < text.length; i += 1) {
    weight += text.charCodeAt(i) <= LAST_LATIN ? LATIN : OTHER;
    if (weight > most) return text.slice(0, endsInPair(text, i) ? i - 1 : i);
  }
  return text;
}

/** True when a cut before `at` would go through a surrogate pair. */
export function endsInPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
