import { Command, InvalidArgumentError, Option } from 'commander';

export const SECTIONS = ['swarms', 'launch', 'subscribers', 'memory'] as const;
export type Section = (typeof SECTIONS)[number];

export interface BenchOptions {
  readonly agents: readonly number[];
  /** Medians, in milliseconds. */
  readonly latency: readonly number[];
  readonly concurrency: number;
  readonly runs: number;
  readonly subscribers: readonly number[];
  readonly database: 'postgres' | 'pglite' | 'both';
  readonly only: readonly Section[];
  /** A run of batches that would take longer is computed instead. */
  readonly batchLimitMs: number;
  readonly tokensPerSecond: number;
  readonly fusion: 'NONE' | 'CONCAT';
  readonly json?: string;
  readonly profile?: string;
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(value) || value < 0) {
    throw new InvalidArgumentError('It is no whole number.');
  }
  return value;
}

function wholeNumbers(text: string): number[] {
  return text.split(',').map(wholeNumber);
}

function sections(text: string): Section[] {
  return text.split(',').map((name) => {
    const section = SECTIONS.find((known) => known === name);
    if (section === undefined) throw new InvalidArgumentError(`Take some of ${SECTIONS.join(',')}.`);
    return section;
  });
}

type Flags = Partial<BenchOptions> & { readonly quick: boolean };

const FULL: BenchOptions = {
  agents: [300, 3_000, 10_000],
  latency: [0, 50, 1_000],
  concurrency: 300,
  runs: 5,
  subscribers: [1, 100, 1_000],
  database: 'postgres',
  only: SECTIONS,
  batchLimitMs: 30_000,
  tokensPerSecond: 0,
  fusion: 'NONE',
};

const QUICK: BenchOptions = {
  ...FULL,
  agents: [300, 3_000],
  latency: [0, 50],
  runs: 3,
  subscribers: [1, 100],
  only: ['swarms', 'launch', 'subscribers'],
  batchLimitMs: 2_000,
};

export function readOptions(): BenchOptions {
  const program = new Command('bench')
    .description('Measures Waggle next to a bare undici loop, to batches, and to a scheduler without overhead.')
    .option('--agents <numbers>', 'agents of a swarm (300,3000,10000)', wholeNumbers)
    .option('--latency <ms>', 'median latencies of the gateway (0,50,1000)', wholeNumbers)
    .option('--concurrency <number>', 'requests at once (300)', wholeNumber)
    .option('--runs <number>', 'runs of each, by turns; the medians count (5)', wholeNumber)
    .option('--subscribers <numbers>', 'subscribers of one swarm (1,100,1000)', wholeNumbers)
    .addOption(
      new Option('--database <kind>', 'where Waggle stores (postgres)').choices(['postgres', 'pglite', 'both']),
    )
    .option('--only <sections>', `some of ${SECTIONS.join(',')}`, sections)
    .option('--batch-limit-ms <ms>', 'batches that would take longer are computed, not run (30000)', wholeNumber)
    .option('--tokens-per-second <number>', 'speed of an answer; 0: all its chunks at once (0)', wholeNumber)
    .addOption(new Option('--fusion <strategy>', "of Waggle's swarms (NONE)").choices(['NONE', 'CONCAT']))
    .option('--quick', 'a small choice of it, in under a minute', false)
    .option('--json <file>', 'write the raw results there')
    .option('--profile <folder>', 'write a CPU profile of the server for each line of the table, of an extra run');
  const { quick, ...given } = program.parse().opts<Flags>();
  return { ...(quick ? QUICK : FULL), ...given };
}
