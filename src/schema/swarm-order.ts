import { typeOfId } from '../swarm/domain/ids.ts';
import type { Prisma, Swarm } from '../swarm/store/generated/client.ts';
import { parseBigInt } from './big-int.ts';
import { builder } from './builder.ts';
import { parseDateTime } from './date-time.ts';

const SwarmOrderFieldEnum = builder.enumType('SwarmOrderField', {
  values: {
    CREATED_AT: {},
    FINISHED_AT: { description: 'Swarms that have not ended come last in either direction.' },
    COST: {},
  },
});

const SortDirectionEnum = builder.enumType('SortDirection', { values: ['ASC', 'DESC'] as const });

export const SwarmOrderInput = builder.inputType('SwarmOrder', {
  description: 'Swarms that are equal in it are ordered by their ids, in the same direction.',
  fields: (t) => ({
    field: t.field({ type: SwarmOrderFieldEnum, required: true }),
    direction: t.field({ type: SortDirectionEnum, required: true }),
  }),
});

export type SwarmOrder = typeof SwarmOrderInput.$inferInput;

export const NEWEST_FIRST: SwarmOrder = { field: 'CREATED_AT', direction: 'DESC' };

const COLUMN = { CREATED_AT: 'createdAt', FINISHED_AT: 'finishedAt', COST: 'costNanoUsd' } as const;

export const ORDER_COLUMNS = { id: true, createdAt: true, finishedAt: true, costNanoUsd: true } as const;
export type OrderColumns = Pick<Swarm, keyof typeof ORDER_COLUMNS>;

/** A place in the order: a swarm's value and id, so that it stays where it is when the swarm has moved on or gone. */
export interface SwarmPlace {
  readonly value: Date | bigint | null;
  readonly id: string;
}

export function encodePlace({ field }: SwarmOrder, swarm: OrderColumns): string {
  const value = swarm[COLUMN[field]];
  const text = value instanceof Date ? value.toISOString() : (value?.toString() ?? '');
  return Buffer.from(`${field} ${text} ${swarm.id}`).toString('base64url');
}

/** Undefined for what is no cursor of this order. */
export function decodePlace({ field }: SwarmOrder, cursor: string): SwarmPlace | undefined {
  const [name, text = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ');
  if (name !== field || typeOfId(id) !== 'swarm') return undefined;
  if (field === 'FINISHED_AT' && text === '') return { value: null, id };
  const value = field === 'COST' ? parseBigInt(text) : parseDateTime(text);
  return value === undefined ? undefined : { value, id };
}

const isAscending = ({ direction }: SwarmOrder, isBackward: boolean) => (direction === 'ASC') !== isBackward;

export function orderBy(order: SwarmOrder, isBackward: boolean): Prisma.SwarmOrderByWithRelationInput[] {
  const sort = isAscending(order, isBackward) ? 'asc' : 'desc';
  if (order.field !== 'FINISHED_AT') return [{ [COLUMN[order.field]]: sort }, { id: sort }];
  return [{ finishedAt: { sort, nulls: isBackward ? 'first' : 'last' } }, { id: sort }];
}

/** The swarms that lie after the place when they are read forward, or before it when they are read backward. */
export function beyond(order: SwarmOrder, { value, id }: SwarmPlace, isBackward: boolean): Prisma.SwarmWhereInput {
  const column = COLUMN[order.field];
  const past = isAscending(order, isBackward) ? 'gt' : 'lt';
  const equal = { [column]: value, id: { [past]: id } };
  const hasOpen = order.field === 'FINISHED_AT';
  if (value === null) return isBackward ? { OR: [equal, { [column]: { not: null } }] } : equal;
  const open = hasOpen && !isBackward ? [{ [column]: null }] : [];
  return { OR: [{ [column]: { [past]: value } }, equal, ...open] };
}
