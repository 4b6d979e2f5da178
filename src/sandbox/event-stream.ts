import type { Answer } from './answer.ts';
import type { Behaviour, UsageForm } from './behaviour.ts';
import { usageJson } from './completion-body.ts';
import { SERVER_ERROR_MESSAGE } from './refusal.ts';
import type { Settings } from './settings.ts';
import { endsInPair } from './tokens.ts';

/** An answer as server-sent events: before the first text, with text, and after it. */
export interface EventStream {
  readonly head: string;
  readonly chunks: readonly string[];
  readonly tail: string;
}

/** `includesUsage`: the request has `stream_options.include_usage`. */
export interface StreamForm {
  readonly createdAtSeconds: number;
  readonly includesUsage: boolean;
  readonly behaviour: Behaviour;
}

type ChunkSize = Pick<Settings, 'chunkCount' | 'chunkCharacters'>;

/** Pieces of about the same size, none of which ends within a surrogate pair. */
export function splitText(text: string, size: number): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    const end = from + size;
    const to = end < text.length && endsInPair(text, end) ? end + 1 : end;
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}

const EMPTY = '{}';
const DONE = 'data: [DONE]\n\n';
const GARBAGE = 'data: {"id":"chatcmpl-sandbox","choices":[{"index":0,"delta":{"content":"ga\n\n';

class Events {
  readonly #before: string;
  readonly #after: string;

  constructor({ id, model }: Answer, { createdAtSeconds, includesUsage }: StreamForm) {
    this.#before = `data: {"id":"${id}","object":"chat.completion.chunk","created":${createdAtSeconds},"model":${JSON.stringify(model)},"system_fingerprint":"fp_sandbox","choices":[`;
    this.#after = includesUsage ? ',"usage":null}\n\n' : '}\n\n';
  }

  delta(delta: string, finishReason: string = 'null', usage?: string): string {
    const end = usage === undefined ? this.#after : `,"usage":${usage}}\n\n`;
    return `${this.#before}{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${finishReason}}]${end}`;
  }

  usageAlone(usage: string): string {
    return `${this.#before}],"usage":${usage}}\n\n`;
  }
}

function tailOf(events: Events, answer: Answer, form: UsageForm): string {
  const usage = usageJson(answer.usage);
  const reason = `"${answer.finishReason}"`;
  switch (form) {
    case 'none':
      return events.delta(EMPTY, reason) + DONE;
    case 'finish_chunk':
      return events.delta(EMPTY, reason, usage) + DONE;
    case 'empty_delta':
      return events.delta(EMPTY, reason) + events.delta('{"role":"assistant","content":""}', 'null', usage) + DONE;
    case 'twice':
    case 'after_finish':
      return events.delta(EMPTY, reason) + events.usageAlone(usage) + DONE;
  }
}

function middle(chunks: string[], event: string): string[] {
  return chunks.toSpliced(Math.ceil(chunks.length / 2), 0, event);
}

const withCrlf = (text: string) => text.replaceAll('\n\n', '\r\n\r\n: sandbox keep-alive\r\n\r\n');

export function eventStream(answer: Answer, form: StreamForm, size: ChunkSize): EventStream {
  const events = new Events(answer, form);
  const { fault, usage = form.includesUsage ? 'after_finish' : 'none' } = form.behaviour;
  const length = answer.parts.reduce((sum, part) => sum + part.length, 0);
  const step = size.chunkCharacters ?? Math.max(1, Math.ceil(length / size.chunkCount));
  const head = events.delta('{"role":"assistant","content":"","refusal":null}');
  let chunks = answer.parts
    .flatMap((part) => splitText(part, step))
    .map((piece) => events.delta(`{"content":${JSON.stringify(piece)}}`));
  let tail = tailOf(events, answer, usage);
  if (usage === 'twice') {
    const early = { ...answer.usage, completionTokens: 1, reasoningTokens: 0 };
    chunks = middle(chunks, events.delta(EMPTY, 'null', usageJson(early)));
  }
  if (fault === 'garbage_line') chunks = middle(chunks, GARBAGE);
  if (fault === 'no_finish') tail = '';
  if (fault === 'error_in_stream') {
    const message = form.behaviour.message ?? SERVER_ERROR_MESSAGE;
    const error = { message, type: 'server_error', param: null, code: form.behaviour.status ?? null };
    chunks = chunks.slice(0, Math.ceil(chunks.length / 2));
    tail = `data: ${JSON.stringify({ error })}\n\n`;
  }
  if (fault === 'comments_crlf') {
    return { head: `: sandbox\r\n\r\n${withCrlf(head)}`, chunks: chunks.map(withCrlf), tail: withCrlf(tail) };
  }
  return { head, chunks, tail };
}
