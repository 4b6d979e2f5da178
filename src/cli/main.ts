import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { ask, CommandError, type Endpoint } from './api.ts';
import { runDemo } from './demo.ts';
import { type LaunchFileOptions, launchFile } from './launch.ts';
import { describeResult, readResult } from './result.ts';
import { watch } from './watch.ts';

const { env } = process;

interface Common {
  readonly url: string;
  readonly key?: string;
  readonly json?: boolean;
}

const EXIT_CODES: Readonly<Record<string, number>> = { SUCCEEDED: 0, PARTIAL: 3, FAILED: 4, CANCELED: 5, PAUSED: 6 };
const EXIT_HELP = `
Exit codes by the swarm's status: 0 SUCCEEDED, 3 PARTIAL, 4 FAILED, 5 CANCELED, 6 PAUSED.
1: no server, no key, another fault. 2: the input is not right.`;

async function endpointOf({ url, key }: Common): Promise<Endpoint> {
  const given = key ?? env['WAGGLE_API_KEY'];
  if (given !== undefined && given !== '') return { url, key: given };
  const file = path.join(env['WAGGLE_DATA_DIR'] || '.waggle', 'admin.key');
  const kept = await readFile(file, 'utf8').catch(() => {
    throw new CommandError(`No key: give --key or WAGGLE_API_KEY, or run this where the server wrote ${file}.`);
  });
  return { url, key: kept.trim() };
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('Give a whole number from 1.');
  return value;
}

async function showResult(endpoint: Endpoint, id: string, isJson: boolean, maxLines: number): Promise<void> {
  const result = await readResult(endpoint, id);
  process.stdout.write(isJson ? `${JSON.stringify(result)}\n` : describeResult(result, maxLines));
  process.exitCode = EXIT_CODES[result.status] ?? 0;
}

async function change(endpoint: Endpoint, mutation: string, input: object, isJson: boolean): Promise<void> {
  const type = mutation === 'cancelSwarm' ? 'CancelSwarmInput' : 'SwarmIdInput';
  const query = `mutation ($input: ${type}!) {
    change: ${mutation}(input: $input) { __typename ... on ChangeSwarmSuccess { swarm { id status } } ... on Error { message } }
  }`;
  const answer = await ask<{ change: { message?: string; swarm?: { id: string; status: string } } }>(endpoint, query, {
    input,
  });
  const { swarm, message } = answer.change;
  if (swarm === undefined) throw new CommandError(message ?? 'The server refused.', 2);
  process.stdout.write(isJson ? `${JSON.stringify(swarm)}\n` : `${swarm.id} is ${swarm.status}\n`);
}

const program = new Command('waggle')
  .description('Launches and watches swarms on a Waggle server.')
  .addHelpText('after', EXIT_HELP);

function command(name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .option('--url <url>', 'the GraphQL endpoint', env['WAGGLE_URL'] || 'http://127.0.0.1:4000/graphql')
    .option('--key <key>', 'an API key (default: WAGGLE_API_KEY, else the file admin.key in the data folder)')
    .option('--json', 'JSON for scripts')
    .addHelpText('after', EXIT_HELP);
}

command('launch <file>', 'launches a LaunchSwarmInput (.json) or a GraphQL document (.graphql), and watches it')
  .option('--no-watch', 'print the id and return')
  .option('--variables <file>', 'JSON variables for a .graphql document')
  .option('--name <name>')
  .option('--concurrency <n>', 'agents at work at once', wholeNumber)
  .option('--budget <usd>', 'the most it may cost')
  .option('--idempotency-key <key>')
  .action(async (file: string, options: Common & LaunchFileOptions & { watch: boolean }) => {
    const endpoint = await endpointOf(options);
    const id = await launchFile(endpoint, file, options);
    const isJson = options.json === true;
    if (!options.watch) process.stdout.write(isJson ? `${JSON.stringify({ id })}\n` : `${id}\n`);
    if (!options.watch) return;
    if (!isJson) process.stdout.write(`${id}\n`);
    // With --json one document comes out, the result; the progress is for people.
    if (!isJson) await watch(endpoint, id, false);
    else await watchQuietly(endpoint, id);
    await showResult(endpoint, id, isJson, Number.POSITIVE_INFINITY);
  });

async function watchQuietly(endpoint: Endpoint, id: string): Promise<void> {
  const { followSwarm } = await import('./follow-swarm.ts');
  for await (const _ of followSwarm(endpoint, id));
}

command('watch <id>', 'shows a swarm until it ends; with --json a line for each batch of events').action(
  async (id: string, options: Common) => {
    const last = await watch(await endpointOf(options), id, options.json === true);
    process.exitCode = EXIT_CODES[last?.status ?? ''] ?? 0;
  },
);

command('result <id>', 'prints the fused answer, a table per model, and the cost').action(
  async (id: string, options: Common) => {
    await showResult(await endpointOf(options), id, options.json === true, Number.POSITIVE_INFINITY);
  },
);

command('cancel <id>', 'ends a swarm at once')
  .option('--reason <text>')
  .action(async (id: string, options: Common & { reason?: string }) => {
    await change(await endpointOf(options), 'cancelSwarm', { id, reason: options.reason }, options.json === true);
  });

for (const [name, what] of [
  ['pause', 'starts no further request until resume'],
  ['resume', 'goes on with what is left'],
] as const) {
  command(`${name} <id>`, what).action(async (id: string, options: Common) => {
    await change(await endpointOf(options), `${name}Swarm`, { id }, options.json === true);
  });
}

program
  .command('demo')
  .description('starts a server, runs 300 agents on it, shows the report and the bill')
  .option('--keep', 'leave the server up')
  .action(async (options: { keep?: boolean }) => {
    process.exitCode = await runDemo(env, options.keep === true);
  });

program.parseAsync().catch((error: unknown) => {
  const isExpected = error instanceof CommandError;
  process.stderr.write(`${isExpected ? error.message : String((error as Error).stack ?? error)}\n`);
  process.exitCode = isExpected ? error.exitCode : 1;
});
