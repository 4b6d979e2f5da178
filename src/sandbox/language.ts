export type Language = 'ko' | 'en';

const SYLLABLES_PER_WORD = 2;
const LETTERS_PER_WORD = 5;

/** Korean when the words in Hangul outnumber those in Latin letters. */
export function languageOf(text: string): Language {
  let hangul = 0;
  let latin = 0;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xac00 && unit <= 0xd7a3) hangul += 1;
    else if ((unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122)) latin += 1;
  }
  return hangul / SYLLABLES_PER_WORD > latin / LETTERS_PER_WORD ? 'ko' : 'en';
}
