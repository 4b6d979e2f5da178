import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { BEHAVIOUR_FIELDS, FAULTS } from '../../src/sandbox/behaviour.ts';
import { MATCH_CHECKS } from '../../src/sandbox/fault-rule.ts';
import { DEFAULT_SETTINGS } from '../../src/sandbox/settings.ts';

const MAIN = fileURLToPath(new URL('../../src/sandbox/main.ts', import.meta.url));
const NODE_FLAGS = ['--import', 'tsx'];
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

function start(...flags: string[]) {
  const child = spawn(process.execPath, [...NODE_FLAGS, MAIN, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  return child;
}

async function firstLine(child: ReturnType<typeof start>): Promise<string> {
  let text = '';
  for await (const piece of child.stdout) {
    text += piece;
    if (text.includes('\n')) break;
  }
  return text.slice(0, text.indexOf('\n'));
}

describe('the program', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('prints its URL as JSON, answers, and ends with 0 on %s', async (signal) => {
    const child = start('--port', '0', '--latency-ms', '600000', '--sigma', '0', '--print-url');
    const { url } = JSON.parse(await firstLine(child));
    const models = await fetch(`${url}/models`);
    const body = JSON.stringify({ model: 'openai/gpt-4.1', messages: [{ role: 'user', content: 'Wait.' }] });
    const waiting = fetch(`${url}/chat/completions`, { method: 'POST', body }).catch(() => 'broken off');
    const exit = once(child, 'exit');
    child.kill(signal);

    expect(models.status).toBe(200);
    expect(await exit).toEqual([0, null]);
    expect(await waiting).toBe('broken off');
  });

  it('tells a parent its URL by message, and ends with it', async () => {
    const child = fork(MAIN, ['--port', '0'], { execArgv: NODE_FLAGS, stdio: 'ignore' });
    children.push(child);
    const [message] = await once(child, 'message');
    const exit = once(child, 'exit');
    child.disconnect();

    expect(message).toEqual({ url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1$/) });
    expect(await exit).toEqual([0, null]);
  });

  it('says in words where it listens', async () => {
    expect(await firstLine(start('--port', '0'))).toMatch(
      /^The sandbox gateway listens at http:\/\/127\.0\.0\.1:\d+\/v1$/,
    );
  });

  it('ends with 1 and the problem when its flags make no sense', async () => {
    const child = start('--port', '0', '--cached-share', '2');
    const errors: string[] = [];
    child.stderr.on('data', (piece) => errors.push(String(piece)));
    const exit = await once(child, 'close');

    expect(exit).toEqual([1, null]);
    expect(errors.join('')).toContain('cachedShare must be a number from 0 to 1.');
  });
});

describe('the README', () => {
  it('has every option, match, behaviour and fault', async () => {
    const readme = await readFile(new URL('../../src/sandbox/README.md', import.meta.url), 'utf8');
    const words = [
      ...Object.keys(DEFAULT_SETTINGS),
      ...Object.keys(MATCH_CHECKS),
      ...Object.keys(BEHAVIOUR_FIELDS),
      ...Object.values(BEHAVIOUR_FIELDS).map(({ key }) => key),
      ...Object.keys(FAULTS),
    ];

    expect(words.filter((word) => !readme.includes(`\`${word}\``))).toEqual([]);
  });
});
