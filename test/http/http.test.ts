import { type AddressInfo, connect, type Socket } from 'node:net';
import { buildSchema, GraphQLError, type GraphQLSchema } from 'graphql';
import { serverAudits } from 'graphql-http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createHttpServer, type HttpServer } from '../../src/http/create-http-server.ts';
import { ask, type Endpoint, subscribeBySse, subscribeByWs } from '../support/graphql-client.ts';
import { MemoryLog, until } from '../support/waggle.ts';

const KEY = 'wgl_test-key-that-is-long-enough-000000';
const SECRET = 'marked-secret-4711';

/** Streams that are open, and how often they were asked for more. */
const streams = { open: 0, pulls: 0 };

function counting(
  limit: number,
  make: (index: number) => unknown,
  signal: AbortSignal,
): AsyncIterableIterator<unknown> {
  let index = 0;
  let isOpen = true;
  streams.open += 1;
  const end = () => {
    if (isOpen) streams.open -= 1;
    isOpen = false;
  };
  signal.addEventListener('abort', end, { once: true });
  const done = { done: true as const, value: undefined };
  return {
    next: async () => {
      streams.pulls += 1;
      // What it has given, it waits like a swarm that has no news.
      if (index >= limit)
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      if (!isOpen || index >= limit) return done;
      index += 1;
      return { done: false, value: make(index) };
    },
    return: async () => {
      end();
      return done;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

function aSchema(): GraphQLSchema {
  const schema = buildSchema(`
    type Query { hello: String bug: String deliberate: String }
    type Mutation { change: String }
    type Subscription { ticks(limit: Int!): String broken: String refused: String }
  `);
  const query = schema.getQueryType()?.getFields();
  const subscription = schema.getSubscriptionType()?.getFields();
  const set = (field: object | undefined, functions: object) => Object.assign(field ?? {}, functions);
  set(query?.['hello'], { resolve: () => 'world' });
  set(query?.['bug'], {
    resolve: () => {
      throw new Error(SECRET);
    },
  });
  set(query?.['deliberate'], {
    resolve: () => {
      throw new GraphQLError('No.', { extensions: { code: 'NO' } });
    },
  });
  set(subscription?.['ticks'], {
    subscribe: (_: unknown, { limit }: { limit: number }, { signal }: { signal: AbortSignal }) =>
      counting(limit, (index) => `${index}:${'x'.repeat(4_096)}`, signal),
    resolve: (value: unknown) => value,
  });
  set(subscription?.['broken'], {
    subscribe: async function* () {
      yield 'first';
      throw new Error(SECRET);
    },
    resolve: (value: unknown) => value,
  });
  set(subscription?.['refused'], {
    subscribe: () => {
      throw new GraphQLError('No.', { extensions: { code: 'NO' } });
    },
  });
  return schema;
}

let server: HttpServer;
let endpoint: Endpoint;
let log: MemoryLog;

beforeEach(async () => {
  Object.assign(streams, { open: 0, pulls: 0 });
  log = new MemoryLog();
  server = createHttpServer({
    schema: aSchema(),
    log,
    authenticate: async (authorization) =>
      authorization === `Bearer ${KEY}` ? { apiKeyId: 'key_1', tenantId: null, role: 'ADMIN' } : undefined,
    createContext: (caller, signal) => ({ caller, signal }),
    readiness: async () => ({ isReady: false, reasons: ['The database does not answer.'] }),
  });
  endpoint = { url: (await server.listen('127.0.0.1', 0)).url, key: KEY };
});

afterEach(() => server.close(0));

const post = (body: string, headers: Record<string, string> = {}) =>
  fetch(endpoint.url, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
  });

describe('the server', () => {
  it('passes the graphql-http audits', async () => {
    const fetchFn = (input: string, init: RequestInit = {}) =>
      fetch(input, {
        ...init,
        headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${KEY}` },
      });
    const audits = serverAudits({ url: endpoint.url, fetchFn });

    const results = await Promise.all(audits.map((audit) => audit.fn()));

    expect(results).toHaveLength(61);
    expect(results.filter((result) => result.status !== 'ok').map((result) => result.name)).toEqual([]);
  });

  it('tells an unknown key from a known one before it reads anything', async () => {
    const answers = await Promise.all([
      post('{', { authorization: '' }),
      post('{"query":"{ hello }"}', { authorization: 'Bearer wgl_other' }),
      post('{"query":"{ hello }"}'),
    ]);

    expect(answers.map((answer) => answer.status)).toEqual([401, 401, 200]);
    expect(answers[0]?.headers.get('www-authenticate')).toBe('Bearer');
    expect(await answers[0]?.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
  });

  it('refuses what is no JSON, and a body that is too large', async () => {
    const form = await post('query=mutation{change}', { 'content-type': 'application/x-www-form-urlencoded' });
    const text = await post('{"query":"{ hello }"}', { 'content-type': 'text/plain' });
    const large = await post(JSON.stringify({ query: '{ hello }', variables: { x: 'x'.repeat(17 * 1024 * 1024) } }));

    expect([form.status, text.status, large.status]).toEqual([415, 415, 413]);
  });

  it('answers health and readiness without a key, and nothing else', async () => {
    const base = endpoint.url.replace('/graphql', '');
    const [health, ready, other] = await Promise.all(['/health', '/ready', '/other'].map((path) => fetch(base + path)));

    expect([health?.status, ready?.status, other?.status]).toEqual([200, 503, 404]);
    expect(await ready?.json()).toMatchObject({ reasons: ['The database does not answer.'] });
  });

  it('serves GraphiQL whole, with a policy that lets nothing come from elsewhere', async () => {
    const page = await fetch(endpoint.url, { headers: { accept: 'text/html' } });

    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(page.headers.get('access-control-allow-origin')).toBeNull();
    expect(await page.text()).not.toMatch(/<(script|link|img)[^>]+(src|href)="https?:/);
  });

  it('masks a bug on every transport, and logs it under the number it gives', async () => {
    const http = await ask(endpoint, '{ bug }');
    const wrongWs = await subscribeByWs(endpoint, '{ bug }', {}).next();
    const results: unknown[] = [http, wrongWs.value];
    for (const subscribe of [subscribeBySse, subscribeByWs]) {
      try {
        for await (const result of subscribe(endpoint, 'subscription { broken }', {})) results.push(result);
      } catch (error) {
        results.push(error);
      }
    }

    const said = JSON.stringify(results);
    expect(said).not.toContain(SECRET);
    expect(said).not.toContain('unexpected');
    expect(http.errors?.[0]?.extensions).toMatchObject({ code: 'INTERNAL_SERVER_ERROR' });
    const logged = log.lines.map((line) => line.fields as { requestId?: string; err?: Error });
    expect(logged.some((line) => line.requestId === http.errors?.[0]?.extensions?.['requestId'])).toBe(true);
    expect(logged.every((line) => line.err?.message.includes(SECRET))).toBe(true);
  });

  it('passes a deliberate error, also out of a subscription', async () => {
    const sse = await subscribeBySse(endpoint, 'subscription { refused }', {}).next();
    const ws = await subscribeByWs(endpoint, 'subscription { refused }', {})
      .next()
      .catch((errors) => ({ value: { errors } }));

    expect((await ask(endpoint, '{ deliberate }')).errors).toMatchObject([
      { message: 'No.', extensions: { code: 'NO' } },
    ]);
    expect(sse.value.errors).toMatchObject([{ message: 'No.', extensions: { code: 'NO' } }]);
    expect(ws.value.errors).toMatchObject([{ message: 'No.', extensions: { code: 'NO' } }]);
  });

  it('closes a WebSocket without a good key', async () => {
    const stream = subscribeByWs({ ...endpoint, key: 'wgl_other' }, 'subscription { ticks(limit: 1) }', {});

    await expect(stream.next()).rejects.toMatchObject({ code: 4403 });
  });

  it('leaves nothing open after 200 cut subscriptions', async () => {
    const cut = async (index: number) => {
      const subscribe = index % 2 === 0 ? subscribeBySse : subscribeByWs;
      for await (const _ of subscribe(endpoint, 'subscription ($limit: Int!) { ticks(limit: $limit) }', { limit: 3 }))
        break;
    };
    for (let round = 0; round < 10; round += 1) await Promise.all(Array.from({ length: 20 }, (_, index) => cut(index)));

    await until(() => streams.open === 0);
    expect(streams.pulls).toBeGreaterThanOrEqual(200);
  });
});

/** An SSE client that sends its request and reads nothing. */
function aClientThatNeverReads(query: string): Promise<Socket> {
  const { hostname, port } = new URL(endpoint.url);
  const body = JSON.stringify({ query });
  const head = `POST /graphql HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${KEY}\r\ncontent-type: application/json\r\naccept: text/event-stream\r\ncontent-length: ${body.length}\r\n\r\n`;
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) } satisfies Partial<AddressInfo> & { host: string });
    socket.pause();
    socket.on('error', () => undefined);
    socket.write(head + body, () => resolve(socket));
  });
}

describe('a client that never reads', () => {
  it('stops the source after a bounded number of events', async () => {
    const socket = await aClientThatNeverReads('subscription { ticks(limit: 1000000) }');
    let before = -1;
    await until(async () => {
      const isStill = streams.pulls > 0 && streams.pulls === before;
      before = streams.pulls;
      await new Promise((resolve) => setTimeout(resolve, 100));
      return isStill;
    });

    expect(streams.pulls).toBeLessThan(20_000);
    socket.destroy();
    await until(() => streams.open === 0);
  });

  it('does not hold up the stop, and streams end without complete', async () => {
    const socket = await aClientThatNeverReads('subscription { ticks(limit: 1000000) }');
    const raw = await fetch(endpoint.url, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query: 'subscription { ticks(limit: 2) }' }),
    });
    const reader = raw.body?.getReader();
    let text = '';
    const decoder = new TextDecoder();
    while ((text.match(/event: next/g) ?? []).length < 2) text += decoder.decode((await reader?.read())?.value);
    const ws = new WebSocket(endpoint.url.replace('http', 'ws'), 'graphql-transport-ws');
    const closed = new Promise<number>((resolve) => ws.once('close', resolve));
    await new Promise((resolve) => ws.once('open', resolve));

    await server.close(200);

    const rest = await reader?.read().catch(() => undefined);
    expect(text + decoder.decode(rest?.value)).not.toContain('event: complete');
    expect(await closed).toBe(1001);
    expect(streams.open).toBe(0);
    socket.destroy();
  });
});
