// All that CI does, in its order: the cheapest check first. Ends with the plain line `N passed, N failed`.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = new URL('..', import.meta.url);
const isWindows = process.platform === 'win32';
const folder = mkdtempSync(path.join(tmpdir(), 'waggle-verify-'));
const report = path.join(folder, 'tests.json');

/** Runs a command with its output shown; resolves with its exit code. */
function run(command, args, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
      shell: isWindows,
    });
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

const npx = (...args) => run('npx', ['--no-install', ...args]);

const steps = [
  ['check (format, lint, import boundaries)', () => npx('biome', 'check', '.')],
  ['types', () => npx('tsc', '--noEmit')],
  [
    'schema.graphql is what the code prints',
    () => run('node', ['--import', 'tsx', 'scripts/print-schema.ts', '--check']),
  ],
  ['prisma/migrations lead to schema.prisma', () => run('node', ['--import', 'tsx', 'scripts/check-migrations.ts'])],
  ['tests', () => npx('vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`)],
  ['build', () => run('node', ['scripts/build.mjs'])],
  ['the built server runs a swarm and stops at SIGTERM', () => run('node', ['scripts/try-built-server.mjs'])],
];

let passed = 0;
let failed = 0;
for (const [title, step] of steps) {
  process.stdout.write(`\n── ${title}\n`);
  const code = await step();
  if (code !== 0) {
    failed += 1;
    process.stdout.write(`── FAILED: ${title} (exit ${code})\n`);
  } else if (title !== 'tests') passed += 1;
}
if (existsSync(report)) {
  const { numPassedTests, numFailedTests } = JSON.parse(await readFile(report, 'utf8'));
  passed += numPassedTests;
  failed += numFailedTests;
}
rmSync(folder, { recursive: true, force: true });
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
