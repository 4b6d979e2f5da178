import type { Completion, CompletionRequest } from '../domain/completion.ts';
import { chatBody, requestHeaders, secretsOf, sharedHeaders } from './chat-request.ts';
import { Connections } from './connections.ts';
import { Exchange, type ExchangeTools } from './exchange.ts';
import { InFlight } from './in-flight.ts';
import { createCleaner } from './redact.ts';
import { DEFAULT_LIMITS, type TimeLimits } from './time-limits.ts';

/** A client of one OpenAI-compatible gateway. */
export interface Gateway {
  readonly name: string;
  /** Without secrets, for display. */
  readonly baseUrl: string;
  /**
   * Sends one request, once, and reads the answer to its end. Every failure that can be expected is a value; only a bug
   * rejects. `onText` gets the text piece by piece as it comes; the pieces of an answer join to its text. An abort by
   * `signal`, or by `close`, closes the connection at once and gives what has come so far.
   */
  complete(request: CompletionRequest, onText: (piece: string) => void, signal: AbortSignal): Promise<Completion>;
  /** Aborts what is in flight, and resolves when no socket is left. What is asked later is aborted without a request. */
  close(): Promise<void>;
}

export interface GatewayConfig {
  readonly name: string;
  /** Up to, and without, `/chat/completions`. */
  readonly baseUrl: string;
  /** Undefined: no Authorization header. */
  readonly apiKey: string | undefined;
  /** `waggle/<version>` */
  readonly userAgent?: string | undefined;
  /** False, for a gateway that cannot stream: the text comes in one piece. Usage and cost are the same. */
  readonly isStreaming?: boolean | undefined;
  readonly maxAnswerBytes?: number | undefined;
  readonly limits?: Partial<TimeLimits> | undefined;
  /** Further headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

const NOTHING_SENT: Completion = {
  kind: 'aborted',
  text: '',
  usage: undefined,
  servedModel: undefined,
  upstreamId: undefined,
  httpStatus: undefined,
  latencyMs: 0,
  firstTokenMs: undefined,
  isBillable: false,
};

export function createGateway(config: GatewayConfig): Gateway {
  const url = new URL(config.baseUrl);
  const basePath = url.pathname.replace(/\/+$/, '');
  const path = `${basePath}/chat/completions${url.search}`;
  const {
    name,
    apiKey,
    userAgent,
    isStreaming = true,
    maxAnswerBytes = MAX_ANSWER_BYTES,
    limits,
    headers = {},
  } = config;
  const shared = sharedHeaders({ apiKey, userAgent, isStreaming, headers });
  const tools: ExchangeTools = {
    connections: new Connections(url.origin),
    inFlight: new InFlight(),
    limits: { ...DEFAULT_LIMITS, ...limits },
    clean: createCleaner(secretsOf({ apiKey, headers })),
    ...{ isStreaming, maxAnswerBytes, host: url.host },
  };
  let isClosed = false;
  return {
    name,
    baseUrl: `${url.origin}${basePath}`,
    complete(request, onText, signal) {
      if (signal.aborted || isClosed) return Promise.resolve(NOTHING_SENT);
      const { timeoutMs } = request;
      return new Promise((resolve, reject) => {
        const exchange = new Exchange(tools, { timeoutMs, onText, signal, resolve, reject });
        exchange.begin(path, requestHeaders(shared, request), chatBody(request, isStreaming));
      });
    },
    async close() {
      isClosed = true;
      tools.inFlight.abortAll();
      await tools.connections.close();
    },
  };
}
