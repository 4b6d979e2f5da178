import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnswerReader } from '../../src/swarm/gateway/answer-reader.ts';
import {
  DONE,
  delta,
  event,
  FINISH,
  ROLE,
  streamOf,
  USAGE,
  USAGE_JSON,
  usageAlone,
  wholeOf,
} from './support/answers.ts';

interface ReadAnswer {
  readonly reader: AnswerReader;
  readonly pieces: readonly string[];
}

function read(
  body: string | Uint8Array,
  cuts: readonly number[] = [],
  isEnded = true,
  mostBytes = 1_000_000,
): ReadAnswer {
  const bytes = Buffer.from(body);
  const pieces: string[] = [];
  const reader = new AnswerReader(
    (piece) => pieces.push(piece),
    (text) => text,
    mostBytes,
  );
  const places = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
  for (let i = 1; i < places.length; i += 1) reader.feed(bytes.subarray(places[i - 1], places[i]));
  if (isEnded) reader.end();
  else reader.conclude({ kind: 'stream-broken', message: 'Broken.' });
  return { reader, pieces };
}

const everywhere = (body: string) => Array.from({ length: Buffer.byteLength(body) }, (_, at) => at);
const TEXTS = ['안녕하세요, ', '세계', '! 👩‍👩‍👧‍👦', ' naïve ', '한국어 🇰🇷', '.'];
const TEXT = TEXTS.join('');

describe('an answer', () => {
  it('is read with all that is told about it', () => {
    const { reader, pieces } = read(streamOf(TEXTS));

    expect(reader).toMatchObject({
      fault: undefined,
      text: TEXT,
      usage: USAGE,
      servedModel: 'served/model',
      upstreamId: 'chatcmpl-1',
      isTruncated: false,
    });
    expect(pieces).toEqual(TEXTS);
  });

  it('is the same whatever way its bytes are cut', () => {
    const body = streamOf(TEXTS);
    fc.assert(
      fc.property(fc.array(fc.nat(Buffer.byteLength(body))), (cuts) => {
        const { reader, pieces } = read(body, cuts);
        return reader.fault === undefined && pieces.join('') === TEXT && reader.usage?.input === USAGE.input;
      }),
    );
    expect(read(body, everywhere(body)).pieces).toEqual(TEXTS);
  });

  it.each([
    ['with CRLF', streamOf(TEXTS).replaceAll('\n', '\r\n')],
    ['with CR', streamOf(TEXTS).replaceAll('\n', '\r')],
    ['with comments', `: hi\n\n${streamOf(TEXTS).replaceAll('\n\n', '\n\n: keep-alive\n\n')}`],
    ['with other fields', `retry: 10\nevent: message\nid: 1\n${streamOf(TEXTS)}`],
    ['without spaces after the colons', streamOf(TEXTS).replaceAll('data: ', 'data:')],
    ['with a byte order mark', `\ufeff${streamOf(TEXTS)}`],
    ['with empty lines before it', `\n\n${streamOf(TEXTS)}`],
    ['with empty events', streamOf(TEXTS).replaceAll('\n\n', '\n\ndata:\n\n')],
    ['without its last empty line', streamOf(TEXTS).trimEnd()],
    ['without [DONE]', streamOf(TEXTS).replace(DONE, '')],
    ['without a finish reason', streamOf(TEXTS).replace(FINISH, '')],
    ['with empty choices first', event({ choices: [] }) + streamOf(TEXTS)],
    ['in one piece', wholeOf(TEXT)],
    ['in one piece, without a finish reason', wholeOf(TEXT).replace('"finish_reason":"stop"', '"finish_reason":null')],
    ['in one piece, as a single event', event(wholeOf(TEXT))],
  ])('is read %s, also byte by byte', (_, body) => {
    for (const cuts of [[], everywhere(body)]) {
      const { reader, pieces } = read(body, cuts);
      expect(reader).toMatchObject({ fault: undefined, text: TEXT, usage: USAGE });
      expect(pieces.join('')).toBe(TEXT);
    }
  });

  it('may be empty', () => {
    expect(read(streamOf([])).reader).toMatchObject({ fault: undefined, text: '' });
  });

  it.each([
    ['null', delta(null)],
    ['missing', delta(undefined)],
    ['a list of parts', delta([{ type: 'text', text: 'a' }, { type: 'thinking', thinking: [] }, 'x', null])],
    ['a number', delta(7)],
    ['reasoning', event({ choices: [{ delta: { reasoning_content: 'Hm.' } }] })],
    ['a refusal', event({ choices: [{ delta: null, finish_reason: '' }] })],
  ])('may hold content that is %s', (_, chunk) => {
    expect(read(ROLE + chunk + delta('b') + FINISH + DONE).reader).toMatchObject({
      fault: undefined,
      text: chunk.includes('thinking') ? 'ab' : 'b',
    });
  });

  it('is truncated when its length was the reason to finish', () => {
    expect(read(streamOf(['a'], 'length')).reader).toMatchObject({ fault: undefined, isTruncated: true, text: 'a' });
    expect(read(wholeOf('a', 'length')).reader).toMatchObject({ fault: undefined, isTruncated: true, text: 'a' });
  });

  it('that the filter cut off is a fault, of which usage and text are kept', () => {
    expect(read(streamOf(['a'], 'content_filter')).reader).toMatchObject({
      fault: { kind: 'content-filtered' },
      text: 'a',
      usage: USAGE,
    });
  });

  it('is a fault beyond the size limit', () => {
    expect(read(streamOf(['a'.repeat(5_000)]), [], true, 4_000).reader.fault).toMatchObject({ kind: 'bad-answer' });
    expect(read(wholeOf('a'.repeat(5_000)), [], true, 4_000).reader.fault).toMatchObject({ kind: 'bad-answer' });
  });
});

