import { showableLength, storableText } from '../domain/text.ts';

/** Makes a text of the gateway's fit for a caller: no secret, no control character, one line, not too long. */
export type Clean = (text: string) => string;

export const MOST_QUOTED = 500;
const HIDDEN = '[key]';
/** A quoted part of the key that is as long as this is hidden as well. */
const SHORTEST_PART = 8;

/** What looks like a key, whoever's it is: also shortened ones (`sk-ab***yz`), since they tell a part. */
const KEY_LIKE = /\b(?:sk|hs|rk|pk|gsk|xai)[-_][^\s"'<>,;:()[\]{}]{4,}/gi;
const BEARER = /\bbearer[\s:]+[^\s"'<>,;()[\]{}]+/gi;
/** Not the "basic plan". */
const BASIC = /\bbasic\s+[a-z0-9+/]{8,}=*(?=\W|$)/gi;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
const NOT_ONE_LINE = /[\u0000-\u0020\u007f-\u009f\u2028\u2029]+/g;

/** The forms in which a body may hold the key. */
function formsOf(key: string): Set<string> {
  return new Set([key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1), key.replaceAll('&', '&amp;')]);
}

/** Hides the secret and every part of it from SHORTEST_PART characters on. */
function hideParts(text: string, secret: string): string {
  const size = Math.min(SHORTEST_PART, secret.length);
  const isSecret = new Uint8Array(text.length);
  let isFound = false;
  for (let from = 0; from + size <= secret.length; from += 1) {
    const part = secret.slice(from, from + size);
    for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
      isSecret.fill(1, at, at + size);
      isFound = true;
    }
  }
  if (!isFound) return text;
  let hidden = '';
  for (let i = 0; i < text.length; i += 1) {
    if (isSecret[i] === 0) hidden += text[i];
    else if (i === 0 || isSecret[i - 1] === 0) hidden += HIDDEN;
  }
  return hidden;
}

export function createCleaner(secrets: readonly string[]): Clean {
  const forms = secrets.filter((secret) => secret !== '').flatMap((secret) => [...formsOf(secret)]);
  return (text) => {
    const withoutSecrets = forms.reduce(hideParts, text);
    const hidden = withoutSecrets.replace(BEARER, HIDDEN).replace(BASIC, HIDDEN).replace(KEY_LIKE, HIDDEN);
    const line = storableText(hidden.replace(NOT_ONE_LINE, ' ').trim());
    if (line.length <= MOST_QUOTED) return line;
    const cut = line.slice(0, MOST_QUOTED - 1);
    return `${cut.slice(0, showableLength(cut))}…`;
  };
}
