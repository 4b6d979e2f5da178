import { readFile } from 'node:fs/promises';
import { ask, CommandError, type Endpoint } from './api.ts';

interface Launched {
  readonly __typename: string;
  readonly message?: string;
  readonly issues?: readonly { readonly path: readonly string[]; readonly message: string }[];
  readonly swarm?: { readonly id: string };
  readonly isReplay?: boolean;
}

const LAUNCH = `mutation ($input: LaunchSwarmInput!) {
  launchSwarm(input: $input) {
    __typename
    ... on LaunchSwarmSuccess { isReplay swarm { id } }
    ... on InvalidInputError { issues { path message } }
    ... on IdempotencyConflictError { swarm { id } }
    ... on Error { message }
  }
}`;

/** Launches and returns the swarm's id. Throws CommandError (exit 2) with a line for each problem. */
export async function launchSwarm(endpoint: Endpoint, input: object): Promise<string> {
  const { launchSwarm: launched } = await ask<{ launchSwarm: Launched }>(endpoint, LAUNCH, { input });
  return idOf(launched);
}

function idOf(launched: Launched): string {
  if (launched.__typename === 'LaunchSwarmSuccess' && launched.swarm !== undefined) return launched.swarm.id;
  const issues = (launched.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new CommandError([launched.message ?? launched.__typename, ...issues].join('\n'), 2);
}

/** A document with one `launchSwarm` that asks for __typename and the swarm's id. */
async function launchDocument(endpoint: Endpoint, document: string, variables: object): Promise<string> {
  const data = await ask<{ launchSwarm?: Launched }>(endpoint, document, variables);
  if (data.launchSwarm?.__typename === undefined) {
    throw new CommandError('The document needs a launchSwarm that asks for __typename and for swarm { id }.', 2);
  }
  return idOf(data.launchSwarm);
}

export interface LaunchFileOptions {
  /** A JSON file with the document's variables. */
  readonly variables?: string;
  readonly name?: string;
  readonly concurrency?: number;
  readonly budget?: string;
  readonly idempotencyKey?: string;
}

async function readJson(file: string): Promise<object> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new CommandError(`${file} cannot be read as JSON: ${(error as Error).message}`, 2);
  }
}

/** Launches what a file says: a LaunchSwarmInput in JSON, or a GraphQL document. Returns the swarm's id. */
export async function launchFile(endpoint: Endpoint, file: string, options: LaunchFileOptions): Promise<string> {
  const { variables, name, concurrency, budget: budgetUsd, idempotencyKey } = options;
  const changes = Object.entries({ name, concurrency, budgetUsd, idempotencyKey }).filter(
    ([, value]) => value !== undefined,
  );
  if (file.endsWith('.graphql')) {
    if (changes.length > 0)
      throw new CommandError(`Write ${changes[0]?.[0]} into the document; the option is for JSON files.`, 2);
    const document = await readFile(file, 'utf8').catch(() => {
      throw new CommandError(`${file} cannot be read.`, 2);
    });
    return launchDocument(endpoint, document, variables === undefined ? {} : await readJson(variables));
  }
  if (variables !== undefined) throw new CommandError('--variables is for .graphql files.', 2);
  const content = await readJson(file);
  const input = 'input' in content ? (content.input as object) : content;
  return launchSwarm(endpoint, { ...input, ...Object.fromEntries(changes) });
}