describe('usage', () => {
  const early = { prompt_tokens: 11, completion_tokens: 1 };
  it.each([
    ['alone, after the finish', FINISH + usageAlone()],
    ['on the finish', delta(undefined, 'stop', { usage: USAGE_JSON })],
    ['on an empty delta, after the finish', FINISH + delta('', null, { usage: USAGE_JSON })],
    ['before the finish', usageAlone() + FINISH],
    ['twice: the last one', usageAlone(early) + FINISH + usageAlone()],
    ['on every chunk: the last one', delta('', null, { usage: early }) + delta('', 'stop', { usage: USAGE_JSON })],
    ['and null afterwards', FINISH + usageAlone() + usageAlone(null)],
    ['and something that is none afterwards', FINISH + usageAlone() + usageAlone({ queue: 1 })],
    ['after [DONE]', FINISH + DONE + usageAlone()],
  ])('is read %s', (_, tail) => {
    expect(read(ROLE + delta('a') + tail + DONE).reader).toMatchObject({ fault: undefined, usage: USAGE });
  });

  it('is undefined when none was told', () => {
    expect(read(ROLE + delta('a') + FINISH + DONE).reader.usage).toBeUndefined();
  });
});

describe('an answer that is none', () => {
  it.each([
    ['a line that is no JSON', ROLE + delta('a') + event('{"id":"x","choices":[') + FINISH, 'stream-broken'],
    ['an event that is a number', ROLE + event('7') + FINISH, 'stream-broken'],
    ['an error object', ROLE + delta('a') + event({ error: { message: 'Oh.' } }) + FINISH, 'stream-broken'],
    ['an error event', `${ROLE}event: error\n${event({ message: 'Oh.' })}`, 'stream-broken'],
    ['an error object with a status', ROLE + event({ error: { message: 'Oh.', code: 503 } }), 'gateway-error'],
    ['an error for a finish', ROLE + delta('a', 'error'), 'stream-broken'],
    ['no end', ROLE + delta('a'), 'stream-broken'],
    ['only comments', ': hi\n\n', 'stream-broken'],
    ['only [DONE]', DONE, 'bad-answer'],
    ['nothing', '', 'bad-answer'],
    ['a web page', '<!DOCTYPE html>\n<html></html>', 'bad-answer'],
    ['plain words', 'OK', 'bad-answer'],
    ['words like a field', 'data', 'stream-broken'],
    ['half a field', 'da', 'bad-answer'],
    ['broken JSON', '{"choices":[{"message":{"conte', 'bad-answer'],
    ['other JSON', '{"status":"ok"}', 'bad-answer'],
    ['JSON without a choice', '{"choices":[]}', 'bad-answer'],
    ['a JSON list', '[1]', 'bad-answer'],
    ['an error as JSON', '{"error":{"message":"Oh.","code":"insufficient_quota"}}', 'quota-exhausted'],
    ['an error as JSON that says little', '{"error":{"message":"Oh."}}', 'bad-answer'],
    ['an error in a list', '[{"error":{"message":"Oh.","code":429}}]', 'rate-limited'],
  ])('but %s is a fault', (_, body, kind) => {
    for (const cuts of [[], everywhere(body)]) expect(read(body, cuts).reader.fault).toMatchObject({ kind });
  });

  it('is refused when an error came in its place, and not when it came in its midst', () => {
    const error = event({ error: { message: 'Oh.' } });

    expect(read(error).reader.isRefused).toBe(true);
    expect(read('{"error":{"message":"Oh."}}').reader.isRefused).toBe(true);
    expect(read(ROLE + delta('a') + error).reader.isRefused).toBe(false);
  });

  it('is read no further', () => {
    const { reader, pieces } = read(ROLE + delta('a') + event('garbage') + delta('b') + FINISH + DONE);

    expect(pieces).toEqual(['a']);
    expect(reader.text).toBe('a');
  });
});

