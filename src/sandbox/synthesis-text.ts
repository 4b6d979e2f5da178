import { type Language, languageOf } from './language.ts';
import type { Dice } from './random.ts';
import { firstSentence, type Report, readSynthesisPrompt } from './reports.ts';
import type { Sentiment } from './review.ts';
import { THEMES, type Theme } from './themes.ts';

interface Words {
  readonly title: string;
  readonly summary: string;
  readonly findings: string;
  readonly figures: string;
  readonly advice: string;
  readonly sources: (count: number) => string;
  readonly overview: (reports: number, names: string, top: string) => string;
  readonly mentions: (theme: string, count: number, of: number) => string;
  readonly sentiments: (counts: Readonly<Record<Sentiment, number>>) => string;
  readonly silent: (count: number) => string;
  readonly missing: string;
}

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    title: 'Fused report',
    summary: 'Summary',
    findings: 'Key findings',
    figures: 'Figures',
    advice: 'Recommendations',
    sources: (count) => `Sources: ${count} ${count === 1 ? 'report' : 'reports'}`,
    overview: (reports, names, top) =>
      `${reports === 1 ? 'One report was' : `${reports} reports were`} read, among them ${names}. They speak most often of ${top}.`,
    mentions: (theme, count, of) => `${theme}: in ${count} of ${of}`,
    sentiments: ({ positive, negative, mixed }) =>
      `Sentiment as reported: ${positive} positive, ${negative} negative, ${mixed} mixed`,
    silent: (count) => `${count} ${count === 1 ? 'report' : 'reports'} had no whole sentence to quote.`,
    missing: 'Missing',
  },
  ko: {
    title: '종합 보고서',
    summary: '요약',
    findings: '주요 발견',
    figures: '수치',
    advice: '권고',
    sources: (count) => `근거: 보고서 ${count}건`,
    overview: (reports, names, top) => `${names} 등 보고서 ${reports}건을 종합했습니다. 가장 자주 언급된 주제: ${top}.`,
    mentions: (theme, count, of) => `${theme}: ${of}건 중 ${count}건에서 언급`,
    sentiments: ({ positive, negative, mixed }) =>
      `보고된 감성: 긍정 ${positive}건, 부정 ${negative}건, 혼합 ${mixed}건`,
    silent: (count) => `인용할 문장이 없는 보고서가 ${count}건 있습니다.`,
    missing: '누락',
  },
};

/** The headings of a fused report, so that one that is fused again (a tree) counts as one report. */
const OWN_HEADINGS = new Set(
  Object.values(WORDS).flatMap((words) => [words.summary, words.findings, words.figures, words.advice, words.missing]),
);
const SOURCES = /Sources: (\d+) reports?|근거: 보고서 (\d+)건/;
const SENTIMENT = /\**(?:sentiment|감성)\**\s*[:：]\**\s*(positive|negative|mixed|긍정|부정|혼합)/gi;
/** The same in a fused report. */
const SENTIMENT_SUM = /(\d+) positive, (\d+) negative, (\d+) mixed|긍정 (\d+)건, 부정 (\d+)건, 혼합 (\d+)건/g;
const SENTIMENT_OF: Readonly<Record<string, Sentiment>> = {
  positive: 'positive',
  negative: 'negative',
  mixed: 'mixed',
  긍정: 'positive',
  부정: 'negative',
  혼합: 'mixed',
};
const MAX_FINDINGS = 8;
const MAX_MISSING = 20;
const MAX_TITLE = 80;

function sourcesOf({ body }: Report): number {
  const [, english, korean] = SOURCES.exec(body) ?? [];
  return Number(english ?? korean ?? 1);
}

function countSentiments(reports: readonly Report[]): Record<Sentiment, number> {
  const counts: Record<Sentiment, number> = { positive: 0, negative: 0, mixed: 0 };
  for (const { body } of reports) {
    for (const [, word = ''] of body.matchAll(SENTIMENT)) {
      const sentiment = SENTIMENT_OF[word.toLowerCase()];
      if (sentiment !== undefined) counts[sentiment] += 1;
    }
    for (const [, p, n, m, koP, koN, koM] of body.matchAll(SENTIMENT_SUM)) {
      counts.positive += Number(p ?? koP);
      counts.negative += Number(n ?? koN);
      counts.mixed += Number(m ?? koM);
    }
  }
  return counts;
}

/** Themes by how many reports speak of them, in either language. */
function rankThemes(reports: readonly Report[], language: Language): { theme: Theme; count: number }[] {
  return THEMES[language]
    .map((theme, index) => {
      const both = [THEMES.en[index], THEMES.ko[index]];
      const speaksOf = ({ body }: Report) => both.some((one) => one?.words.test(body));
      return { theme, count: reports.filter(speaksOf).length };
    })
    .sort((a, b) => b.count - a.count);
}

/** Fuses the reports of a prompt: counts them, quotes them, and says what they speak of. */
export function writeSynthesis(prompt: string, dice: Dice): string {
  const { goal, reports, missing } = readSynthesisPrompt(prompt, OWN_HEADINGS);
  const language = languageOf(goal === '' ? prompt : goal);
  const words = WORDS[language];
  const [goalLine = ''] = goal.split('\n', 1);
  const title = [...goalLine].slice(0, MAX_TITLE).join('').trim();
  const names = reports.slice(0, 4).map(({ heading }) => heading);
  const ranked = rankThemes(reports, language);
  const top = ranked.filter(({ count }) => count > 0).slice(0, 4);
  const quotes = reports.flatMap(({ heading, body }) => {
    const sentence = firstSentence(body);
    return sentence === undefined ? [] : [`- **${heading}**: ${sentence}`];
  });
  const chosen = new Set(dice.shuffle(quotes).slice(0, MAX_FINDINGS));
  const findings = quotes.filter((quote) => chosen.has(quote));
  const silent = reports.length - quotes.length;
  const advice = (top.length > 0 ? top : ranked.slice(0, 2)).slice(0, 3);
  const sources = reports.reduce((sum, report) => sum + sourcesOf(report), 0);
  return [
    `# ${words.title}${title === '' ? '' : `: ${title}`}`,
    `> ${words.sources(sources)}`,
    `## ${words.summary}`,
    words.overview(reports.length, names.join(', ') || '-', top[0]?.theme.name ?? '-'),
    `## ${words.findings}`,
    [...findings, ...(silent > 0 ? [`- ${words.silent(silent)}`] : [])].join('\n') || '-',
    `## ${words.figures}`,
    [
      `- ${words.sentiments(countSentiments(reports))}`,
      ...top.map(({ theme, count }) => `- ${words.mentions(theme.name, count, reports.length)}`),
    ].join('\n'),
    `## ${words.advice}`,
    advice.map(({ theme }, index) => `${index + 1}. ${theme.advice}`).join('\n'),
    ...(missing.length === 0
      ? []
      : [
          `## ${words.missing}`,
          missing
            .slice(0, MAX_MISSING)
            .map((name) => `- ${name}`)
            .join('\n'),
        ]),
  ].join('\n\n');
}
