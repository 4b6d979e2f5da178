import { describe, expect, it } from 'vitest';
import { type Ask, aSandbox, ask, type Chunk, chunksOf, completion, dataOf, type Reply, textOf } from './client.ts';

async function askFor(directive: string, question: Ask = {}): Promise<Reply> {
  return ask(await aSandbox(), { isStream: true, ...question, prompt: `Analyze it. [[sandbox: ${directive}]]` });
}

const isUsage = (chunk: Chunk) => chunk.usage !== undefined && chunk.usage !== null;

describe('usage in the stream', () => {
  it('is left out for none', async () => {
    const reply = await askFor('usage=none');

    expect(chunksOf(reply).filter(isUsage)).toEqual([]);
    expect(dataOf(reply).at(-1)).toBe('[DONE]');
  });

  it('comes twice, with other figures first', async () => {
    const usages = chunksOf(await askFor('usage=twice')).filter(isUsage);

    expect(usages).toHaveLength(2);
    expect(usages[0]?.usage?.completion_tokens).toBe(1);
    expect(usages[1]?.usage?.completion_tokens).toBeGreaterThan(1);
  });

  it('stands on the finish chunk', async () => {
    const last = chunksOf(await askFor('usage=finish_chunk')).at(-1);

    expect(last?.choices[0]?.finish_reason).toBe('stop');
    expect(last?.usage?.completion_tokens).toBeGreaterThan(1);
  });

  it('stands on an empty delta after the finish', async () => {
    const [finish, last] = chunksOf(await askFor('usage=empty_delta')).slice(-2);

    expect(finish?.choices[0]?.finish_reason).toBe('stop');
    expect(last?.choices[0]).toMatchObject({ delta: { content: '' }, finish_reason: null });
    expect(last?.usage?.completion_tokens).toBeGreaterThan(1);
  });

  it('comes after the finish with empty choices, although nobody asked for it', async () => {
    const last = chunksOf(await askFor('usage=after_finish', { body: { stream: true, stream_options: null } })).at(-1);

    expect(last?.choices).toEqual([]);
    expect(last?.usage?.completion_tokens).toBeGreaterThan(1);
  });

  it('is left out of an answer that is not streamed', async () => {
    expect(completion(await askFor('usage=none', { isStream: false })).usage).toBeUndefined();
  });
});

describe('a fault in the answer', () => {
  it('names another model', async () => {
    const replies = [await askFor('fault=other_model'), await askFor('served_model=x/y')];

    expect(replies.map((reply) => new Set(chunksOf(reply).map(({ model }) => model)))).toEqual([
      new Set(['sandbox/other-model']),
      new Set(['x/y']),
    ]);
  });

  it('puts NUL into the text', async () => {
    expect((await askFor('fault=nul')).text).toContain('\\u0000');
    expect(completion(await askFor('fault=nul', { isStream: false })).choices[0].message.content).toContain('\0');
  });

  it('puts a lone surrogate into the text', async () => {
    const reply = await askFor('fault=lone_surrogate');

    expect(textOf(reply).isWellFormed()).toBe(false);
    expect(reply.text).toContain('\\ud83d');
    expect(reply.text).not.toContain('\\udc1d');
  });

  it('splits an emoji over two deltas', async () => {
    const reply = await askFor('fault=split_emoji');

    const contents = chunksOf(reply).map(({ choices }) => choices[0]?.delta.content ?? '');
    const split = contents.findIndex((content) => content.endsWith('\ud83d'));
    expect(contents[split + 1]?.startsWith('\udc1d')).toBe(true);
    expect(reply.text).toContain('\\ud83d"');
    expect(reply.text).toContain('"\\udc1d');
    expect(textOf(reply).isWellFormed()).toBe(true);
  });

  it('puts JSON into a fence', async () => {
    const fenced = /^```json\n([\s\S]*)\n```$/.exec(textOf(await askFor('fault=fenced_json')));

    expect(JSON.parse(fenced?.[1] ?? '')).toHaveProperty('sentiment');
  });

  it('leaves the text empty', async () => {
    const chunks = chunksOf(await askFor('fault=empty'));

    expect(chunks.map(({ choices }) => choices[0]?.finish_reason)).toEqual([null, 'stop', undefined]);
    expect(chunks.at(-1)?.usage?.completion_tokens).toBe(0);
  });

  it('filters the second half', async () => {
    const sandbox = await aSandbox();
    const filtered = await ask(sandbox, {
      prompt: '[[sandbox: fault=content_filter_finish text="one two"]]',
      isStream: true,
    });

    expect(textOf(filtered)).toBe('one');
    expect(chunksOf(filtered).at(-2)?.choices[0]?.finish_reason).toBe('content_filter');
  });
});

describe('a fault of the stream', () => {
  it('is an error object in place of the rest', async () => {
    const data = dataOf(await askFor('fault=error_in_stream message="Gone." status=502'));

    expect(JSON.parse(data.at(-1) ?? '')).toEqual({
      error: { message: 'Gone.', type: 'server_error', param: null, code: 502 },
    });
    expect(data).toHaveLength(10);
  });

  it('is an error object as the whole 200 answer when it is not streamed', async () => {
    const reply = await askFor('fault=error_in_stream', { isStream: false });

    expect(reply.status).toBe(200);
    expect(JSON.parse(reply.text)).toHaveProperty('error.message');
  });

  it('is an HTML page with 200', async () => {
    const reply = await askFor('fault=html');

    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(reply.text).toMatch(/^<!DOCTYPE html>/);
  });

  it('is a line that is no JSON, after which the stream goes on', async () => {
    const data = dataOf(await askFor('fault=garbage_line'));

    const isJson = (text: string) => {
      try {
        return typeof JSON.parse(text) === 'object';
      } catch {
        return false;
      }
    };
    expect(data.filter((text) => !isJson(text))).toHaveLength(2);
    expect(data.at(-1)).toBe('[DONE]');
  });

  it('is comments between events and CRLF line ends', async () => {
    const sandbox = await aSandbox();
    const usual = await ask(sandbox, { prompt: '[[sandbox: text="a b c"]]', isStream: true });
    const reply = await ask(sandbox, { prompt: '[[sandbox: text="a b c" fault=comments_crlf]]', isStream: true });

    expect(reply.text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(reply.text).toMatch(/^: sandbox\r\n\r\ndata: /);
    expect(textOf(reply)).toBe(textOf(usual));
  });

  it('is an end in order without finish_reason, usage and [DONE]', async () => {
    const reply = await askFor('fault=no_finish');

    const chunks = chunksOf(reply);
    expect(chunks).toHaveLength(17);
    expect(chunks.map(({ choices }) => choices[0]?.finish_reason)).toEqual(Array(17).fill(null));
    expect(reply.text).not.toContain('[DONE]');
  });
});
