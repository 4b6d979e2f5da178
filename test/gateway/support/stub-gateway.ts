import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import type { Completion, CompletionRequest } from '../../../src/swarm/domain/completion.ts';
import { createGateway, type Gateway, type GatewayConfig } from '../../../src/swarm/gateway/gateway.ts';

/** A server that stands for a gateway in one test. */
export interface Stub {
  /** With `/v1`. */
  readonly url: string;
  readonly host: string;
  /** Of all connections that were ever opened. */
  readonly sockets: readonly Socket[];
  openSockets(): number;
  close(): Promise<void>;
}

const stubs: Stub[] = [];
const gateways: Gateway[] = [];

async function listen(server: Server): Promise<Stub> {
  const sockets: Socket[] = [];
  server.on('connection', (socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.setNoDelay(true);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stub: Stub = {
    url: `http://${host}/v1`,
    host,
    sockets,
    openSockets: () => sockets.filter((socket) => !socket.destroyed).length,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  stubs.push(stub);
  return stub;
}

export interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Of the request. */
  readonly body: Record<string, unknown>;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const bytes of request) text += bytes;
  return text;
}

/** An HTTP server; `answer` is called when a request has arrived whole. */
export function stubGateway(answer: (asked: Asked) => void): Promise<Stub> {
  const server = createServer((request, response) => {
    bodyOf(request).then(
      (text) => answer({ request, response, body: JSON.parse(text) }),
      // The client has gone before its request had arrived.
      () => undefined,
    );
  });
  return listen(server);
}

/** A TCP server that speaks for itself. */
export function stubSocket(onSocket: (socket: Socket) => void): Promise<Stub> {
  return listen(createTcpServer(onSocket));
}

export const KEY = 'sk-test-0123456789abcdefWXYZ';

export function aGateway(stub: Pick<Stub, 'url'>, config: Partial<GatewayConfig> = {}): Gateway {
  const gateway = createGateway({ name: 'stub', baseUrl: stub.url, apiKey: KEY, userAgent: 'waggle/test', ...config });
  gateways.push(gateway);
  return gateway;
}

/** Call it after each test. */
export async function closeAll(): Promise<void> {
  await Promise.all(gateways.splice(0).map((gateway) => gateway.close()));
  await Promise.all(stubs.splice(0).map((stub) => stub.close()));
}

export function aRequest(changes: Partial<CompletionRequest> = {}): CompletionRequest {
  return {
    swarmId: 'swarm_1',
    agentId: 'swarm_1_7',
    attemptId: 'swarm_1_7_1',
    model: 'some/model',
    systemPrompt: undefined,
    prompt: 'Say something.',
    temperature: 0.5,
    maxTokens: 100,
    timeoutMs: 60_000,
    ...changes,
  };
}

export interface Heard {
  readonly completion: Completion;
  readonly pieces: readonly string[];
}

export async function ask(
  gateway: Gateway,
  changes: Partial<CompletionRequest> = {},
  signal = new AbortController().signal,
): Promise<Heard> {
  const pieces: string[] = [];
  const completion = await gateway.complete(aRequest(changes), (piece) => pieces.push(piece), signal);
  return { completion, pieces };
}

/** The fault of a completion that must have one. */
export function faultOf(completion: Completion) {
  if (completion.kind !== 'faulted') throw new Error(`It is ${completion.kind}, with the text "${completion.text}".`);
  return completion.fault;
}
