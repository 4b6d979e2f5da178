#!/usr/bin/env node
// The `waggle` command: the built one if there is one, else the source.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const built = new URL('../dist/cli/main.js', import.meta.url);
const source = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
const program = existsSync(built) ? [fileURLToPath(built)] : ['--import', import.meta.resolve('tsx'), source];
const child = spawn(process.execPath, [...program, ...process.argv.slice(2)], { stdio: 'inherit' });
// Ctrl-C reaches both; the command decides how it ends.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.once('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