describe('an answer that ends early', () => {
  const body = streamOf(TEXTS);
  const bytes = Buffer.from(body);
  const finishEnd = Buffer.byteLength(body.slice(0, body.indexOf(FINISH) + FINISH.length));

  it.each([
    // At an end by HTTP a finish event is taken without its empty line; of a broken connection only whole events are.
    ['by HTTP', true, finishEnd - 2],
    ['by a broken connection', false, finishEnd],
  ])('%s is broken before the finish and whole after it, at every byte', (_, isEnded, wholeFrom) => {
    for (let length = 1; length < bytes.length; length += 1) {
      const { reader, pieces } = read(bytes.subarray(0, length), [], isEnded);
      const isBroken = reader.fault !== undefined;
      expect(isBroken, `${length} bytes`).toBe(length < wholeFrom);
      expect(TEXT.startsWith(reader.text), `${length} bytes`).toBe(true);
      expect(pieces.join('')).toBe(reader.text);
      expect(reader.text).not.toContain('\ufffd');
    }
  });
});

describe('the text', () => {
  it.each([
    ['a pair split over two deltas', ['a\ud83d', '\ude00b'], ['a', '😀b'], 'a😀b'],
    ['a pair split over three', ['\ud83d', '', '\ude00'], ['😀'], '😀'],
    ['half a pair before another character', ['a\ud83d', 'b'], ['a', '\ufffdb'], 'a\ufffdb'],
    ['the other half first', ['\ude00', 'b'], ['\ufffd', 'b'], '\ufffdb'],
    ['half a pair at the end', ['a', 'b\ud83d'], ['a', 'b', '\ufffd'], 'ab\ufffd'],
    ['NUL', ['a\u0000', 'b'], ['a␀', 'b'], 'a␀b'],
  ])('with %s is the same live and stored', (_, contents, shown, whole) => {
    // As JSON escapes, which is how halves can come.
    const { reader, pieces } = read(streamOf(contents));

    expect(pieces).toEqual(shown);
    expect(reader.text).toBe(whole);
  });

  it('does not show half a character of a broken answer', () => {
    const { reader, pieces } = read(ROLE + delta('a\ud83d'), [], false);

    expect(pieces).toEqual(['a']);
    expect(reader.text).toBe('a');
  });
});

describe('a chunk', () => {
  it.each([
    ['text', delta('a'), true],
    ['reasoning', event({ choices: [{ delta: { content: null, reasoning: 'Hm.' } }] }), true],
    ['a tool call', event({ choices: [{ delta: { tool_calls: [{ index: 0 }] } }] }), true],
    ['a role', ROLE, false],
    ['a comment', ': keep-alive\n\n', false],
    ['usage', usageAlone(), false],
    ['an empty delta', delta(''), false],
  ])('with %s is a sign of life only if the model says or thinks something', (_, chunk, expected) => {
    expect(read(chunk, [], false).reader.hasMoved).toBe(expected);
  });
});
