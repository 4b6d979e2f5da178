import { Command, InvalidArgumentError, Option } from 'commander';
import { directivesHelp } from './help.ts';
import { type Sandbox, startSandbox } from './start-sandbox.ts';

interface Flags {
  readonly port: number;
  readonly host: string;
  readonly seed: number;
  readonly latencyMs: number;
  readonly sigma: number;
  readonly firstTokenMs: number;
  readonly tokensPerSecond: number;
  readonly chunks: number;
  readonly tokens?: number;
  readonly cachedShare: number;
  readonly maxConcurrency?: number;
  readonly rpm?: number;
  readonly apiKey?: string;
  readonly model?: string[];
  readonly anyModel: boolean;
  readonly printUrl: boolean;
}

function number(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('It is no number.');
  return value;
}

function write(text: string): void {
  process.stdout.write(`${text}\n`);
}

function readFlags(): Flags {
  const program = new Command('sandbox')
    .description('An OpenAI-compatible gateway that answers by itself, and fails on request.')
    .option('--port <port>', '0: any free one', number, 4010)
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option('--seed <number>', 'answers, latencies and random faults depend on it', number, 1)
    .option('--latency-ms <ms>', 'median latency', number, 600)
    .option('--sigma <number>', 'spread of the latency (log-normal); 0: none', number, 0.4)
    .option('--first-token-ms <ms>', 'from the headers to the first text', number, 0)
    .option('--tokens-per-second <number>', 'speed of the text; 0: at once', number, 120)
    .option('--chunks <number>', 'text chunks of a stream', number, 16)
    .option('--tokens <number>', 'completion tokens of every answer', number)
    .option('--cached-share <share>', 'share of prompt tokens reported as cached, 0 to 1', number, 0)
    .option('--max-concurrency <number>', 'requests at once; more get 429', number)
    .option('--rpm <number>', 'requests a minute; more get 429', number)
    .addOption(new Option('--api-key <key>', 'the only key that is let in').env('SANDBOX_API_KEY'))
    .option('--model <name...>', 'models in place of the usual five')
    .option('--any-model', 'accept every model', false)
    .option('--print-url', 'print nothing but {"url":"…"} in one line, when it listens', false)
    .addHelpText('after', () => `\n${directivesHelp()}`);
  return program.parse().opts<Flags>();
}

function start(flags: Flags): Promise<Sandbox> {
  const { latencyMs, sigma } = flags;
  return startSandbox({
    port: flags.port,
    host: flags.host,
    seed: flags.seed,
    latency: sigma === 0 ? latencyMs : { medianMs: latencyMs, sigma },
    firstTokenMs: flags.firstTokenMs,
    tokensPerSecond: flags.tokensPerSecond,
    chunkCount: flags.chunks,
    answerTokens: flags.tokens,
    cachedShare: flags.cachedShare,
    maxConcurrency: flags.maxConcurrency,
    rpm: flags.rpm,
    apiKey: flags.apiKey,
    models: flags.model,
    acceptAnyModel: flags.anyModel,
  });
}

async function run(): Promise<void> {
  const flags = readFlags();
  const sandbox = await start(flags);
  const stop = () => void sandbox.close().then(() => process.exit(0));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  // A child process ends with its parent.
  process.once('disconnect', stop);
  process.send?.({ url: sandbox.url });
  if (flags.printUrl) write(JSON.stringify({ url: sandbox.url }));
  else write(`The sandbox gateway listens at ${sandbox.url}\n\n${directivesHelp()}`);
}

run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
