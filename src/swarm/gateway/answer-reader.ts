import { createParser, type EventSourceMessage, type EventSourceParser } from 'eventsource-parser';
import type { Fault } from '../domain/fault.ts';
import type { TokenUsage } from '../domain/usage.ts';
import { parseUsage } from '../domain/usage.ts';
import { isToken, textOf } from './answer-part.ts';
import { classifyErrorObject } from './classify.ts';
import { errorBodyOf } from './error-body.ts';
import { type JsonObject, objectIn, parseJson, textIn } from './json-value.ts';
import { LiveText } from './live-text.ts';
import type { Clean } from './redact.ts';

/** What the body of an answer turned out to be, by its first character. */
type Form = 'unknown' | 'events' | 'json';

const BLANK = /^\s*/;
const EVENT_STREAM = /^(data|event|id|retry|:)/;
const FIELDS = ['data', 'event', 'id', 'retry'];
const QUOTED = 80;

/**
 * Reads the body of a 200, whatever way its bytes are cut: server-sent events, or a whole completion as JSON. What it
 * has read stands in its fields. After a fault it reads no further.
 */
export class AnswerReader {
  fault: Fault | undefined;
  usage: TokenUsage | undefined;
  servedModel: string | undefined;
  upstreamId: string | undefined;
  isTruncated = false;
  /** The end of the text was told. */
  isFinished = false;
  /** `[DONE]` was read: nothing follows. */
  isDone = false;
  /** Something of a completion was read. */
  hasBegun = false;
  /** An error came in place of the answer, not in the midst of it. */
  isRefused = false;
  /** Tokens, also such that are not text, have come since this was last set to false. */
  hasMoved = false;

  readonly #live = new LiveText();
  readonly #decoder = new TextDecoder();
  readonly #onPiece: (piece: string) => void;
  readonly #clean: Clean;
  readonly #mostBytes: number;
  #byteCount = 0;
  #form: Form = 'unknown';
  /** In form `unknown` the beginning, in form `json` all. */
  #body = '';
  #parser: EventSourceParser | undefined;
  #isFiltered = false;
  #isEnding = false;

  constructor(onPiece: (piece: string) => void, clean: Clean, mostBytes: number) {
    this.#onPiece = onPiece;
    this.#clean = clean;
    this.#mostBytes = mostBytes;
  }

  get text(): string {
    return this.#live.text;
  }

  /** The whole text has come; what is missing could only be usage. */
  get isWhole(): boolean {
    return this.fault === undefined && !this.#isFiltered && this.hasBegun && (this.isFinished || this.isDone);
  }

  feed(bytes: Uint8Array): void {
    this.#byteCount += bytes.length;
    if (this.#byteCount > this.#mostBytes) {
      this.#fail({ kind: 'bad-answer', message: `The answer is larger than ${this.#mostBytes} bytes; it was left.` });
      return;
    }
    this.#read(this.#decoder.decode(bytes, { stream: true }));
  }

