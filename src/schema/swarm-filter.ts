import { storableText } from '../swarm/domain/text.ts';
import type { Prisma } from '../swarm/store/generated/client.ts';
import { builder } from './builder.ts';
import { LabelInput } from './label.ts';
import { invalidInput } from './request-error.ts';
import { SwarmStatusEnum } from './status.ts';

const DateTimeRangeInput = builder.inputType('DateTimeRange', {
  description: '`from` is inclusive, `to` exclusive.',
  fields: (t) => ({ from: t.field({ type: 'DateTime' }), to: t.field({ type: 'DateTime' }) }),
});

export const SwarmFilterInput = builder.inputType('SwarmFilter', {
  description: 'All that is given has to fit.',
  fields: (t) => ({
    status: t.field({ type: [SwarmStatusEnum], description: 'One of them. An empty list restricts nothing.' }),
    label: t.field({ type: LabelInput }),
    createdAt: t.field({ type: DateTimeRangeInput }),
    search: t.string({ description: 'A part of the name or of the goal, in upper or lower case.' }),
  }),
});

type FilterInput = typeof SwarmFilterInput.$inferInput;

/** In a LIKE pattern these stand for themselves only after a backslash; Prisma adds none. */
function literally(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** The swarms that fit, among those that are in scope. Throws INVALID_INPUT for an empty range. */
export function whereOf(input: FilterInput | null | undefined): Prisma.SwarmWhereInput {
  const { status, label, createdAt, search } = input ?? {};
  const conditions: Prisma.SwarmWhereInput[] = [];
  if (status && status.length > 0) conditions.push({ status: { in: status } });
  if (label) {
    const wanted = { key: storableText(label.key), value: storableText(label.value) };
    conditions.push({ labels: { array_contains: [wanted] } });
  }
  const { from, to } = createdAt ?? {};
  if (from && to && from >= to) throw invalidInput('filter.createdAt: from is not before to, so that nothing can fit.');
  if (from) conditions.push({ createdAt: { gte: from } });
  if (to) conditions.push({ createdAt: { lt: to } });
  if (search) {
    const contains = { contains: literally(storableText(search)), mode: 'insensitive' } as const;
    conditions.push({ OR: [{ name: contains }, { goal: contains }] });
  }
  return { AND: conditions };
}
