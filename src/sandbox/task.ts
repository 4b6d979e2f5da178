export type Task = 'collect' | 'analyze' | 'generate' | 'synthesize';

const REPORT_HEADING = /^## /gm;
const MANY_REPORTS = 3;
/** How much of a prompt is looked at: its task stands at the beginning or, after long data, at the end. */
const HEAD = 2_000;
const TAIL = 500;

const WORDS: readonly (readonly [Exclude<Task, 'synthesize'>, RegExp])[] = [
  ['collect', /\b(?:collect|gather|search|scrape|find|list)|수집|검색|찾아|모아/i],
  ['analyze', /\b(?:analy[sz]|classif|sentiment|evaluat|assess|debug)|분석|분류|평가|감성|검토/i],
  ['generate', /\b(?:generat|write|draft|compose|create|reply)|작성|생성|써\s?줘|답변|만들어/i],
];

function ends(text: string): string {
  return text.length <= HEAD + TAIL ? text : `${text.slice(0, HEAD)}\n${text.slice(-TAIL)}`;
}

/** What a prompt seems to ask for: the first word for a task counts, the prompt's before the system prompt's. */
export function taskOf(systemPrompt: string, prompt: string): Task {
  if (/\bfus(?:e|ing|ion)|synthes/i.test(systemPrompt)) return 'synthesize';
  if ((prompt.match(REPORT_HEADING)?.length ?? 0) >= MANY_REPORTS) return 'synthesize';
  for (const text of [ends(prompt), ends(systemPrompt)]) {
    const found = WORDS.map(([task, word]) => ({ task, at: text.search(word) })).filter(({ at }) => at >= 0);
    const [first] = found.sort((a, b) => a.at - b.at);
    if (first !== undefined) return first.task;
  }
  return 'analyze';
}
