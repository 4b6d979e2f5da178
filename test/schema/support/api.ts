import { type ExecutionResult, execute, type GraphQLError, parse, subscribe, validate } from 'graphql';
import { expect } from 'vitest';
import { createContext, schema } from '../../../src/schema/index.ts';
import type { Caller } from '../../../src/swarm/engine/caller.ts';
import type { Engine } from '../../../src/swarm/engine/engine.ts';
import type { Prisma } from '../../../src/swarm/store/database.ts';
import { PrismaClient } from '../../../src/swarm/store/generated/client.ts';
import { readCatalog } from '../../../src/swarm/store/read-catalog.ts';
import type { TestDatabase } from '../../support/databases.ts';

/** An engine that knows the catalog, and else what a test says. Whatever it was not told about, it refuses. */
export function anEngine(prisma: Prisma, words: Partial<Engine> = {}): Engine {
  const refuse = () => {
    throw new Error('This test has no engine for that.');
  };
  return {
    launch: refuse,
    cancelSwarm: refuse,
    pauseSwarm: refuse,
    resumeSwarm: refuse,
    follow: refuse,
    followOutput: refuse,
    liveText: () => undefined,
    catalog: () => readCatalog(prisma, new Date()),
    ...words,
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the tests know what they asked for.
type Data = any;

export interface Api {
  readonly prisma: Prisma;
  /** The data of a query that has no errors. */
  ask(query: string, variables?: object, caller?: Caller): Promise<Data>;
  /** The first error of a query, at whichever stage it comes. */
  refusal(query: string, variables?: object, caller?: Caller): Promise<GraphQLError>;
  /** The batches of a subscription, or the refusal to subscribe. */
  follow(query: string, variables?: object, caller?: Caller): Promise<AsyncGenerator<ExecutionResult> | GraphQLError>;
  /** How many statements the database was sent meanwhile. */
  statementsOf(work: () => Promise<unknown>): Promise<string[]>;
  close(): Promise<void>;
}

/** The schema on a database of its own; `caller` asks, unless a call says otherwise. */
export async function anApi(test: TestDatabase, caller: Caller, words: Partial<Engine> = {}): Promise<Api> {
  const { adapter } = test.database;
  const prisma = new PrismaClient({ adapter, log: [{ emit: 'event', level: 'query' }] });
  let statements: string[] = [];
  prisma.$on('query', ({ query }) => statements.push(query));
  const engine = anEngine(prisma, words);
  const signal = new AbortController().signal;
  const operation = (query: string, variables: object, by: Caller) => ({
    schema,
    document: parse(query),
    variableValues: { ...variables },
    contextValue: createContext({ caller: by, engine, prisma, signal }),
  });
  const run = async (query: string, variables: object = {}, by: Caller = caller): Promise<ExecutionResult> => {
    const args = operation(query, variables, by);
    const errors = validate(schema, args.document);
    return errors.length > 0 ? { errors } : execute(args);
  };
  return {
    prisma,
    async ask(query, variables, by) {
      const { data, errors } = await run(query, variables, by);
      expect(errors).toBeUndefined();
      return data;
    },
    async refusal(query, variables, by) {
      const { errors } = await run(query, variables, by);
      if (errors?.[0] === undefined) throw new Error('There is no error.');
      return errors[0];
    },
    async follow(query, variables = {}, by = caller) {
      const args = operation(query, variables, by);
      const errors = validate(schema, args.document);
      if (errors[0] !== undefined) return errors[0];
      const result = await subscribe(args);
      if (Symbol.asyncIterator in result) return result as AsyncGenerator<ExecutionResult>;
      if (result.errors?.[0] === undefined) throw new Error('Neither batches nor an error.');
      return result.errors[0];
    },
    async statementsOf(work) {
      statements = [];
      await work();
      return statements;
    },
    close: () => (test.url === undefined ? Promise.resolve() : prisma.$disconnect()),
  };
}
