import { typeOfId } from '../swarm/domain/ids.ts';
import type { SchemaContext } from './context.ts';
import { invalidInput, notFound } from './request-error.ts';
import { swarmScope } from './scope.ts';

/** A swarm to follow, or NOT_FOUND: for malformed, missing and foreign ids alike. */
export async function findSwarm(
  id: string,
  { caller, prisma }: SchemaContext,
): Promise<{ readonly lastSequence: number }> {
  const swarm =
    typeOfId(id) === 'swarm'
      ? await prisma.swarm.findFirst({ where: { id, ...swarmScope(caller) }, select: { lastSequence: true } })
      : null;
  if (swarm === null) throw notFound('There is no swarm with this id.');
  return swarm;
}

/** Throws INVALID_INPUT for milliseconds out of bounds. */
export function checkInterval(name: string, ms: number, min: number, max: number): void {
  if (ms < min || ms > max) throw invalidInput(`${name} is ${ms}; give milliseconds from ${min} to ${max}.`);
}
