import type { Server } from 'node:http';
import { type ExecutionArgs, GraphQLError } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import type { YogaServerInstance } from 'graphql-yoga';
import { WebSocketServer } from 'ws';
import type { Caller } from '../swarm/engine/caller.ts';

const MAX_PAYLOAD = 256 * 1024;
const INIT_WAIT_MS = 3_000;

export interface WebsocketParts {
  readonly server: Server;
  readonly path: string;
  // biome-ignore lint/suspicious/noExplicitAny: Yoga's context types do not matter here.
  readonly yoga: YogaServerInstance<any, any>;
  authenticate(authorization: string | undefined): Promise<Caller | undefined>;
  createContext(caller: Caller, signal: AbortSignal): object;
  maskError(error: unknown): GraphQLError;
}

/** Field names of `connectionParams` are compared without regard to case, as those of headers are. */
function authorizationOf(params: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const found = Object.entries(params ?? {}).find(([name]) => name.toLowerCase() === 'authorization')?.[1];
  return typeof found === 'string' ? found : undefined;
}

/** graphql-ws on the same port and path. Returns what closes it: clients are told to come back (1001). */
export function serveWebsocket(parts: WebsocketParts): () => Promise<void> {
  const sockets = new WebSocketServer({ server: parts.server, path: parts.path, maxPayload: MAX_PAYLOAD });
  const callers = new WeakMap<object, Caller>();
  const signals = new Map<string, AbortController>();
  const abort = (key: string) => {
    signals.get(key)?.abort();
    signals.delete(key);
  };
  const keyOf = (socket: object, id: string) => `${idOf(socket)} ${id}`;
  const ids = new WeakMap<object, number>();
  let next = 0;
  const idOf = (socket: object) => {
    const known = ids.get(socket);
    if (known !== undefined) return known;
    next += 1;
    ids.set(socket, next);
    return next;
  };
  const disposable = useServer(
    {
      connectionInitWaitTimeout: INIT_WAIT_MS,
      onConnect: async (ctx) => {
        const caller = await parts.authenticate(authorizationOf(ctx.connectionParams));
        if (caller === undefined) return false;
        callers.set(ctx.extra.socket, caller);
        return true;
      },
      onSubscribe: async (ctx, id, payload) => {
        const caller = callers.get(ctx.extra.socket);
        if (caller === undefined)
          return [new GraphQLError('Unauthenticated.', { extensions: { code: 'UNAUTHENTICATED' } })];
        const controller = new AbortController();
        signals.set(keyOf(ctx.extra.socket, id), controller);
        const { schema, parse, validate, contextFactory, execute, subscribe } = parts.yoga.getEnveloped({
          ...parts.createContext(caller, controller.signal),
          req: ctx.extra.request,
          params: payload,
        });
        const args = {
          schema,
          operationName: payload.operationName,
          document: parse(payload.query),
          variableValues: payload.variables,
          contextValue: await contextFactory(),
          rootValue: { execute, subscribe },
        };
        const errors = validate(args.schema, args.document);
        return errors.length > 0 ? errors : args;
      },
      execute: (args) => (args.rootValue as { execute(args: ExecutionArgs): never }).execute(args),
      subscribe: (args) => (args.rootValue as { subscribe(args: ExecutionArgs): never }).subscribe(args),
      onNext: (_ctx, _id, _payload, _args, result) =>
        result.errors === undefined
          ? undefined
          : { data: result.data ?? null, errors: result.errors.map((error) => parts.maskError(error).toJSON()) },
      onError: (_ctx, _id, _payload, errors) => errors.map((error) => parts.maskError(error).toJSON()),
      onComplete: (ctx, id) => abort(keyOf(ctx.extra.socket, id)),
      onClose: (ctx) => {
        for (const id of Object.keys(ctx.subscriptions)) abort(keyOf(ctx.extra.socket, id));
      },
    },
    sockets,
  );
  return async () => {
    await disposable.dispose();
    for (const key of [...signals.keys()]) abort(key);
  };
}
