import type { LaunchCell } from './measure-launch.ts';
import type { MemoryCell } from './measure-memory.ts';
import type { FanOutCell, FanOutRun } from './measure-subscribers.ts';
import { BATCH_SIZE, type SwarmCell } from './measure-swarms.ts';
import { median } from './median.ts';

/** All that was measured on one database. */
export interface DatabaseResults {
  readonly database: string;
  readonly swarms: readonly SwarmCell[];
  readonly launch: readonly LaunchCell[];
  readonly subscribers: readonly FanOutCell[];
  readonly memory: MemoryCell | undefined;
}

type Row = readonly string[];

function table(head: Row, rows: readonly Row[]): string {
  const line = (cells: Row) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, column) => (column === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

const count = (value: number) => value.toLocaleString('en-US');
const duration = (ms: number) => (ms < 10_000 ? `${count(Math.round(ms))} ms` : `${(ms / 1_000).toFixed(1)} s`);
const ratio = (value: number) => value.toFixed(2);
const megabytes = (bytes: number) => `${count(Math.round(bytes / 1_048_576))} MB`;
const medianOf = <T>(runs: readonly T[], value: (run: T) => number) => median(runs.map(value));

/** The median of what each run of one costs over the other's run beside it: a machine that slows down slows both. */
export function cpuRatio({ waggle, bare }: SwarmCell): number {
  return median(waggle.map(({ cpuMs }, run) => cpuMs / (bare[run]?.cpuMs ?? Number.NaN)));
}

export function wallOverOracle({ waggle, oracleMs }: SwarmCell): number {
  return medianOf(waggle, ({ wallMs }) => wallMs) / (oracleMs ?? Number.NaN);
}

function swarmRows(cell: SwarmCell): Row[] {
  const { agents, latencyMs, oracleMs } = cell;
  const contenders = [
    ['Waggle', cell.waggle],
    ['bare loop', cell.bare],
    [`batches of ${BATCH_SIZE}`, cell.batches],
  ] as const;
  const title = [count(agents), `${count(latencyMs)} ms`];
  const over = (wallMs: number) => (oracleMs === undefined ? '–' : ratio(wallMs / oracleMs));
  const rows = contenders.map(([name, runs]): Row => {
    if (runs.length === 0) {
      const ms = cell.computedBatchesMs;
      return [...title, `${name} (computed)`, duration(ms), over(ms), '–', '–', '–'];
    }
    const wallMs = medianOf(runs, (run) => run.wallMs);
    const cpuMs = medianOf(runs, (run) => run.cpuMs);
    const cpuOver = median(runs.map((run, at) => run.cpuMs / (cell.bare[at]?.cpuMs ?? Number.NaN)));
    const peak = Math.max(...runs.map((run) => run.peakBytes));
    const perAgent = `${count(Math.round((cpuMs / agents) * 1_000))} µs`;
    return [...title, name, duration(wallMs), over(wallMs), perAgent, ratio(cpuOver), megabytes(peak)];
  });
  const oracle: Row[] = oracleMs === undefined ? [] : [[...title, 'oracle', duration(oracleMs), '1.00', '–', '–', '–']];
  return [...rows, ...oracle];
}

const SWARM_HEAD = [
  'agents',
  'latency',
  '',
  'wall',
  'over the oracle',
  'CPU per agent',
  'over the bare loop',
  'peak memory',
];

function launchRow({ agents, form, runs }: LaunchCell): Row {
  const stallMs = medianOf(runs, (run) => run.longestStallMs);
  const first = runs[0]?.launchMs ?? Number.NaN;
  const launchMs = medianOf(runs, (run) => run.launchMs);
  const cpuMs = medianOf(runs, (run) => run.cpuMs);
  return [count(agents), form, duration(launchMs), duration(first), duration(cpuMs), duration(stallMs)];
}

/** What each subscriber beyond the first one costs, and each frame beyond the first one's. */
function furtherCosts(cell: FanOutCell, alone: FanOutCell | undefined): Row {
  if (alone === undefined || alone === cell) return ['–', '–'];
  const more = (value: (run: FanOutRun) => number) => medianOf(cell.runs, value) - medianOf(alone.runs, value);
  const frameUs = (more((run) => run.cpuMs) / more((run) => run.frames)) * 1_000;
  const joinMs = more((run) => run.joinCpuMs) / (cell.subscribers - alone.subscribers);
  return [`${count(Math.round(frameUs))} µs`, `${joinMs.toFixed(1)} ms`];
}

function fanOutRow(cell: FanOutCell, alone: FanOutCell | undefined): Row {
  const { subscribers, runs, oracleMs } = cell;
  const wallMs = medianOf(runs, (run) => run.wallMs);
  const cpuMs = medianOf(runs, (run) => run.cpuMs);
  const frames = medianOf(runs, (run) => run.frames);
  const events = count(medianOf(runs, (run) => run.eventsPerSubscriber));
  return [
    ...[count(subscribers), duration(wallMs), ratio(wallMs / oracleMs)],
    ...[`all ${events}`, count(frames), duration(cpuMs)],
    ...furtherCosts(cell, alone),
  ];
}

const FAN_OUT_HEAD = [
  'subscribers',
  'wall',
  'over the oracle',
  'events to each',
  'frames',
  'server CPU',
  'CPU per further frame',
  'CPU to join, each further one',
];

function memoryText({ agents, samples }: MemoryCell): string {
  const rows = samples.map(({ endedAgents, liveBytes }) => [count(endedAgents), megabytes(liveBytes)]);
  return [
    `### Memory in use while ${count(agents)} agents end, one after the other`,
    table(['ended', 'in use'], rows),
  ].join('\n\n');
}

/** What the project aims at, with what was measured. */
function aims(results: DatabaseResults): string {
  const verdict = (isMet: boolean) => (isMet ? 'met' : 'MISSED');
  const slow = results.swarms.filter((cell) => cell.latencyMs >= 1_000 && cell.agents >= 3_000);
  const walls = slow.map((cell): Row => {
    const name = `wall over the oracle, ${count(cell.agents)} agents at ${count(cell.latencyMs)} ms`;
    return [name, '≤ 1.03', ratio(wallOverOracle(cell)), verdict(wallOverOracle(cell) <= 1.03)];
  });
  const costs = results.swarms.map((cell): Row => {
    const name = `CPU per agent over the bare loop, ${count(cell.agents)} agents at ${count(cell.latencyMs)} ms`;
    return [name, '≤ 2', ratio(cpuRatio(cell)), verdict(cpuRatio(cell) <= 2)];
  });
  const launches = results.launch.map((cell): Row => {
    const ms = medianOf(cell.runs, (run) => run.launchMs);
    return [`launch of ${count(cell.agents)} agents (${cell.form})`, '< 1 s', duration(ms), verdict(ms < 1_000)];
  });
  const first = results.memory?.samples[0]?.liveBytes ?? Number.NaN;
  const last = results.memory?.samples.at(-1)?.liveBytes ?? Number.NaN;
  const flat: Row[] = Number.isNaN(last)
    ? []
    : [['memory in use, last look over first', '≤ 1.1', ratio(last / first), verdict(last / first <= 1.1)]];
  return ['### Aims', table(['', 'aim', 'measured', ''], [...walls, ...costs, ...launches, ...flat])].join('\n\n');
}

/** The report on one database, in Markdown. */
export function report(results: DatabaseResults): string {
  const { database, swarms, launch, subscribers, memory } = results;
  const alone = subscribers.find((cell) => cell.subscribers === 1);
  const parts = [`## ${database}`];
  if (swarms.length > 0) parts.push('### Swarms', table(SWARM_HEAD, swarms.flatMap(swarmRows)));
  if (launch.length > 0) {
    const head = ['agents', 'plan', 'time to the answer', 'the first', 'server CPU', 'longest stall of the server'];
    parts.push('### Launch', table(head, launch.map(launchRow)));
  }
  if (subscribers.length > 0) {
    const rows = subscribers.map((cell) => fanOutRow(cell, alone));
    parts.push('### Subscribers of one swarm of 300 agents at 50 ms', table(FAN_OUT_HEAD, rows));
  }
  if (memory !== undefined) parts.push(memoryText(memory));
  parts.push(aims(results));
  return `${parts.join('\n\n')}\n`;
}
