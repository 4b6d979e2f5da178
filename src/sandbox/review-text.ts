import type { Language } from './language.ts';
import type { Dice } from './random.ts';
import type { Review, Sentiment } from './review.ts';
import type { Task } from './task.ts';
import { THEMES } from './themes.ts';

type Writer = (review: Review, dice: Dice) => string;

export const SENTIMENT_NAMES: Readonly<Record<Language, Readonly<Record<Sentiment, string>>>> = {
  en: { positive: 'positive', negative: 'negative', mixed: 'mixed' },
  ko: { positive: '긍정', negative: '부정', mixed: '혼합' },
};

const stars = (count: number) => '★'.repeat(count) + '☆'.repeat(5 - count);

function starsFor(sentiment: Sentiment, dice: Dice): number {
  if (sentiment === 'mixed') return dice.between(2, 4);
  return sentiment === 'positive' ? dice.between(4, 5) : dice.between(1, 2);
}

/** Praise and complaints in the proportion that the sentiment asks for. */
function remarks({ themes, sentiment }: Review): { name: string; text: string; isPraise: boolean }[] {
  return themes.slice(0, 3).map(({ name, praise, complaint }, index) => {
    const isPraise = sentiment === 'mixed' ? index % 2 === 0 : (sentiment === 'positive') === index < 2;
    return { name, text: isPraise ? praise : complaint, isPraise };
  });
}

const analyzeEn: Writer = (review, dice) => {
  const { product, quote, sentiment, themes } = review;
  const lines = remarks(review).map(
    ({ name, text, isPraise }) => `- **${isPraise ? 'Praised' : 'Criticised'}: ${name}.** ${text}`,
  );
  const evidence = quote === undefined ? '' : `\n\n**Evidence:** “${quote}”`;
  return `**Sentiment:** ${sentiment} (confidence 0.${dice.between(71, 96)})

The customer writes about ${themes[0].name} first, and about ${themes[1].name} after it. For ${product} that is a pattern worth watching.

${lines.join('\n')}${evidence}

**Urgency:** ${sentiment === 'negative' ? 'high' : dice.pick(['low', 'medium'])}. **Next step:** ${themes[0].advice}`;
};

const analyzeKo: Writer = (review, dice) => {
  const { product, quote, sentiment, themes } = review;
  const lines = remarks(review).map(
    ({ name, text, isPraise }) => `- **${isPraise ? '칭찬' : '불만'}: ${name}.** ${text}`,
  );
  const evidence = quote === undefined ? '' : `\n\n**근거:** “${quote}”`;
  return `**감성:** ${SENTIMENT_NAMES.ko[sentiment]} (신뢰도 0.${dice.between(71, 96)})

고객은 ${themes[0].name} 문제를 가장 먼저 이야기하고, 이어서 ${themes[1].name}에 대해 말합니다. 대상: ${product}. 계속 지켜볼 만한 흐름입니다.

${lines.join('\n')}${evidence}

**긴급도:** ${sentiment === 'negative' ? '높음' : dice.pick(['낮음', '보통'])}. **다음 조치:** ${themes[0].advice}`;
};

const collectEn: Writer = ({ product, sentiment, themes }, dice) => {
  const items = Array.from({ length: dice.between(4, 6) }, (_, index) => {
    const theme = themes[index % themes.length] ?? themes[0];
    const count = starsFor(index % 3 === 2 ? 'mixed' : sentiment, dice);
    const source = dice.pick(['own shop', 'marketplace', 'blog', 'forum', 'video comments']);
    return `${index + 1}. ${stars(count)} ${count >= 3 ? theme.praise : theme.complaint} (${source}, ${theme.name})`;
  });
  return `Collected ${dice.between(18, 64)} reviews of ${product}; these stand for the rest:\n\n${items.join('\n')}\n\nMost are about ${themes[0].name}. ${dice.between(2, 7)} duplicates were left out.`;
};

