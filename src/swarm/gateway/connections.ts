import { Socket } from 'node:net';
import { buildConnector, Client, type Dispatcher, Pool } from 'undici';
import { createSharedLookup } from './shared-lookup.ts';

const KEEP_ALIVE_MS = 30_000;
/** How long one address of a host is tried before the next one. Node's 250 ms are over when 300 connect at once. */
const NEXT_ADDRESS_MS = 1_000;

/** Any error without one of undici's codes: undici then takes the request for failed and does not send it again. */
const BROKEN_OFF = new Error('Waggle has broken the connection off.');

/** Opens the sockets of one connection, one after the other, and knows the newest from its first moment on. */
class Dialer {
  readonly #connect: buildConnector.connector;
  readonly #sockets: Set<Socket>;
  #socket: Socket | undefined;

  constructor(connect: buildConnector.connector, sockets: Set<Socket>) {
    this.#connect = connect;
    this.#sockets = sockets;
  }

  readonly open: buildConnector.connector = (options, callback) => {
    // undici's connectors return the socket that they are opening, which its types do not tell.
    const socket: unknown = this.#connect(options, callback);
    if (!(socket instanceof Socket)) throw new Error('undici no longer returns the socket that it opens.');
    this.#socket = socket;
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  };

  get socket(): Socket | undefined {
    return this.#socket;
  }
}

/** A connection to the gateway. It carries one request at a time, and is opened again when it was closed. */
export class Connection extends Client {
  readonly #dialer: Dialer;
  readonly #onUse: (connection: Connection) => void;

  constructor(origin: URL, options: Client.Options, dialer: Dialer, onUse: (connection: Connection) => void) {
    super(origin, { ...options, connect: dialer.open });
    this.#dialer = dialer;
    this.#onUse = onUse;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    this.#onUse(this);
    return super.dispatch(options, handler);
  }

  /** All that was written has left this process. */
  get isFlushed(): boolean {
    return this.#dialer.socket?.writableLength === 0;
  }

  /**
   * Closes the socket at once, also while it is connecting. undici's own abort cannot do that; and after it closed a
   * socket it opens another one, only to find that there is nothing to send.
   */
  breakOff(): void {
    this.#dialer.socket?.destroy(BROKEN_OFF);
  }
}

/** All connections to one gateway: as many as there are requests in flight. Their number is limited elsewhere. */
export class Connections {
  readonly #pool: Pool;
  readonly #sockets = new Set<Socket>();
  #used: Connection | undefined;

  constructor(origin: string) {
    const connect = buildConnector({
      // 0: our own limit is in force, without a timer a connection.
      timeout: 0,
      allowH2: false,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
      lookup: createSharedLookup(),
    });
    const onUse = (connection: Connection) => {
      this.#used = connection;
    };
    this.#pool = new Pool(origin, {
      connections: null,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: 0,
      bodyTimeout: 0,
      factory: (url, options) => new Connection(url, options, new Dialer(connect, this.#sockets), onUse),
    });
  }

  /** Sends a request, and tells on which connection. Undefined: it was refused, which the handler has been told. */
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): Connection | undefined {
    this.#used = undefined;
    this.#pool.dispatch(options, handler);
    return this.#used;
  }

  /** Closes all sockets, whatever they carry, and resolves when they are closed. */
  async close(): Promise<void> {
    await this.#pool.destroy();
    const closed = [...this.#sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(closed);
  }
}
