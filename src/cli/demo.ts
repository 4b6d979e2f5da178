import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommandError, type Endpoint } from './api.ts';
import { demoInput } from './demo-input.ts';
import { launchSwarm } from './launch.ts';
import { describeResult, readResult } from './result.ts';
import { watch } from './watch.ts';

const REPORT_LINES = 40;

/** From src/cli through tsx, from dist/cli as it is. */
function serverArguments(): string[] {
  const isBuilt = import.meta.url.endsWith('.js');
  const file = fileURLToPath(new URL(isBuilt ? '../server.js' : '../server.ts', import.meta.url));
  return isBuilt ? [file] : ['--import', 'tsx', file];
}

interface DemoServer extends Endpoint {
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;
}

/** The server as a process of its own, on a free port, with a data folder of its own and all else as the user has it. */
async function startServer(env: NodeJS.ProcessEnv): Promise<DemoServer> {
  process.stdout.write('Starting a server …\n');
  const dataDir = env['WAGGLE_DATA_DIR'] || path.join('.waggle', 'demo');
  const child = spawn(process.execPath, serverArguments(), {
    env: { ...env, PORT: '0', WAGGLE_DATA_DIR: dataDir },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const listening = new Promise<{ url: string; adminKeyFile: string }>((resolve) =>
    // The server says nothing else over this channel.
    child.once('message', (message) => resolve(message as { url: string; adminKeyFile: string })),
  );
  const ended = exited.then((code) => {
    throw new CommandError(`The server ended with ${code} before it listened; it says why above.`);
  });
  const { url, adminKeyFile } = await Promise.race([listening, ended]);
  return { url, key: (await readFile(adminKeyFile, 'utf8')).trim(), child, exited };
}

/** The main job as a client would do it: start, launch over HTTP, watch over SSE, read the report and the bill. */
export async function runDemo(env: NodeJS.ProcessEnv, isKept: boolean): Promise<number> {
  const server = await startServer(env);
  // Both get Ctrl-C; this one waits for the server's orderly end.
  process.once('SIGINT', () => {
    server.child.kill('SIGINT');
    void server.exited.then(() => process.exit(130));
  });
  try {
    process.stdout.write('\nLaunching 300 agents …\n');
    const id = await launchSwarm(server, demoInput());
    await watch(server, id, false);
    const result = await readResult(server, id);
    process.stdout.write(describeResult(result, REPORT_LINES));
    if (isKept) {
      process.stdout.write(`\nThe server stays up: ${server.url}#key=${server.key}\nStop it with Ctrl-C.\n`);
      await server.exited;
    }
    return ['SUCCEEDED', 'PARTIAL'].includes(result.status) ? 0 : 1;
  } finally {
    server.child.kill('SIGTERM');
    await server.exited;
  }
}
