// Starts the built server, has the built command launch the demo's swarm on it, and stops it with SIGTERM.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'waggle-built-'));
const env = {
  ...process.env,
  PORT: '0',
  WAGGLE_DATA_DIR: folder,
  DATABASE_URL: '',
  GATEWAY_API_KEY: '',
  HOLYSHEEP_API_KEY: '',
};
const server = spawn(process.execPath, ['dist/server.js'], {
  cwd: root,
  env,
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
});
const exited = new Promise((resolve) => server.once('exit', (code, signal) => resolve(code ?? signal)));

function listening() {
  return new Promise((resolve, reject) => {
    server.on('message', (message) => message.type === 'listening' && resolve(message.url));
    exited.then((code) => reject(new Error(`The server ended with ${code} before it listened.`)));
  });
}

function command(...args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['dist/cli/main.js', ...args], { cwd: root, env, stdio: 'inherit' });
    child.once('exit', resolve);
  });
}

let code = 1;
try {
  const url = await listening();
  const launched = await command('launch', 'examples/reviews.json', '--url', url);
  server.kill('SIGTERM');
  const ended = await exited;
  process.stdout.write(`launch ended with ${launched}, the server with ${ended}\n`);
  code = launched === 0 && ended === 0 ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error.stack}\n`);
} finally {
  if (server.exitCode === null) server.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
process.exit(code);
