import type { GraphQLSchema } from 'graphql';
import './agents.ts';
import './big-int.ts';
import './change-swarm.ts';
import './date-time.ts';
import './event-cursor.ts';
import './events.ts';
import './json.ts';
import './launch-swarm.ts';
import './node.ts';
import './swarm-breakdown.ts';
import './swarm-events.ts';
import './swarm-output.ts';
import './swarms.ts';
import './usd.ts';
import './viewer.ts';
import { builder } from './builder.ts';

export { createContext, type SchemaContext } from './context.ts';

/** Types in alphabetical order, so that the printed schema changes only where the API does. */
export function buildSchema(): GraphQLSchema {
  return builder.toSchema();
}

export const schema = buildSchema();
