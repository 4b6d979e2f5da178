import type { Language } from './language.ts';
import type { Dice } from './random.ts';
import { THEMES, type Theme } from './themes.ts';

export type Sentiment = 'positive' | 'negative' | 'mixed';

/** What a prompt says about a product, and what is made up because it does not. */
export interface Review {
  readonly product: string;
  /** Words of the review itself; undefined: none were found. */
  readonly quote: string | undefined;
  readonly sentiment: Sentiment;
  /** Those the prompt speaks of first. At least three. */
  readonly themes: readonly [Theme, Theme, Theme, ...Theme[]];
}

const PRODUCT = /(?:"?(?:product|item|title|상품명?|제품명?)"?\s*[:=]\s*)"?([^"\n,;{}[\]]{2,60})/i;
const REVIEW = /(?:"?(?:review|text|comment|body|리뷰|후기|내용)"?\s*[:=]\s*)"?([^"\n]{6,400})/i;
const QUOTED = /["“「'‘]([^"”」'’\n]{8,400})["”」'’]/;
const GOOD = /love|great|excellent|perfect|good|happy|recommend|best|좋|최고|만족|추천|훌륭|예쁘|친절|빠르/gi;
const BAD =
  /bad|broke|late|poor|disappoint|terrible|worst|slow|return|defect|별로|실망|불량|늦|파손|느리|최악|환불|불편/gi;
const MAX_QUOTE = 120;

function shorten(text: string): string {
  const clean = text.replace(/\s+/g, ' ').trim();
  return clean.length <= MAX_QUOTE ? clean : `${[...clean].slice(0, MAX_QUOTE - 1).join('')}…`;
}

function sentimentOf(text: string, dice: Dice): Sentiment {
  const good = text.match(GOOD)?.length ?? 0;
  const bad = text.match(BAD)?.length ?? 0;
  if (good === 0 && bad === 0) return dice.pick(['positive', 'negative', 'mixed']);
  if (good > 0 && bad > 0) return 'mixed';
  return good > 0 ? 'positive' : 'negative';
}

export function readReview(prompt: string, language: Language, dice: Dice): Review {
  const head = prompt.slice(0, 4_000);
  const product = PRODUCT.exec(head)?.[1]?.trim();
  const quote = REVIEW.exec(head)?.[1] ?? QUOTED.exec(head)?.[1];
  const all = THEMES[language];
  const shuffled = dice.shuffle(all);
  const evidence = quote ?? head;
  const named = shuffled.filter(({ words }) => words.test(evidence));
  const others = shuffled.filter((theme) => !named.includes(theme));
  const [first = all[0], second = all[0], third = all[0], ...rest] = [...named, ...others];
  return {
    product: product ?? (language === 'ko' ? '이 상품' : 'this product'),
    quote: quote === undefined ? undefined : shorten(quote),
    sentiment: sentimentOf(evidence, dice),
    themes: [first, second, third, ...rest],
  };
}