  /** The body has ended as HTTP wants it. Afterwards there is a fault, or the answer is whole. */
  end(): void {
    this.#isEnding = true;
    if (this.#form === 'json') this.#readWhole();
    // A last event without its blank line is taken, if it is whole.
    else this.#parser?.feed('\n\n');
    this.conclude({ kind: 'stream-broken', message: 'The answer ended before its end was told.' });
    if (this.fault !== undefined) return;
    const rest = this.#live.end();
    if (rest !== '') this.#onPiece(rest);
  }

  /** Nothing more comes. `ifUnfinished`: the fault, unless there is another one or the answer is whole. */
  conclude(ifUnfinished: Fault): void {
    if (this.fault !== undefined || this.isWhole) return;
    if (this.#isFiltered) {
      const message = 'The content filter of the gateway cut the answer off. Word the prompt differently.';
      this.fault = { kind: 'content-filtered', message };
    } else if (this.isDone || (this.#isEnding && this.#form === 'unknown')) {
      this.fault = { kind: 'bad-answer', message: 'The gateway answered 200 without a completion.' };
    } else this.fault = ifUnfinished;
  }

  #fail(fault: Fault): void {
    this.fault ??= fault;
  }

  #read(text: string): void {
    if (this.#form === 'unknown') this.#recognize(text);
    else if (this.#form === 'json') this.#body += text;
    else this.#parser?.feed(text);
  }

  #recognize(text: string): void {
    const body = (this.#body + text).replace(BLANK, '');
    this.#body = body.slice(0, QUOTED);
    if (EVENT_STREAM.test(body)) {
      this.#form = 'events';
      this.#parser = createParser({ onEvent: this.#onEvent });
      this.#parser.feed(body);
    } else if (body.startsWith('{') || body.startsWith('[')) {
      this.#form = 'json';
      this.#body = body;
    } else if (!FIELDS.some((field) => field.startsWith(body))) {
      const what = body.startsWith('<') ? 'a web page' : `no completion: "${this.#clean(this.#body)}"`;
      this.#fail({ kind: 'bad-answer', message: `The gateway answered 200 with ${what}. Check GATEWAY_BASE_URL.` });
    }
  }

  readonly #onEvent = ({ data, event }: EventSourceMessage) => {
    if (this.fault !== undefined || data === '') return;
    if (data === '[DONE]') {
      this.isDone = true;
      return;
    }
    const value = parseJson(data);
    const chunk = objectIn(value);
    if (chunk !== undefined) this.#onChunk(chunk, event === 'error');
    else if (data.trim() === '[DONE]') this.isDone = true;
    // At the end of a body that was cut within an event the half event is not garbage but missing.
    else if (!this.#isEnding)
      this.#fail({ kind: 'stream-broken', message: 'The answer holds an event that is no JSON.' });
  };

  #readWhole(): void {
    const value = parseJson(this.#body);
    const completion = objectIn(value);
    if (completion !== undefined) this.#onChunk(completion, false);
    // A whole completion needs no finish reason.
    if (this.hasBegun) this.isFinished = true;
    else if (this.fault === undefined) this.#onError(value);
  }

  #onError(value: unknown): void {
    const body = errorBodyOf(value, this.#clean);
    this.isRefused = !this.hasBegun;
    if (this.#form === 'events' || body.message !== '') {
      this.#fail(classifyErrorObject(body, this.#form === 'events' ? 'stream-broken' : 'bad-answer'));
    } else this.#fail({ kind: 'bad-answer', message: 'The gateway answered 200 with JSON that is no completion.' });
  }

  #onChunk(chunk: JsonObject, isError: boolean): void {
    const { error, model, id, usage, choices } = chunk;
    if (isError || chunk['object'] === 'error' || (error !== undefined && error !== null && error !== false)) {
      this.#onError(chunk);
      return;
    }
    if (usage !== undefined && usage !== null) this.usage = parseUsage(usage) ?? this.usage;
    if (model !== this.servedModel) this.servedModel = textIn(model) ?? this.servedModel;
    if (id !== this.upstreamId) this.upstreamId = textIn(id) ?? this.upstreamId;
    const choice = Array.isArray(choices) ? objectIn(choices[0]) : undefined;
    if (choice !== undefined) this.#onChoice(choice);
  }

  #onChoice(choice: JsonObject): void {
    this.hasBegun = true;
    const part = objectIn(choice['delta']) ?? objectIn(choice['message']);
    if (part !== undefined) {
      const text = textOf(part);
      if (text !== '') {
        this.hasMoved = true;
        const piece = this.#live.add(text);
        if (piece !== '') this.#onPiece(piece);
      } else if (isToken(part)) this.hasMoved = true;
    }
    const reason = textIn(choice['finish_reason']);
    if (reason !== undefined) this.#onFinish(reason);
  }

  #onFinish(reason: string): void {
    this.isFinished = true;
    if (reason === 'length') this.isTruncated = true;
    else if (reason === 'content_filter') this.#isFiltered = true;
    else if (reason === 'error') this.#fail({ kind: 'stream-broken', message: 'The gateway gave the answer up.' });
  }
}
