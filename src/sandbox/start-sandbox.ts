import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { checkSettings } from './check-settings.ts';
import type { SandboxCounters } from './counters.ts';
import { createListener } from './routes.ts';
import { changeSettings, type SettingsChange } from './settings.ts';
import { SandboxState } from './state.ts';

export interface SandboxOptions extends SettingsChange {
  /** 0 or absent: any free one. */
  readonly port?: number | undefined;
  readonly host?: string | undefined;
}

/** A running sandbox gateway. */
export interface Sandbox {
  /** The base URL for a client: `http://127.0.0.1:PORT/v1`. */
  readonly url: string;
  counters(): SandboxCounters;
  /** Counters, the counts of rules and directives, and the minute of the limits begin anew. */
  resetCounters(): void;
  /**
   * Replaces the settings that are given; `undefined` gives a setting its default back. Requests under way go on as they
   * began. Throws SandboxOptionsError.
   */
  configure(change: SettingsChange): void;
  /** Ends every connection, answered or not. Leaves no socket and no timer. */
  close(): Promise<void>;
}

const BACKLOG = 4_096;

function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.off('error', reject);
      // A server that listens on host and port has an AddressInfo.
      resolve(server.address() as AddressInfo);
    });
  });
}

function urlOf({ address, port, family }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}/v1`;
}

/** Starts an OpenAI-compatible gateway that answers by itself. Throws SandboxOptionsError, or why it cannot listen. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, host = '127.0.0.1', ...change } = options;
  checkSettings(change);
  const state = new SandboxState();
  state.change(changeSettings(state.settings, change));
  const sockets = new Set<Socket>();
  // Time-outs off: a client's pool keeps idle connections for longer than Node's 5 seconds.
  const server = createServer(
    { keepAliveTimeout: 0, requestTimeout: 0, noDelay: true },
    createListener(state, sockets),
  );
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const url = urlOf(await listen(server, port, host));

  function shutDown(): Promise<void> {
    return new Promise((resolve) => {
      server.close(() => resolve());
      for (const exchange of state.exchanges) exchange.abandon();
      for (const socket of sockets) socket.destroy();
    });
  }

  let closing: Promise<void> | undefined;
  return {
    url,
    counters: () => state.counters.snapshot(sockets.size),
    resetCounters: () => state.reset(),
    configure: (next) => {
      checkSettings(next);
      state.change(changeSettings(state.settings, next));
    },
    close: () => {
      closing ??= shutDown();
      return closing;
    },
  };
}
