import { setMaxListeners } from 'node:events';
import { connect } from 'node:net';
import { Agent, request } from 'undici';
import { afterAll, afterEach } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/start-sandbox.ts';

export const MODEL = 'openai/gpt-4.1';

export interface Ask {
  readonly prompt?: string;
  readonly system?: string;
  readonly model?: string;
  readonly isStream?: boolean;
  /** More of the body, or other values in it. */
  readonly body?: object;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

export interface Reply {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
}

export interface Chunk {
  readonly model: string;
  readonly choices: readonly {
    readonly delta: { readonly content?: string; readonly role?: string };
    readonly finish_reason: string | null;
  }[];
  readonly usage?: Usage | null;
}

export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details: { readonly cached_tokens: number };
  readonly completion_tokens_details: { readonly reasoning_tokens: number };
}

export interface Completion {
  readonly model: string;
  readonly choices: readonly [{ readonly message: { readonly content: string }; readonly finish_reason: string }];
  readonly usage: Usage;
}

const dispatcher = new Agent({ connections: 500 });
const running: Sandbox[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((sandbox) => sandbox.close()));
});
afterAll(() => dispatcher.destroy());

/** A sandbox that is closed after the test. */
export async function aSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  running.push(sandbox);
  return sandbox;
}

/** Makes any number of clients go at once. */
export function aLeave(): AbortController {
  const leave = new AbortController();
  setMaxListeners(0, leave.signal);
  return leave;
}

export function rootOf(sandbox: Sandbox): string {
  return sandbox.url.slice(0, -'/v1'.length);
}

export function bodyOf({ prompt = 'Analyze it.', system, model = MODEL, isStream = false, body }: Ask): string {
  const messages = [
    ...(system === undefined ? [] : [{ role: 'system', content: system }]),
    { role: 'user', content: prompt },
  ];
  const stream = isStream ? { stream: true, stream_options: { include_usage: true } } : {};
  return JSON.stringify({ model, messages, ...stream, ...body });
}

export async function get(sandbox: Sandbox, path: string, headers: Record<string, string> = {}): Promise<Reply> {
  const answer = await request(`${rootOf(sandbox)}${path}`, { dispatcher, headers });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
}

export async function post(
  sandbox: Sandbox,
  path: string,
  body: string,
  options: Pick<Ask, 'headers' | 'signal'> = {},
): Promise<Reply> {
  const answer = await request(`${rootOf(sandbox)}${path}`, { dispatcher, method: 'POST', body, ...options });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
}

export function ask(sandbox: Sandbox, question: Ask = {}): Promise<Reply> {
  const { headers = {}, signal } = question;
  return post(sandbox, '/v1/chat/completions', bodyOf(question), {
    headers,
    ...(signal === undefined ? {} : { signal }),
  });
}

/** As `ask`, as Waggle's agent `index` in its attempt `number`. */
export function askAs(sandbox: Sandbox, index: number, question: Ask = {}, number = 1): Promise<Reply> {
  const headers = {
    'x-waggle-agent-id': `agent_x_${index}`,
    'x-waggle-attempt-id': `attempt_x_${index}_${number}`,
    ...question.headers,
  };
  return ask(sandbox, { ...question, headers });
}

export function completion({ text }: Reply): Completion {
  return JSON.parse(text);
}

export function errorOf({ text }: Reply): { message: string; type: string; code: string | null; param: string | null } {
  return JSON.parse(text).error;
}

/** The data of a stream's events; the last one is [DONE] if the stream is whole. */
export function dataOf({ text }: Reply): string[] {
  return text
    .split(/\r?\n\r?\n/)
    .flatMap((event) => (event.startsWith('data: ') ? [event.slice('data: '.length)] : []));
}

export function chunksOf(reply: Reply): Chunk[] {
  return dataOf(reply)
    .filter((data) => data !== '[DONE]')
    .map((data) => JSON.parse(data));
}

export function textOf(reply: Reply): string {
  return chunksOf(reply)
    .map((chunk) => chunk.choices[0]?.delta.content ?? '')
    .join('');
}

/** What a bare socket gets: all pieces as they come in, and how the connection ended. */
export interface Wire {
  readonly pieces: Buffer[];
  readonly error: string | undefined;
}

function rawRequest(question: Ask): string {
  const body = bodyOf(question);
  const headers = Object.entries(question.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /v1/chat/completions HTTP/1.1\r\nHost: sandbox\r\n${headers.join('')}Connection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** Sends a request over a bare socket and reads until the connection ends. */
export function askOnWire(sandbox: Sandbox, question: Ask): Promise<Wire> {
  const { hostname, port } = new URL(sandbox.url);
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let error: string | undefined;
    const socket = connect(Number(port), hostname, () => socket.write(rawRequest(question)));
    socket.on('data', (piece) => pieces.push(piece));
    socket.on('error', (problem: NodeJS.ErrnoException) => {
      error = problem.code ?? problem.message;
    });
    socket.on('close', () => resolve({ pieces, error }));
  });
}

/** Body of an answer on the wire, with its chunked framing taken off; `isWhole`: it ended as HTTP says it must. */
export function bodyOnWire({ pieces }: Wire): { head: string; body: Buffer; isWhole: boolean } {
  const all = Buffer.concat(pieces);
  const end = all.indexOf('\r\n\r\n');
  const head = all.subarray(0, end).toString();
  let rest = all.subarray(end + 4);
  const length = /content-length: (\d+)/i.exec(head)?.[1];
  if (length !== undefined) return { head, body: rest, isWhole: rest.length === Number(length) };
  const parts: Buffer[] = [];
  for (;;) {
    const line = rest.indexOf('\r\n');
    if (line < 0) return { head, body: Buffer.concat(parts), isWhole: false };
    const size = Number.parseInt(rest.subarray(0, line).toString(), 16);
    if (size === 0) return { head, body: Buffer.concat(parts), isWhole: true };
    parts.push(rest.subarray(line + 2, line + 2 + size));
    rest = rest.subarray(line + 2 + size + 2);
  }
}

/** Waits for a fact that must come about; the test's own time-out is the limit. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
