import { describe, expect, it } from 'vitest';
import { aSandbox, ask, askOnWire, bodyOnWire, completion, MODEL, textOf, until } from './client.ts';

describe('on the wire', () => {
  it('a cut ends in the middle of a character', async () => {
    for (const isStream of [true, false]) {
      const { body, isWhole } = bodyOnWire(
        await askOnWire(await aSandbox(), { prompt: '[[sandbox: fault=cut text="한국어 대답"]]', isStream }),
      );

      expect(isWhole).toBe(false);
      expect(() => new TextDecoder('utf-8', { fatal: true }).decode(body)).toThrow();
      expect(body.length).toBeGreaterThan(100);
    }
  });

  it('a cut ends in the middle of a character although the text has Latin letters only', async () => {
    const { body } = bodyOnWire(await askOnWire(await aSandbox(), { prompt: '[[sandbox: fault=cut text="plain"]]' }));

    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(body)).toThrow();
  });

  it.each([0, 1, 123])('cut_at=%i ends the connection after so many bytes of the body', async (cutAt) => {
    const sandbox = await aSandbox();
    const whole = bodyOnWire(await askOnWire(sandbox, { prompt: 'Analyze it.', isStream: true }));
    const wire = await askOnWire(sandbox, { prompt: `Analyze it. [[sandbox: cut_at=${cutAt}]]`, isStream: true });

    const { head, body, isWhole } = bodyOnWire(wire);
    expect(head).toMatch(/^HTTP\/1.1 200 OK/);
    expect(body.length).toBe(cutAt);
    expect(isWhole).toBe(false);
    expect(whole.isWhole).toBe(true);
    expect(sandbox.counters()).toMatchObject({ brokenOff: 1, hangUps: 0, answeredByStatus: { 200: 1 } });
  });

  it('bytes=1 frames every byte alone', async () => {
    const wire = await askOnWire(await aSandbox(), { prompt: '[[sandbox: bytes=1 text="한🐝"]]', isStream: true });

    const { body, isWhole } = bodyOnWire(wire);
    const framed = Buffer.concat(wire.pieces).toString('latin1');
    expect(isWhole).toBe(true);
    expect(body.toString()).toContain('한');
    expect(framed.match(/(?:^|\r\n)1\r\n/g)).toHaveLength(body.length);
  });

  it('a reset comes before any byte', async () => {
    const sandbox = await aSandbox();
    const wire = await askOnWire(sandbox, { prompt: '[[sandbox: fault=reset]]' });

    expect(wire).toEqual({ pieces: [], error: 'ECONNRESET' });
    expect(sandbox.counters()).toMatchObject({ brokenOff: 1, hangUps: 0, inFlight: 0 });
  });
});

describe('a stall', () => {
  it.each([
    ['stall', /^$/],
    ['stall_first_token', /^HTTP\/1.1 200 OK[\s\S]*"role":"assistant"(?![\s\S]*"content":"[^"])/],
    ['stall_middle', /^HTTP\/1.1 200 OK[\s\S]*"content":"ab"(?![\s\S]*"content":"cd")/],
  ])('%s lasts until the sandbox or the client goes', async (fault, received) => {
    const sandbox = await aSandbox({ chunkCharacters: 2 });
    const wire = askOnWire(sandbox, { prompt: `[[sandbox: fault=${fault} text="abcd"]]`, isStream: true });
    await until(() => sandbox.counters().inFlight === 1);
    await sandbox.close();

    expect(Buffer.concat((await wire).pieces).toString()).toMatch(received);
  });

  it.each(['stall', 'stall_first_token', 'stall_middle'])('%s goes on after stall_ms', async (fault) => {
    const sandbox = await aSandbox();
    const replies = await Promise.all(
      [true, false].map((isStream) =>
        ask(sandbox, { prompt: `[[sandbox: fault=${fault} stall_ms=1 text="abcd"]]`, isStream }),
      ),
    );

    expect(
      replies.map((reply, index) => (index === 0 ? textOf(reply) : completion(reply).choices[0].message.content)),
    ).toEqual(['abcd', 'abcd']);
  });

  it('sends the headers first of an answer that is not streamed', async () => {
    const sandbox = await aSandbox();
    const wire = askOnWire(sandbox, { prompt: '[[sandbox: fault=stall_first_token]]', model: MODEL });
    await until(() => sandbox.counters().inFlight === 1);
    await sandbox.close();

    expect(bodyOnWire(await wire)).toMatchObject({ body: Buffer.alloc(0), isWhole: false });
  });
});
