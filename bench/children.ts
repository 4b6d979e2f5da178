import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Reply } from './answer-questions.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** A stopping server says within ten seconds that it gives up. */
const KILL_AFTER_MS = 12_000;

/** A program of the benchmark in a process of its own. */
export interface Child {
  /** The first message that it sent by itself. */
  readonly greeting: unknown;
  ask<Answer>(question: string, argument?: unknown): Promise<Answer>;
  /** SIGTERM, and SIGKILL if that is not heard. Resolves when it is gone. */
  end(): Promise<void>;
}

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

const running = new Set<Child>();

/** For every way out. */
export async function endChildren(): Promise<void> {
  await Promise.all([...running].map((child) => child.end()));
}

function isReply(message: unknown): message is Reply {
  return typeof message === 'object' && message !== null && 'id' in message;
}

/** The questions that a child has not answered yet. */
class Questions {
  readonly #child: ChildProcess;
  readonly #open = new Map<number, Waiting>();
  #count = 0;

  constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (message) => {
      if (isReply(message)) this.#settle(message);
    });
  }

  ask(question: string, argument: unknown): Promise<unknown> {
    this.#count += 1;
    const id = this.#count;
    return new Promise((resolve, reject) => {
      this.#open.set(id, { resolve, reject });
      this.#child.send({ id, question, argument });
    });
  }

  rejectAll(error: Error): void {
    for (const waiting of this.#open.values()) waiting.reject(error);
    this.#open.clear();
  }

  #settle(reply: Reply): void {
    const waiting = this.#open.get(reply.id);
    this.#open.delete(reply.id);
    if (reply.failure === undefined) waiting?.resolve(reply.answer);
    else waiting?.reject(new Error(reply.failure));
  }
}

/** Starts `node ARGUMENTS` in the project's folder, with this environment and PATH; resolves when it has greeted. */
export async function startChild(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Child> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // biome-ignore lint/style/noProcessEnv: what a program needs to run at all.
    env: { PATH: String(process.env['PATH']), ...env },
  });
  let complaint = '';
  child.stderr?.on('data', (data) => {
    complaint = (complaint + String(data)).slice(-10_000);
  });
  const questions = new Questions(child);
  const exited = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      questions.rejectAll(new Error(`The ${name} ended with ${code ?? signal}:\n${complaint}`));
      resolve();
    });
  });
  const greeting = new Promise<unknown>((resolve, reject) => {
    child.on('message', (message) => isReply(message) || resolve(message));
    void exited.then(() => reject(new Error(`The ${name} ended before it was ready:\n${complaint}`)));
  });
  const end = async () => {
    const timer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
    child.kill('SIGTERM');
    await exited;
    clearTimeout(timer);
    running.delete(started);
  };
  const ask = <Answer>(question: string, argument?: unknown) => questions.ask(question, argument) as Promise<Answer>;
  const started: Child = { greeting: undefined, ask, end };
  running.add(started);
  return Object.assign(started, { greeting: await greeting });
}
