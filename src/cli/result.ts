import { ask, CommandError, type Endpoint } from './api.ts';

interface Distribution {
  readonly p50: number;
  readonly p95: number;
}

export interface Result {
  readonly id: string;
  readonly status: string;
  readonly result: string | null;
  readonly failure: { readonly code: string; readonly message: string } | null;
  readonly fusion: { readonly missing: readonly string[] };
  readonly cost: {
    readonly totalUsd: string;
    readonly wastedUsd: string;
    readonly baselineModel: string | null;
    readonly baselineUsd: string | null;
    readonly savedPercent: number | null;
  };
  readonly breakdown: readonly {
    readonly key: string;
    readonly agents: number;
    readonly attempts: number;
    readonly usage: { readonly input: string; readonly output: string };
    readonly costUsd: string;
    readonly latencyMs: Distribution | null;
    readonly firstTokenMs: Distribution | null;
  }[];
}

const RESULT = `query ($id: ID!) {
  swarm(id: $id) {
    id status result failure { code message } fusion { missing }
    cost { totalUsd wastedUsd baselineModel baselineUsd savedPercent }
    breakdown(by: MODEL) {
      key agents attempts usage { input output } costUsd latencyMs { p50 p95 } firstTokenMs { p50 p95 }
    }
  }
}`;

export async function readResult(endpoint: Endpoint, id: string): Promise<Result> {
  const { swarm } = await ask<{ swarm: Result | null }>(endpoint, RESULT, { id });
  if (swarm === null) throw new CommandError(`There is no swarm ${id}.`);
  return swarm;
}

/** Columns aligned, numbers to the right. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  '),
    )
    .join('\n');
}

/** The fused answer (at most `maxLines` of it, with a mark), a table per model, the cost and the saving. */
export function describeResult(result: Result, maxLines: number): string {
  const lines = (result.result ?? '').split('\n');
  const hidden = lines.length - maxLines;
  const answer =
    hidden > 0 ? [...lines.slice(0, maxLines), `… ${hidden} more lines (waggle result ${result.id})`] : lines;
  const ms = (value: number | undefined) => (value === undefined ? '-' : `${Math.round(value)} ms`);
  const rows = result.breakdown.map((row) => [
    row.key,
    ...[row.agents, row.attempts].map(String),
    ...[row.usage.input, row.usage.output],
    ...[ms(row.latencyMs?.p50), ms(row.latencyMs?.p95), ms(row.firstTokenMs?.p50)],
    `$${row.costUsd}`,
  ]);
  const head = ['model', 'agents', 'attempts', 'tokens in', 'out', 'p50', 'p95', 'first token', 'cost'];
  const { cost, fusion, failure } = result;
  const parts = [
    answer.join('\n').trim(),
    table([head, ...rows]),
    `total $${cost.totalUsd}, of it wasted $${cost.wastedUsd}`,
  ];
  if (cost.baselineUsd !== null && cost.savedPercent !== null) {
    const saved = cost.savedPercent.toFixed(1);
    parts.push(`the same tokens at ${cost.baselineModel}: $${cost.baselineUsd}; saved ${saved} %`);
  }
  if (fusion.missing.length > 0)
    parts.push(`missing in the answer: ${fusion.missing.length} (${fusion.missing.slice(0, 10).join(', ')})`);
  if (failure !== null) parts.push(`${failure.code}: ${failure.message}`);
  return `\n${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
