import type { Behaviour } from './behaviour.ts';
import type { ChatRequest } from './chat-request.ts';
import { withoutDirectives } from './directive.ts';
import type { RequestFacts } from './facts.ts';
import { languageOf } from './language.ts';
import { Dice, mix } from './random.ts';
import { readReview } from './review.ts';
import { writeMore, writeReviewJson, writeReviewText } from './review-text.ts';
import type { Settings } from './settings.ts';
import { writeSynthesis } from './synthesis-text.ts';
import { taskOf } from './task.ts';
import { countTokens, endsInPair, firstTokens } from './tokens.ts';

export type FinishReason = 'stop' | 'length' | 'content_filter';

export interface AnswerUsage {
  readonly promptTokens: number;
  readonly cachedTokens: number;
  /** Reasoning included. */
  readonly completionTokens: number;
  readonly reasoningTokens: number;
}

/** What the sandbox answers, before it is put into JSON or events. */
export interface Answer {
  readonly id: string;
  readonly model: string;
  /** In one part, or in two between which a stream must begin a new chunk. */
  readonly parts: readonly string[];
  readonly finishReason: FinishReason;
  readonly usage: AnswerUsage;
}

const ASKS_FOR_JSON = /\b(?:in|as|only|valid|return|a|one)\s+JSON\b|\bJSON\s+(?:only|object)\b|JSON\s?(?:으로|형식)/i;
const EMOJI = '🐝';

function seedOf(facts: RequestFacts, seed: number, salt: number): number {
  return mix(seed, salt, facts.contentHash, (facts.agentIndex ?? -1) + 1, facts.attemptNumber);
}

function writeText(facts: RequestFacts, wantsJson: boolean, dice: Dice): string {
  const prompt = withoutDirectives(facts.prompt);
  const systemPrompt = withoutDirectives(facts.systemPrompt);
  const task = taskOf(systemPrompt, prompt);
  if (task === 'synthesize') return writeSynthesis(prompt, dice);
  const language = languageOf(prompt);
  const review = readReview(prompt, language, dice);
  return wantsJson || ASKS_FOR_JSON.test(prompt) || ASKS_FOR_JSON.test(systemPrompt)
    ? writeReviewJson(language, review, dice)
    : writeReviewText(task, language, review, dice);
}

/** Brings a text to a length in tokens: shortened, or with more paragraphs. */
function stretch(text: string, tokens: number, facts: RequestFacts, dice: Dice): string {
  const language = languageOf(facts.prompt);
  const pieces = [text];
  for (let length = countTokens(text); length < tokens; ) {
    const more = writeMore(language, dice);
    pieces.push(more);
    // Rounded up per piece, so the whole may be a little shorter than the sum; the loop's last piece makes up for it.
    length += Math.floor(countTokens(more) - 1);
  }
  return firstTokens(pieces.join(''), tokens);
}

function wholeText(request: ChatRequest, facts: RequestFacts, settings: Settings, behaviour: Behaviour): string {
  if (behaviour.fault === 'empty') return '';
  const dice = new Dice(seedOf(facts, settings.seed, 5));
  const wantsJson = request.wantsJson || behaviour.fault === 'fenced_json';
  const text = behaviour.text ?? writeText(facts, wantsJson, dice);
  const tokens = behaviour.tokens ?? settings.answerTokens;
  const sized = tokens === undefined ? text : stretch(text, tokens, facts, dice);
  return behaviour.fault === 'fenced_json' ? `\`\`\`json\n${sized}\n\`\`\`` : sized;
}

function middleOf(text: string): number {
  const middle = text.length >> 1;
  return endsInPair(text, middle) ? middle + 1 : middle;
}

/** Puts what a fault asks for into the middle of the text. */
function partsOf(text: string, behaviour: Behaviour): string[] {
  const middle = middleOf(text);
  const before = text.slice(0, middle);
  const after = text.slice(middle);
  switch (behaviour.fault) {
    case 'nul':
      return [`${before}\u0000${after}`];
    case 'lone_surrogate':
      return [`${before}${EMOJI.slice(0, 1)}${after}`];
    case 'split_emoji':
      return [`${before}${EMOJI.slice(0, 1)}`, `${EMOJI.slice(1)}${after}`];
    case 'content_filter_finish':
      return [before];
    case 'cut': {
      const hasWideCharacter = /[^\p{ASCII}]/u.test(text);
      return [behaviour.cutAt === undefined && !hasWideCharacter ? `${before}${EMOJI}${after}` : text];
    }
    default:
      return [text];
  }
}

export function answerTo(request: ChatRequest, facts: RequestFacts, settings: Settings, behaviour: Behaviour): Answer {
  const limit = request.maxTokens ?? Number.MAX_SAFE_INTEGER;
  const reasoningTokens = Math.min(behaviour.reasoningTokens ?? settings.reasoningTokens, limit);
  const whole = wholeText(request, facts, settings, behaviour);
  const text = firstTokens(whole, limit - reasoningTokens);
  const isCut = text.length < whole.length;
  const asked = behaviour.text === undefined ? (behaviour.tokens ?? settings.answerTokens) : behaviour.tokens;
  const textTokens = isCut ? limit - reasoningTokens : behaviour.fault === 'empty' ? 0 : (asked ?? countTokens(text));
  const isFiltered = behaviour.fault === 'content_filter_finish';
  return {
    id: `chatcmpl-sandbox${seedOf(facts, settings.seed, 6).toString(16).padStart(8, '0')}`,
    model: behaviour.servedModel ?? (behaviour.fault === 'other_model' ? 'sandbox/other-model' : request.model),
    parts: partsOf(text, behaviour),
    finishReason: isFiltered ? 'content_filter' : isCut ? 'length' : 'stop',
    usage: {
      promptTokens: facts.promptTokens,
      cachedTokens: Math.floor(facts.promptTokens * settings.cachedShare),
      completionTokens: Math.min(textTokens + reasoningTokens, limit),
      reasoningTokens,
    },
  };
}
