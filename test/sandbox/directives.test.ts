import { describe, expect, it } from 'vitest';
import { parseDirectives, withoutDirectives } from '../../src/sandbox/directive.ts';
import { aSandbox, ask, askAs, completion, errorOf } from './client.ts';

function parse(text: string) {
  const parsed = parseDirectives(text);
  if (parsed.kind === 'faulty') throw new Error(parsed.message);
  return parsed.directives.map(({ behaviour, times }) => ({ ...behaviour, times }));
}

describe('a directive', () => {
  it.each([
    ['is read among other text', 'a [[sandbox: latency=5]] b', [{ latencyMs: 5 }]],
    [
      'has several pairs',
      '[[sandbox: fault=rate_limit retry_after=2 times=2]]',
      [{ fault: 'rate_limit', retryAfterSeconds: 2, times: 2 }],
    ],
    [
      'may stand beside another one',
      '[[sandbox: tokens=1]][[sandbox: usage=none]]',
      [{ tokens: 1 }, { usage: 'none' }],
    ],
    ['has JSON escapes in quotes', String.raw`[[sandbox: text="a\u0000\"b\n"]]`, [{ text: 'a\0"b\n' }]],
    ['may hold ]] and line ends in quotes', '[[sandbox: text="[[1]]\n2"]]', [{ text: '[[1]]\n2' }]],
    ['may be a number in a text', '[[sandbox: text=42]]', [{ text: '42' }]],
    ['may be absent', 'no [[sandbox]] here', []],
  ])('%s', (_, text, expected) => {
    expect(parse(text)).toEqual(expected.map((one) => ({ times: undefined, ...one })));
  });

  it.each([
    ['an unknown key', '[[sandbox: latencyy=5]]', '"latencyy" is none of'],
    ['an unknown fault', '[[sandbox: fault=explode]]', 'fault must be one of'],
    ['a word as a number', '[[sandbox: latency=fast]]', 'latency must be a whole number'],
    ['a status that is no error', '[[sandbox: status=200]]', 'status must be a status from 400 to 599'],
    ['no pair', '[[sandbox: boom]]', '"boom" is not of the form key=value'],
    ['no times', '[[sandbox: times=0]]', 'times must be'],
    ['a wrong escape', String.raw`[[sandbox: text="\q"]]`, 'an escape that JSON does not know'],
    ['no end', '[[sandbox: latency=5', 'not closed by ]]'],
  ])('with %s is refused, not ignored', async (_, prompt, message) => {
    const reply = await ask(await aSandbox(), { prompt });

    expect(reply.status).toBe(400);
    expect(errorOf(reply)).toMatchObject({ code: 'bad_sandbox_directive', message: expect.stringContaining(message) });
  });

  it('is taken out of what the answer is made from', () => {
    expect(withoutDirectives('a [[sandbox: text="]]"]] b')).toBe('a  b');
  });

  it('in the system prompt counts, in an assistant message does not', async () => {
    const sandbox = await aSandbox();
    const system = await ask(sandbox, { system: '[[sandbox: text="x"]]' });
    const messages = [
      { role: 'assistant', content: '[[sandbox: text="x"]]' },
      { role: 'user', content: 'Go on.' },
    ];
    const assistant = await ask(sandbox, { body: { messages } });

    expect(completion(system).choices[0].message.content).toBe('x');
    expect(completion(assistant).choices[0].message.content).not.toBe('x');
  });

  it('with times counts for each agent apart', async () => {
    const sandbox = await aSandbox();
    const prompt = '[[sandbox: status=500 times=2]]';
    const statuses: number[] = [];
    for (const index of [1, 2, 1, 1, 2, 2]) statuses.push((await askAs(sandbox, index, { prompt })).status);

    expect(statuses).toEqual([500, 500, 500, 200, 500, 200]);
  });

  it('with times counts for each content when no agent is named', async () => {
    const sandbox = await aSandbox();
    const statuses: number[] = [];
    for (const word of ['a', 'a', 'b', 'b']) {
      statuses.push((await ask(sandbox, { prompt: `${word} [[sandbox: status=500 times=1]]` })).status);
    }

    expect(statuses).toEqual([500, 200, 500, 200]);
  });

  it('that is used up leaves the others in force', async () => {
    const sandbox = await aSandbox();
    const prompt = '[[sandbox: text="x"]] [[sandbox: status=500 times=1]]';
    const first = await ask(sandbox, { prompt });
    const second = await ask(sandbox, { prompt });

    expect(first.status).toBe(500);
    expect(completion(second).choices[0].message.content).toBe('x');
  });

  it('goes before a rule', async () => {
    const sandbox = await aSandbox({ faults: [{ text: 'rule', servedModel: 'm' }] });
    const reply = completion(await ask(sandbox, { prompt: '[[sandbox: text="directive"]]' }));

    expect(reply).toMatchObject({ model: 'm', choices: [{ message: { content: 'directive' } }] });
  });
});
