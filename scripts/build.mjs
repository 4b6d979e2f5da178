// Compiles src/ to dist/. The server needs dist/, prisma/, schema.graphql, node_modules/ and package.json.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';

const root = new URL('..', import.meta.url);
rmSync(new URL('dist', root), { recursive: true, force: true });
execFileSync('npx', ['--no-install', 'tsc', '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