const collectKo: Writer = ({ product, sentiment, themes }, dice) => {
  const items = Array.from({ length: dice.between(4, 6) }, (_, index) => {
    const theme = themes[index % themes.length] ?? themes[0];
    const count = starsFor(index % 3 === 2 ? 'mixed' : sentiment, dice);
    const source = dice.pick(['자사몰', '오픈마켓', '블로그', '커뮤니티', '영상 댓글']);
    return `${index + 1}. ${stars(count)} ${count >= 3 ? theme.praise : theme.complaint} (${source}, ${theme.name})`;
  });
  return `${product}: 리뷰 ${dice.between(18, 64)}건을 수집했습니다. 대표적인 내용은 다음과 같습니다.\n\n${items.join('\n')}\n\n가장 많이 언급된 주제: ${themes[0].name}. 중복 ${dice.between(2, 7)}건은 제외했습니다.`;
};

const generateEn: Writer = ({ product, quote, sentiment, themes }, dice) => {
  const isHappy = sentiment === 'positive';
  const opening = isHappy
    ? `Thank you for the kind words about ${product}.`
    : `Thank you for telling us what went wrong with ${product}, and please accept our apology.`;
  const cited = quote === undefined ? '' : ` You wrote: “${quote}”. We have read that with care.`;
  const next = isHappy
    ? `We are glad that ${themes[0].name} met what you had hoped for, and have passed your note on to the team.`
    : `We have opened a case on ${themes[0].name} and ${dice.pick(['will send a replacement today', 'will refund the difference', 'are checking the whole batch'])}.`;
  return `Dear customer,

${opening}${cited}

${next} On ${themes[1].name} we will come back to you within ${dice.between(2, 5)} days.

With kind regards,
your shop team`;
};

const generateKo: Writer = ({ product, quote, sentiment, themes }, dice) => {
  const isHappy = sentiment === 'positive';
  const opening = isHappy
    ? `${product}에 대해 따뜻한 말씀을 남겨 주셔서 감사합니다.`
    : `${product} 관련으로 불편을 드려 진심으로 죄송합니다.`;
  const cited = quote === undefined ? '' : ` 남겨 주신 “${quote}”라는 말씀을 꼼꼼히 읽었습니다.`;
  const next = isHappy
    ? `말씀해 주신 ${themes[0].name} 관련 의견은 담당 팀에 그대로 전달했습니다.`
    : `${themes[0].name} 관련 문제는 담당 팀에 접수했으며, ${dice.pick(['오늘 새 제품을 보내 드리겠습니다', '차액을 환불해 드리겠습니다', '같은 입고분을 모두 점검하겠습니다'])}.`;
  return `안녕하세요, 고객님.

${opening}${cited}

${next} ${themes[1].name} 건은 ${dice.between(2, 5)}일 안에 다시 안내드리겠습니다.

감사합니다.
고객만족팀 드림`;
};

const WRITERS: Readonly<Record<Language, Readonly<Record<Exclude<Task, 'synthesize'>, Writer>>>> = {
  en: { analyze: analyzeEn, collect: collectEn, generate: generateEn },
  ko: { analyze: analyzeKo, collect: collectKo, generate: generateKo },
};

export function writeReviewText(
  task: Exclude<Task, 'synthesize'>,
  language: Language,
  review: Review,
  dice: Dice,
): string {
  return WRITERS[language][task](review, dice);
}

export function writeReviewJson(language: Language, { sentiment, themes, quote }: Review, dice: Dice): string {
  return JSON.stringify({
    sentiment,
    score: dice.between(1, 100) / 100,
    topics: themes.slice(0, 3).map(({ name }) => name),
    summary: sentiment === 'positive' ? themes[0].praise : themes[0].complaint,
    evidence: quote ?? null,
    language,
  });
}

/** One more paragraph, for answers that must be longer. */
export function writeMore(language: Language, dice: Dice): string {
  const { name, praise, complaint, advice } = dice.pick(THEMES[language]);
  return `\n\n${name}: ${praise} ${complaint} ${advice}`;
}
