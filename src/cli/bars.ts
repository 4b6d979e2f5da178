import { styleText } from 'node:util';
import type { Batch, WatchedEvent } from './swarm-event.ts';

/** Agents of one kind, as far as their events tell. */
interface Group {
  readonly name: string;
  readonly total: number;
  readonly statuses: ReadonlyMap<string, string>;
}

export interface Picture {
  readonly groups: readonly Group[];
  readonly batch: Batch | undefined;
}

/** `groupOf`: an agent's key to its group's name. */
export function emptyPicture(groupOf: ReadonlyMap<string, string>): Picture {
  const totals = new Map<string, number>();
  for (const name of groupOf.values()) totals.set(name, (totals.get(name) ?? 0) + 1);
  const groups = [...totals].map(([name, total]) => ({ name, total, statuses: new Map<string, string>() }));
  return { groups, batch: undefined };
}

/** The picture after a batch. Pure: any way of batching the same events gives the same picture. */
export function fold(picture: Picture, batch: Batch, groupOf: ReadonlyMap<string, string>): Picture {
  const changes = batch.events.filter(
    (event): event is WatchedEvent & { agentKey: string; agentStatus: string } => event.agentStatus !== undefined,
  );
  const groups = picture.groups.map((group) => {
    const mine = changes.filter((event) => groupOf.get(event.agentKey) === group.name);
    if (mine.length === 0) return group;
    const statuses = new Map(group.statuses);
    for (const event of mine) statuses.set(event.agentKey, event.agentStatus);
    return { ...group, statuses };
  });
  return { groups, batch };
}

function countOf(group: Group, ...statuses: readonly string[]): number {
  return [...group.statuses.values()].filter((status) => statuses.includes(status)).length;
}

function bar(group: Group, width: number): string {
  const part = (count: number) => Math.floor((count / Math.max(1, group.total)) * width);
  const done = part(countOf(group, 'SUCCEEDED'));
  const bad = part(countOf(group, 'FAILED', 'CANCELED', 'SKIPPED'));
  const busy = part(countOf(group, 'RUNNING', 'WAITING'));
  const rest = Math.max(0, width - done - bad - busy);
  return `${styleText('green', '█'.repeat(done))}${styleText('red', '█'.repeat(bad))}${styleText('yellow', '▒'.repeat(busy))}${'·'.repeat(rest)}`;
}

/** A line for each group and one for the whole. `columns`: the terminal's width. */
export function draw({ groups, batch }: Picture, elapsedMs: number, columns: number): string[] {
  if (batch === undefined) return ['waiting for the first event …'];
  const nameWidth = Math.max(...groups.map((group) => group.name.length), 3);
  const width = Math.max(10, Math.min(40, columns - nameWidth - 56));
  const lines = groups.map((group) => {
    const figures = `${countOf(group, 'SUCCEEDED')}/${group.total} done, ${countOf(group, 'RUNNING')} running, ${countOf(group, 'WAITING')} waiting, ${countOf(group, 'FAILED')} failed`;
    return `${group.name.padEnd(nameWidth)} ${bar(group, width)} ${figures}`;
  });
  const { progress } = batch;
  const perMinute = ((progress.succeeded + progress.failed) / Math.max(1, elapsedMs)) * 60_000;
  const seconds = (elapsedMs / 1_000).toFixed(1);
  return [
    ...lines,
    `${batch.status.padEnd(9)} $${batch.costUsd} so far, ${perMinute.toFixed(0)} agents a minute, ${seconds} s`,
  ];
}
