import type { AgentStatus } from './status.ts';

/** How many agents of a swarm are in each state. */
export interface Progress {
  readonly total: number;
  readonly queued: number;
  readonly running: number;
  readonly waiting: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly canceled: number;
  readonly skipped: number;
}

const COUNTER = {
  QUEUED: 'queued',
  RUNNING: 'running',
  WAITING: 'waiting',
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
  CANCELED: 'canceled',
  SKIPPED: 'skipped',
} as const satisfies Record<AgentStatus, keyof Progress>;

export function queuedProgress(total: number): Progress {
  return { total, queued: total, running: 0, waiting: 0, succeeded: 0, failed: 0, canceled: 0, skipped: 0 };
}

/** The progress after one agent went from one state to another. */
export function moveAgent(progress: Progress, from: AgentStatus, to: AgentStatus): Progress {
  const left = COUNTER[from];
  const entered = COUNTER[to];
  const next = { ...progress };
  next[left] -= 1;
  next[entered] += 1;
  return next;
}

export function openAgents(progress: Progress): number {
  return progress.queued + progress.running + progress.waiting;
}
