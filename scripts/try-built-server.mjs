// Starts the built server, runs a small swarm on it over HTTP, and stops it with SIGTERM.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
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

/** Launches over HTTP and polls until the swarm has ended; resolves with its status. */
async function runSwarm(url) {
  const key = readFileSync(path.join(folder, 'admin.key'), 'utf8').trim();
  const ask = async (query, variables) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    return (await response.json()).data;
  };
  const launch = `mutation ($input: LaunchSwarmInput!) {
    launchSwarm(input: $input) { ... on LaunchSwarmSuccess { swarm { id } } ... on Error { message } }
  }`;
  const agents = ['collect', 'analyze', 'generate'].map((taskType) => ({ taskType, prompt: `Please ${taskType}.` }));
  const { launchSwarm } = await ask(launch, { input: { plan: { agents } } });
  for (;;) {
    const { swarm } = await ask('query ($id: ID!) { swarm(id: $id) { status } }', { id: launchSwarm.swarm.id });
    if (['SUCCEEDED', 'PARTIAL', 'FAILED', 'CANCELED'].includes(swarm.status)) return swarm.status;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

let code = 1;
try {
  const url = await listening();
  const status = await runSwarm(url);
  server.kill('SIGTERM');
  const ended = await exited;
  process.stdout.write(`the swarm ended ${status}, the server with ${ended}\n`);
  code = status === 'SUCCEEDED' && ended === 0 ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error.stack}\n`);
} finally {
  if (server.exitCode === null) server.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
process.exit(code);
