import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { type BenchDatabase, createPostgres, PGLITE } from './bench-database.ts';
import { type Child, endChildren, startChild } from './children.ts';
import { measureLaunch } from './measure-launch.ts';
import { measureMemory } from './measure-memory.ts';
import { measureSubscribers } from './measure-subscribers.ts';
import { measureSwarms } from './measure-swarms.ts';
import { type BenchOptions, readOptions, type Section } from './options.ts';
import { type DatabaseResults, report } from './report.ts';
import { startSandboxProcess } from './sandbox-process.ts';
import { say } from './say.ts';
import type { Stage } from './stage.ts';

/** What is to be undone on every way out, the newest first. */
const undoing: (() => Promise<void>)[] = [endChildren];

async function undoAll(): Promise<void> {
  for (let undo = undoing.shift(); undo !== undefined; undo = undoing.shift()) await undo();
}

async function openDatabases({ database }: BenchOptions): Promise<BenchDatabase[]> {
  if (database === 'pglite') return [PGLITE];
  // biome-ignore lint/style/noProcessEnv: the benchmark's own switch.
  const url = process.env['DATABASE_URL'];
  try {
    const postgres = await createPostgres(url);
    // After the children: a server that is connected would be thrown out.
    undoing.push(postgres.drop);
    return database === 'both' ? [postgres, PGLITE] : [postgres];
  } catch (error) {
    const where = url === undefined ? 'at 127.0.0.1:5432 (set DATABASE_URL)' : 'where DATABASE_URL says';
    say(`No Postgres answers ${where}; PGlite takes its place. (${String(error)})`);
    return [PGLITE];
  }
}

async function measure(stage: Stage): Promise<DatabaseResults> {
  const wants = (section: Section) => stage.options.only.includes(section);
  say(`On ${stage.database.label}:`);
  return {
    database: stage.database.label,
    swarms: wants('swarms') ? await measureSwarms(stage) : [],
    launch: wants('launch') ? await measureLaunch(stage) : [],
    subscribers: wants('subscribers') ? await measureSubscribers(stage) : [],
    memory: wants('memory') ? await measureMemory(stage) : undefined,
  };
}

function machine({ concurrency, runs }: BenchOptions): string {
  const cores = `${cpus().length} cores`;
  return `Node ${process.versions.node}, ${process.platform}, ${cores}; concurrency ${concurrency}; medians of ${runs}.`;
}

async function run(): Promise<void> {
  const options = readOptions();
  if (options.profile !== undefined) await mkdir(options.profile, { recursive: true });
  const databases = await openDatabases(options);
  say('Starting the sandbox gateway and the other contenders …');
  const sandbox = await startSandboxProcess();
  const contender: Child = await startChild('contender', ['--import', 'tsx', 'bench/contender.ts']);
  process.stdout.write(`# Benchmark\n\n${machine(options)}\n\n`);
  const results: DatabaseResults[] = [];
  for (const database of databases) {
    const measured = await measure({ options, database, sandbox, contender });
    results.push(measured);
    process.stdout.write(`${report(measured)}\n`);
  }
  if (options.json === undefined) return;
  await writeFile(options.json, `${JSON.stringify({ options, results }, undefined, 2)}\n`);
  say(`The raw results are in ${options.json}.`);
}

let isStopping = false;

function stop(signal: NodeJS.Signals): void {
  isStopping = true;
  say(`${signal}: ending what was started …`);
  undoAll().finally(() => process.exit(130));
}

process.once('SIGINT', stop);
process.once('SIGTERM', stop);
run()
  .catch((error: unknown) => {
    process.exitCode = 1;
    if (!isStopping) say(error instanceof Error ? String(error.stack) : String(error));
  })
  .finally(undoAll);
