// Installs and generates what is missing or outdated, and does nothing when all is there. Runs before every script
// that needs it, with nothing but Node and npm.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`Waggle needs Node 20.19 or newer; this is ${process.version}.\n`);
  process.exit(1);
}

const root = new URL('..', import.meta.url);
const isWindows = process.platform === 'win32';

function hash(...files) {
  const sum = createHash('sha256');
  for (const file of files) sum.update(readFileSync(new URL(file, root)));
  return sum.digest('hex');
}

/** Does `work` unless the stamp says that it was done for the same inputs. */
function once(stamp, sum, proof, title, work) {
  const file = new URL(`node_modules/.waggle-setup/${stamp}`, root);
  if (existsSync(new URL(proof, root)) && existsSync(file) && readFileSync(file, 'utf8') === sum) return;
  process.stdout.write(`${title}\n`);
  work();
  mkdirSync(new URL('node_modules/.waggle-setup/', root), { recursive: true });
  writeFileSync(file, sum);
}

function run(command, args) {
  execFileSync(command, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], shell: isWindows });
}

// Nothing here needs an install script, and Prisma's would download an engine.
once('install', hash('package-lock.json'), 'node_modules', 'Installing packages (npm ci, about half a minute) …', () =>
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']),
);
once(
  'generate',
  hash('package-lock.json', 'prisma/schema.prisma', 'prisma.config.ts'),
  'src/swarm/store/generated',
  'Generating the database client (prisma generate) …',
  () => run('npx', ['--no-install', 'prisma', 'generate', '--no-hints']),
);
