import { request } from 'undici';

/** Where the API is, and the key for it. */
export interface Endpoint {
  readonly url: string;
  readonly key: string;
}

/** Something that the user can cure: its message is shown as it is. `exitCode` ends the program. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

interface Answer<T> {
  readonly data?: T;
  readonly errors?: readonly { readonly message: string }[];
}

type Received = Awaited<ReturnType<typeof request>>;

async function send({ url, key }: Endpoint, body: object, accept: string, signal?: AbortSignal): Promise<Received> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept };
  try {
    const options = {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      bodyTimeout: 0,
      headersTimeout: 60_000,
    } as const;
    return await request(url, signal === undefined ? options : { ...options, signal });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new CommandError(`No server answers at ${url}. Start one with npm start, or name another with --url.`);
  }
}

function textOf(errors: Answer<never>['errors'], status: number): string {
  return (errors ?? []).map((error) => error.message).join('\n') || `The server answered HTTP ${status}.`;
}

/** One query or mutation. Throws CommandError with what the server says. */
export async function ask<T>(endpoint: Endpoint, query: string, variables: object = {}): Promise<T> {
  const response = await send(endpoint, { query, variables }, 'application/json');
  const { data, errors } = (await response.body.json()) as Answer<T>;
  if (errors !== undefined || data === undefined) {
    // 2: the request itself is not right.
    throw new CommandError(textOf(errors, response.statusCode), response.statusCode === 400 ? 2 : 1);
  }
  return data;
}

/** Opens a subscription. The body is an event stream (GraphQL over SSE, distinct connections). */
export async function openStream(
  endpoint: Endpoint,
  query: string,
  variables: object,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const { statusCode, body } = await send(endpoint, { query, variables }, 'text/event-stream', signal);
  if (statusCode === 200) return body;
  const { errors } = (await body.json()) as Answer<never>;
  throw new CommandError(textOf(errors, statusCode));
}
