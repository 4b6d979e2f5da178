import type { Prisma } from './database.ts';

/** What an agent's route is decided by. */
export interface RoutableRow {
  readonly swarmId: string;
  readonly index: number;
  readonly taskType: string | null;
  readonly role: string | null;
  /** The agent's own, else its swarm's default. */
  readonly model: string | null;
  /** Empty when it was not asked for. */
  readonly prompt: string;
}

/** The agents at these places, in no order. Prompts are long: only a rule that looks at their length needs them. */
export async function readRoutables(
  prisma: Prisma,
  places: readonly { readonly swarmId: string; readonly index: number }[],
  withPrompts: boolean,
): Promise<RoutableRow[]> {
  return prisma.$queryRaw<RoutableRow[]>`
    SELECT a."swarmId", a.index, a."taskType", a.role, COALESCE(a.model, s.defaults ->> 'model') AS model,
           CASE WHEN ${withPrompts} THEN a.prompt ELSE '' END AS prompt
    FROM jsonb_to_recordset(${JSON.stringify(places)}::jsonb) AS v("swarmId" text, index int)
    JOIN "Agent" a ON a."swarmId" = v."swarmId" AND a.index = v.index
    JOIN "Swarm" s ON s.id = a."swarmId"`;
}
