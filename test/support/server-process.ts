import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The server as an operator runs it: a process of its own. */
export interface ServerProcess {
  /** The GraphQL endpoint. */
  readonly url: string;
  readonly key: string;
  readonly dataDir: string;
  /** All that it printed and logged so far. */
  output(): string;
  kill(signal: NodeJS.Signals): void;
  /** The exit code, or the signal that ended it. */
  readonly exited: Promise<number | NodeJS.Signals | null>;
}

export interface ServerOptions {
  readonly dataDir: string;
  readonly databaseUrl?: string | undefined;
  /** Undefined: its own sandbox. */
  readonly gatewayUrl?: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
}

export function aDataDir(): Promise<string> {
  return mkdtemp(path.join(tmpdir(), 'waggle-data-'));
}

const running = new Set<ChildProcess>();

export async function startServerProcess(options: ServerOptions): Promise<ServerProcess> {
  const { dataDir, databaseUrl = '', gatewayUrl = '', env = {} } = options;
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/server.ts'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      // biome-ignore lint/style/noProcessEnv: what a program needs to run at all.
      PATH: String(process.env['PATH']),
      PORT: '0',
      WAGGLE_DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      GATEWAY_BASE_URL: gatewayUrl,
      ...env,
    },
  });
  running.add(child);
  let output = '';
  child.stdout?.on('data', (data) => (output += String(data)));
  child.stderr?.on('data', (data) => (output += String(data)));
  const exited = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once('exit', (code, signal) => {
      running.delete(child);
      resolve(code ?? signal);
    }),
  );
  const message = await Promise.race([
    new Promise<{ url: string; adminKeyFile: string }>((resolve) =>
      child.once('message', (listening) => resolve(listening as { url: string; adminKeyFile: string })),
    ),
    exited.then((code) => {
      throw new Error(`The server ended with ${code} before it listened:\n${output}`);
    }),
  ]);
  const key = (await readFile(message.adminKeyFile, 'utf8')).trim();
  return { url: message.url, key, dataDir, output: () => output, kill: (signal) => void child.kill(signal), exited };
}

/** Ends what a failed test left running, and removes its folders. */
export async function cleanUpServers(dataDirs: readonly string[]): Promise<void> {
  for (const child of running) child.kill('SIGKILL');
  for (const folder of dataDirs) await rm(folder, { recursive: true, force: true });
}
