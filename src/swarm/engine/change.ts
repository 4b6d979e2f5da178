import type { Failure } from '../domain/fault.ts';
import { isEndedSwarm, type SwarmStatus } from '../domain/status.ts';
import type { Prisma } from '../store/database.ts';
import type { Caller } from './caller.ts';
import type { ChangeResult } from './result.ts';
import type { Worker } from './worker.ts';

export interface ChangeParts {
  readonly prisma: Prisma;
  readonly worker: Worker;
}

/** The status of a swarm that the caller may see. */
async function statusOf(prisma: Prisma, swarmId: string, caller: Caller): Promise<SwarmStatus | undefined> {
  const scope = caller.tenantId === null ? {} : { tenantId: caller.tenantId };
  const swarm = await prisma.swarm.findFirst({ where: { id: swarmId, ...scope }, select: { status: true } });
  return swarm?.status;
}

function invalidState(status: SwarmStatus, what: string): ChangeResult {
  return { kind: 'invalid-state', status, message: `The swarm is ${status}, so it cannot be ${what}.` };
}

/** Ends a swarm at once; resolves when that is durable. One that nobody runs is claimed and ended the same way. */
export async function cancelSwarm(
  swarmId: string,
  reason: string | undefined,
  caller: Caller,
  { prisma, worker }: ChangeParts,
): Promise<ChangeResult> {
  const status = await statusOf(prisma, swarmId, caller);
  if (status === undefined) return { kind: 'not-found' };
  if (status === 'CANCELED') return { kind: 'changed', swarmId };
  if (isEndedSwarm(status)) return invalidState(status, 'canceled');
  const message = reason === undefined ? 'The swarm was canceled.' : `The swarm was canceled: ${reason}`;
  const failure: Failure = { code: 'CANCELED', message, isRetryable: true };
  worker.start(swarmId, { kind: 'canceled', failure });
  await worker.ended(swarmId);
  const after = await statusOf(prisma, swarmId, caller);
  return after === 'CANCELED' ? { kind: 'changed', swarmId } : invalidState(after ?? status, 'canceled');
}

/** Starts no further attempt; resolves at once, and the swarm is PAUSED when those under way have ended. */
export async function pauseSwarm(
  swarmId: string,
  caller: Caller,
  { prisma, worker }: ChangeParts,
): Promise<ChangeResult> {
  const status = await statusOf(prisma, swarmId, caller);
  if (status === undefined) return { kind: 'not-found' };
  if (status === 'PAUSED') return { kind: 'changed', swarmId };
  if (isEndedSwarm(status)) return invalidState(status, 'paused');
  worker.start(swarmId, { kind: 'paused', failure: null });
  return { kind: 'changed', swarmId };
}

/** Goes on with what is left. */
export async function resumeSwarm(
  swarmId: string,
  caller: Caller,
  { prisma, worker }: ChangeParts,
): Promise<ChangeResult> {
  const status = await statusOf(prisma, swarmId, caller);
  if (status === undefined) return { kind: 'not-found' };
  if (status !== 'PAUSED') return invalidState(status, 'resumed');
  // Its last run may still be on its way out.
  await worker.ended(swarmId);
  worker.start(swarmId);
  return { kind: 'changed', swarmId };
}
