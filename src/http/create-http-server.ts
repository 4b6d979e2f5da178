import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { GraphQLSchema } from 'graphql';
import { createYoga } from 'graphql-yoga';
import type { Caller } from '../swarm/engine/caller.ts';
import { graphiqlPage } from './graphiql-page.ts';
import { type HttpLog, masker } from './mask-error.ts';
import { serveWebsocket } from './websocket.ts';

const ENDPOINT = '/graphql';
const MAX_BODY_BYTES = 16 * 1024 * 1024;

export interface HttpParts {
  readonly schema: GraphQLSchema;
  readonly log: HttpLog;
  authenticate(authorization: string | undefined): Promise<Caller | undefined>;
  createContext(caller: Caller, signal: AbortSignal): object;
  readiness(): Promise<{ readonly isReady: boolean; readonly reasons: readonly string[] }>;
}

export interface HttpServer {
  /** Resolves with the GraphQL endpoint. */
  listen(host: string, port: number): Promise<{ readonly url: string }>;
  /** Flushes what was written, then closes streams without `complete`, so that clients come back. */
  close(graceMs: number): Promise<void>;
}

function answerJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(JSON.stringify(body));
}

function refuse(response: ServerResponse, status: number, code: string, message: string, headers = {}): void {
  answerJson(response, status, { errors: [{ message, extensions: { code } }] }, headers);
}

const isJson = (request: IncomingMessage) =>
  /^application\/(graphql\+)?json\b/i.test(request.headers['content-type'] ?? '');
const wantsPage = (request: IncomingMessage) =>
  request.method === 'GET' && /\btext\/html\b/.test(request.headers.accept ?? '');

/** Resolves when the socket has nothing more to send, or is gone. */
async function flushed(socket: Socket, until: number): Promise<void> {
  while (!socket.destroyed && socket.writableLength > 0 && Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** What a request brings along; `signal` fires when its connection is closed. Absent over WebSocket. */
interface ServerContext {
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

function createGraphql({ schema, createContext }: HttpParts, maskError: (error: unknown) => Error) {
  return createYoga<ServerContext>({
    schema,
    graphqlEndpoint: ENDPOINT,
    graphiql: false,
    landingPage: false,
    cors: false,
    batching: false,
    maxRequestBodySize: MAX_BODY_BYTES,
    logging: false,
    maskedErrors: { maskError },
    // Over WebSocket there is no Request, and the context is whole already.
    context: ({ caller, signal, request }) => (request === undefined ? {} : createContext(caller, signal)),
    plugins: [
      {
        onResponse({ response }) {
          if (response.headers.get('content-type')?.startsWith('text/event-stream') === true) {
            response.headers.set('x-accel-buffering', 'no');
          }
        },
      },
    ],
  });
}

/** Flushes to those who read, then closes every connection: streams end without `complete`, so that clients come back. */
async function closeAll(
  server: Server,
  closeWebsocket: () => Promise<void>,
  underWay: ReadonlyMap<ServerResponse, AbortController>,
  until: number,
): Promise<void> {
  const serverClosed = new Promise((resolve) => server.close(resolve));
  await closeWebsocket();
  const open = [...underWay];
  const sockets = open.flatMap(([response]) => (response.socket === null ? [] : [response.socket]));
  await Promise.all(sockets.map((socket) => flushed(socket, until)));
  for (const socket of sockets) socket.destroy();
  for (const [, controller] of open) controller.abort();
  server.closeAllConnections();
  await serverClosed;
}

/** GraphQL over HTTP, SSE and WebSocket on one port; a key is asked for before anything of a request is read. */
export function createHttpServer(parts: HttpParts): HttpServer {
  const maskError = masker(parts.log);
  const yoga = createGraphql(parts, maskError);
  let isClosing = false;
  let closed: Promise<void> | undefined;
  const underWay = new Map<ServerResponse, AbortController>();

  async function serveGraphql(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (wantsPage(request)) {
      const { html, headers } = graphiqlPage(ENDPOINT);
      response.writeHead(200, headers).end(html);
      return;
    }
    const caller = await parts.authenticate(request.headers.authorization);
    if (caller === undefined) {
      const message = 'Send "Authorization: Bearer KEY" with a key that is known, not expired and not revoked.';
      return refuse(response, 401, 'UNAUTHENTICATED', message, { 'www-authenticate': 'Bearer' });
    }
    if (request.method === 'POST' && !isJson(request)) {
      return refuse(response, 415, 'UNSUPPORTED_MEDIA_TYPE', 'Send the request as application/json.');
    }
    if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) {
      return refuse(response, 413, 'PAYLOAD_TOO_LARGE', `A request has at most ${MAX_BODY_BYTES} bytes.`);
    }
    const controller = new AbortController();
    underWay.set(response, controller);
    response.once('close', () => {
      underWay.delete(response);
      controller.abort();
    });
    await yoga.handle(request, response, { caller, signal: controller.signal });
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split('?')[0];
    if (isClosing)
      return refuse(response, 503, 'SHUTTING_DOWN', 'The server is stopping; try again.', { 'retry-after': '2' });
    if (path === ENDPOINT) return serveGraphql(request, response);
    if (path === '/health') return answerJson(response, 200, { status: 'ok' });
    if (path === '/ready') {
      const { isReady, reasons } = await parts.readiness();
      return answerJson(response, isReady ? 200 : 503, { status: isReady ? 'ready' : 'not ready', reasons });
    }
    return refuse(response, 404, 'NOT_FOUND', `There is nothing here; the endpoint is ${ENDPOINT}.`);
  }

  const server = createServer({ headersTimeout: 15_000, requestTimeout: 60_000 }, (request, response) => {
    serve(request, response).catch((error: unknown) => {
      maskError(error);
      if (!response.headersSent) refuse(response, 500, 'INTERNAL_SERVER_ERROR', 'Unexpected error.');
      else response.destroy();
    });
  });
  const { authenticate, createContext } = parts;
  const closeWebsocket = serveWebsocket({ server, path: ENDPOINT, yoga, authenticate, createContext, maskError });

  return {
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          const { port: actual } = server.address() as AddressInfo;
          resolve({ url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}${ENDPOINT}` });
        });
      }),
    close: (graceMs) => {
      isClosing = true;
      closed ??= closeAll(server, closeWebsocket, underWay, Date.now() + graceMs);
      return closed;
    },
  };
}
