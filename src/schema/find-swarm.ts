import { typeOfId } from '../swarm/domain/ids.ts';
import type { SchemaContext } from './context.ts';
import { notFound } from './request-error.ts';
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
