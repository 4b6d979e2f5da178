import { describe, expect, it } from 'vitest';
import { aSandbox, ask, askAs, chunksOf, completion, dataOf, textOf } from './client.ts';

const KOREAN = '다음 리뷰를 분석하세요.\n상품: 무선 청소기\n리뷰: 배송이 늦었지만 품질은 좋아요';
const HANGUL = /[가-힣]/;

describe('a streamed answer', () => {
  it('comes as a role, 16 pieces of text, a finish, its usage, and [DONE]', async () => {
    const reply = await ask(await aSandbox(), { isStream: true });

    const chunks = chunksOf(reply);
    expect(reply.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(chunks.map(({ choices }) => choices.length)).toEqual([...Array(18).fill(1), 0]);
    expect(chunks[0]?.choices[0]?.delta.role).toBe('assistant');
    expect(chunks[17]?.choices[0]?.finish_reason).toBe('stop');
    expect(chunks.map(({ usage }) => usage === null)).toEqual([...Array(18).fill(true), false]);
    expect(dataOf(reply).at(-1)).toBe('[DONE]');
  });

  it('tells no usage unless stream_options asks for it', async () => {
    const reply = await ask(await aSandbox(), { body: { stream: true } });

    expect(chunksOf(reply).map((chunk) => 'usage' in chunk)).toEqual(Array(18).fill(false));
  });

  it('has the text and the usage of the answer that is not streamed', async () => {
    const sandbox = await aSandbox();
    const whole = completion(await ask(sandbox, { prompt: KOREAN }));
    const stream = await ask(sandbox, { prompt: KOREAN, isStream: true });

    expect(textOf(stream)).toBe(whole.choices[0].message.content);
    expect(chunksOf(stream).at(-1)?.usage).toEqual(whole.usage);
  });

  it('comes in chunks of the size that is asked for, none of which ends within an emoji', async () => {
    const sandbox = await aSandbox({ chunkCharacters: 2 });
    const reply = await ask(sandbox, { prompt: '[[sandbox: text="a🐝🐝b"]]', isStream: true });

    const contents = chunksOf(reply).flatMap(({ choices }) => choices[0]?.delta.content || []);
    expect(contents).toEqual(['a🐝', '🐝', 'b']);
  });

  it('is paced by tokens a second without losing a piece', async () => {
    const fast = await ask(await aSandbox(), { isStream: true });
    const paced = await ask(await aSandbox({ tokensPerSecond: 5_000, firstTokenMs: 1, latency: 1 }), {
      isStream: true,
    });

    expect(textOf(paced)).toBe(textOf(fast));
    expect(chunksOf(paced)).toHaveLength(19);
  });
});

describe('the text', () => {
  it.each([
    ['analyze', KOREAN, /감성:.*혼합[\s\S]*무선 청소기[\s\S]*배송이 늦었지만 품질은 좋아요/],
    ['collect', '무선 청소기 리뷰를 수집하세요', /리뷰 \d+건을 수집/],
    ['generate', '리뷰에 답변을 작성하세요. 상품: 의자', /안녕하세요, 고객님[\s\S]*의자/],
  ])('is Korean for a Korean prompt that asks to %s', async (_, prompt, expected) => {
    const reply = completion(await ask(await aSandbox(), { prompt }));

    expect(reply.choices[0].message.content).toMatch(expected);
  });

  it.each([
    [
      'analyze',
      'Analyze it.\nProduct: Trail shoe\nReview: It broke. Terrible.',
      /negative[\s\S]*Trail shoe[\s\S]*“It broke/,
    ],
    ['collect', 'Collect reviews of the shoe.', /Collected \d+ reviews/],
    ['generate', 'Write a reply to: "Great shoe, I love it"', /Dear customer[\s\S]*“Great shoe, I love it”/],
  ])('is English for an English prompt that asks to %s', async (_, prompt, expected) => {
    const reply = completion(await ask(await aSandbox(), { prompt }));

    expect(reply.choices[0].message.content).toMatch(expected);
    expect(reply.choices[0].message.content).not.toMatch(HANGUL);
  });

  it('is JSON when response_format says so', async () => {
    const reply = await ask(await aSandbox(), { body: { response_format: { type: 'json_object' } } });

    expect(JSON.parse(completion(reply).choices[0].message.content)).toHaveProperty('sentiment');
  });

  it('does not quote directives', async () => {
    const prompt = 'Analyze it. Review: fine[[sandbox: usage=twice]] but late';
    const reply = completion(await ask(await aSandbox(), { prompt }));

    expect(reply.choices[0].message.content).not.toContain('sandbox');
  });
});

describe('usage', () => {
  it('estimates 4 Latin characters or 1.5 syllables a token', async () => {
    const sandbox = await aSandbox();
    const latin = completion(await ask(sandbox, { prompt: 'a'.repeat(400) }));
    const hangul = completion(await ask(sandbox, { prompt: '가'.repeat(150) }));

    expect([latin.usage.prompt_tokens, hangul.usage.prompt_tokens]).toEqual([107, 107]);
  });

  it('reports the share of cached tokens that is set', async () => {
    const reply = completion(await ask(await aSandbox({ cachedShare: 0.5 }), { prompt: 'a'.repeat(400) }));

    expect(reply.usage.prompt_tokens_details.cached_tokens).toBe(53);
  });

  it('counts reasoning tokens as part of the completion', async () => {
    const reply = completion(await ask(await aSandbox({ reasoningTokens: 30, answerTokens: 100 })));

    expect(reply.usage.completion_tokens).toBe(130);
    expect(reply.usage.completion_tokens_details.reasoning_tokens).toBe(30);
    expect(reply.usage.total_tokens).toBe(reply.usage.prompt_tokens + 130);
  });

  it.each([10, 100, 5_000])('and text have exactly the %i tokens that are asked for', async (tokens) => {
    const reply = completion(await ask(await aSandbox({ answerTokens: tokens })));

    expect(reply.usage.completion_tokens).toBe(tokens);
    expect(reply.choices[0].finish_reason).toBe('stop');
    expect(Math.round(reply.choices[0].message.content.length / 4 / tokens)).toBe(1);
  });

  it.each(['max_tokens', 'max_completion_tokens'])('obeys %s with finish_reason length', async (name) => {
    const reply = completion(await ask(await aSandbox(), { prompt: KOREAN, body: { [name]: 7 } }));

    expect(reply.choices[0].finish_reason).toBe('length');
    expect(reply.usage.completion_tokens).toBe(7);
    expect(reply.choices[0].message.content.length).toBeLessThan(28);
  });
});

describe('the same seed', () => {
  it('gives the same answers in any order of arrival', async () => {
    const one = await aSandbox({ seed: 7 });
    const other = await aSandbox({ seed: 7 });
    const indexes = Array.from({ length: 20 }, (_, index) => index);
    const forward = await Promise.all(indexes.map((index) => askAs(one, index)));
    const backward = await Promise.all(indexes.toReversed().map((index) => askAs(other, index)));

    const contents = forward.map((reply) => completion(reply).choices[0].message.content);
    expect(backward.toReversed().map((reply) => completion(reply).choices[0].message.content)).toEqual(contents);
    expect(new Set(contents).size).toBe(20);
  });

  it('gives another attempt another text', async () => {
    const sandbox = await aSandbox();
    const first = completion(await askAs(sandbox, 3, {}, 1));
    const second = completion(await askAs(sandbox, 3, {}, 2));

    expect(first.choices[0].message.content).not.toBe(second.choices[0].message.content);
  });

  it('is what another seed differs from', async () => {
    const one = completion(await ask(await aSandbox({ seed: 1 })));
    const two = completion(await ask(await aSandbox({ seed: 2 })));

    expect(one.choices[0].message.content).not.toBe(two.choices[0].message.content);
  });
});
