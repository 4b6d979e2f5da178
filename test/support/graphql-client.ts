import { createClient as createSseClient } from 'graphql-sse';
import { createClient as createWsClient } from 'graphql-ws';
import { WebSocket } from 'ws';

export interface Endpoint {
  readonly url: string;
  readonly key: string;
}

export interface GraphqlResult {
  // biome-ignore lint/suspicious/noExplicitAny: the tests know what they asked for.
  readonly data?: any;
  readonly errors?: readonly { message: string; extensions?: Record<string, unknown> }[];
}

/** One query or mutation over HTTP. */
export async function ask({ url, key }: Endpoint, query: string, variables: object = {}): Promise<GraphqlResult> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as GraphqlResult;
}

export type Subscribe = (
  endpoint: Endpoint,
  query: string,
  variables: Record<string, unknown>,
) => AsyncGenerator<GraphqlResult>;

/** One subscription on a connection of its own; cut by `return()`. Does not retry by itself. */
export const subscribeBySse: Subscribe = async function* ({ url, key }, query, variables) {
  const client = createSseClient({ url, headers: { authorization: `Bearer ${key}` }, retryAttempts: 0 });
  try {
    yield* client.iterate({ query, variables }) as AsyncGenerator<GraphqlResult>;
  } finally {
    client.dispose();
  }
};

export const subscribeByWs: Subscribe = async function* ({ url, key }, query, variables) {
  const client = createWsClient({
    url: url.replace(/^http/, 'ws'),
    connectionParams: { authorization: `Bearer ${key}` },
    webSocketImpl: WebSocket,
    retryAttempts: 0,
  });
  try {
    yield* client.iterate({ query, variables }) as AsyncGenerator<GraphqlResult>;
  } finally {
    await client.dispose();
  }
};

export const LAUNCH = /* GraphQL */ `
  mutation Launch($input: LaunchSwarmInput!) {
    launchSwarm(input: $input) {
      __typename
      ... on LaunchSwarmSuccess { isReplay swarm { id status latestEventCursor } }
      ... on InvalidInputError { issues { path code message } }
      ... on IdempotencyConflictError { swarm { id } }
      ... on Error { code message }
    }
  }
`;

export const WATCH = /* GraphQL */ `
  subscription Watch($id: ID!, $after: EventCursor) {
    swarmEvents(swarmId: $id, after: $after, minIntervalMs: 0) {
      cursor status costUsd
      progress { total queued running waiting succeeded failed canceled skipped }
      events { sequence cursor ... on AgentStatusChanged { agentKey agentStatus } ... on SwarmStatusChanged { swarmStatus } }
    }
  }
`;

/** Launches over HTTP and returns the swarm's id. */
export async function launchOver(endpoint: Endpoint, input: object): Promise<string> {
  const { data, errors } = await ask(endpoint, LAUNCH, { input });
  if (data?.launchSwarm?.__typename !== 'LaunchSwarmSuccess') throw new Error(JSON.stringify(errors ?? data));
  return data.launchSwarm.swarm.id;
}

/** Polls until the swarm has ended. */
export async function endOf(endpoint: Endpoint, id: string): Promise<string> {
  for (;;) {
    const { data } = await ask(endpoint, 'query ($id: ID!) { swarm(id: $id) { status } }', { id });
    const status = data?.swarm?.status;
    if (['SUCCEEDED', 'PARTIAL', 'FAILED', 'CANCELED'].includes(status)) return status;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
