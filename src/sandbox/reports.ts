/** One of the texts that a synthesis request hands over. */
export interface Report {
  /** What its heading says: a key, a role. */
  readonly heading: string;
  readonly body: string;
}

export interface SynthesisPrompt {
  readonly goal: string;
  /** Whom no report came from. */
  readonly missing: readonly string[];
  readonly reports: readonly Report[];
}

const GOAL_HEADING = /^(?:the )?(?:goal|task|question|instructions?|목표|과제|질문|지시)(?: .*)?:?$/i;
const GOAL_PART = /^# (?:goal|목표)[^\S\n]*\n+([\s\S]*?)(?=\n# |$(?![\s\S]))/im;
const MISSING_PART = /^# (?:missing|누락)[^\S\n]*\n+([\s\S]*?)(?=\n# |$(?![\s\S]))/im;
const GOAL_LINE = /^\**(?:goal|task|목표|과제)\**\s*[:：]\s*(.+)$/im;
const MIN_SENTENCE = 8;
const MAX_SENTENCE = 160;

/** `innerHeadings`: `## ` headings that belong to a report's text. */
export function readSynthesisPrompt(prompt: string, innerHeadings: ReadonlySet<string>): SynthesisPrompt {
  const [preamble = '', ...sections] = splitSections(prompt, innerHeadings);
  const parsed = sections.map((section) => {
    const end = section.indexOf('\n');
    return end < 0
      ? { heading: section.trim(), body: '' }
      : { heading: section.slice(0, end).trim(), body: section.slice(end + 1).trim() };
  });
  const goal =
    GOAL_PART.exec(preamble)?.[1] ??
    GOAL_LINE.exec(preamble)?.[1] ??
    parsed.find(({ heading }) => GOAL_HEADING.test(heading))?.body ??
    (preamble.trim() === '' ? prompt.slice(0, 400) : preamble);
  const missing = [...(MISSING_PART.exec(preamble)?.[1] ?? '').matchAll(/^- (.+)$/gm)].map(([, name = '']) => name);
  return { goal: goal.trim(), missing, reports: parsed.filter(({ heading }) => !GOAL_HEADING.test(heading)) };
}

function splitSections(prompt: string, innerHeadings: ReadonlySet<string>): string[] {
  const sections = [''];
  for (const [index, part] of `\n${prompt}`.split('\n## ').entries()) {
    const heading = part.slice(0, part.indexOf('\n') < 0 ? undefined : part.indexOf('\n')).trim();
    if (index === 0) sections[0] = part;
    else if (sections.length > 1 && innerHeadings.has(heading)) sections[sections.length - 1] += `\n### ${part}`;
    else sections.push(part);
  }
  return sections;
}

/** The first whole sentence of a Markdown text, without its marks; undefined: it has none. */
export function firstSentence(markdown: string): string | undefined {
  for (const line of markdown.split('\n', 40)) {
    if (/^\s*(?:#|>|\||```|\**(?:sentiment|감성)\**\s*[:：])/i.test(line)) continue;
    const plain = line
      .replace(/\*\*|__|`/g, '')
      .replace(/^\s*(?:[-*•]|\d+\.)\s+/, '')
      .trim();
    const sentence = /^.*?[.!?。](?=\s|$)/.exec(plain)?.[0] ?? plain;
    if (sentence.length < MIN_SENTENCE) continue;
    return sentence.length <= MAX_SENTENCE ? sentence : `${[...sentence].slice(0, MAX_SENTENCE - 1).join('')}…`;
  }
  return undefined;
}
