import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { handleChat, isKeyRight } from './chat.ts';
import { changeByJson } from './configure-json.ts';
import { type Refusal, refuse, refuseKey } from './refusal.ts';
import type { SandboxState } from './state.ts';

const MAX_BODY_BYTES = 64 * 1024 * 1024;

interface Sockets {
  readonly size: number;
}

/** Calls `then` with the whole body, never for a request that its client gave up. */
function readBody(incoming: IncomingMessage, response: ServerResponse, then: (body: string) => void): void {
  const pieces: Buffer[] = [];
  let length = 0;
  incoming.on('data', (piece: Buffer) => {
    length += piece.length;
    if (length <= MAX_BODY_BYTES) pieces.push(piece);
  });
  incoming.on('end', () => {
    const [first] = pieces;
    if (length > MAX_BODY_BYTES) {
      const message = 'The request is larger than 64 MB.';
      sendJson(response, refuse({ status: 413, message, type: 'invalid_request_error', code: null }));
    } else {
      then(first === undefined ? '' : pieces.length === 1 ? first.toString() : Buffer.concat(pieces).toString());
    }
  });
}

function sendJson(response: ServerResponse, { status, body }: Pick<Refusal, 'status' | 'body'>): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

function sendModels(state: SandboxState, incoming: IncomingMessage, response: ServerResponse): void {
  if (!isKeyRight(state, incoming.headers.authorization)) {
    sendJson(response, refuseKey());
    return;
  }
  const data = state.settings.models.map((id) => ({ id, object: 'model', created: 0, owned_by: 'waggle-sandbox' }));
  sendJson(response, { status: 200, body: JSON.stringify({ object: 'list', data }) });
}

function sendCounters(state: SandboxState, sockets: Sockets, query: string, response: ServerResponse): void {
  const { records, ...counters } = state.counters.snapshot(sockets.size);
  const isShort = new URLSearchParams(query).get('records') === 'no';
  sendJson(response, { status: 200, body: JSON.stringify(isShort ? counters : { ...counters, records }) });
}

function sendNotFound(incoming: IncomingMessage, response: ServerResponse): void {
  const message = `Invalid URL (${incoming.method} ${incoming.url})`;
  sendJson(response, refuse({ status: 404, message, type: 'invalid_request_error', code: 'unknown_url' }));
}

export function createListener(state: SandboxState, sockets: Sockets): RequestListener {
  return (incoming, response) => {
    const [path = '', query = ''] = (incoming.url ?? '').split('?', 2);
    switch (`${incoming.method} ${path}`) {
      case 'POST /v1/chat/completions':
        readBody(incoming, response, (body) => handleChat(state, incoming, response, body));
        return;
      case 'POST /sandbox/configure':
        readBody(incoming, response, (body) => sendJson(response, changeByJson(state, body)));
        return;
      case 'GET /v1/models':
        sendModels(state, incoming, response);
        return;
      case 'GET /sandbox/counters':
        sendCounters(state, sockets, query, response);
        return;
      case 'POST /sandbox/reset':
        state.reset();
        sendJson(response, { status: 200, body: '{"reset":true}' });
        break;
      default:
        sendNotFound(incoming, response);
    }
    incoming.resume();
  };
}
