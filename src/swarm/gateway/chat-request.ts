import type { CompletionRequest } from '../domain/completion.ts';

/** The body of `POST /chat/completions` (platform.openai.com/docs/api-reference/chat/create). */
export function chatBody(request: CompletionRequest, isStreaming: boolean): string {
  const { model, systemPrompt, prompt, temperature, maxTokens } = request;
  const user = { role: 'user', content: prompt };
  return JSON.stringify({
    model,
    messages: systemPrompt === undefined ? [user] : [{ role: 'system', content: systemPrompt }, user],
    temperature,
    max_tokens: maxTokens,
    stream: isStreaming,
    stream_options: isStreaming ? { include_usage: true } : undefined,
  });
}

export interface HeaderConfig {
  readonly apiKey: string | undefined;
  readonly userAgent: string | undefined;
  readonly isStreaming: boolean;
  /** Further ones; those of our own go before them. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The headers that all requests share: names and values by turns. */
export function sharedHeaders({ apiKey, userAgent, isStreaming, headers }: HeaderConfig): string[] {
  const own: Record<string, string> = {
    'content-type': 'application/json',
    accept: isStreaming ? 'text/event-stream, application/json' : 'application/json',
    // A compressed body could unpack to any size.
    'accept-encoding': 'identity',
    ...(userAgent === undefined ? {} : { 'user-agent': userAgent }),
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  };
  const further = Object.entries(headers).filter(([name]) => !(name.toLowerCase() in own));
  return [...further, ...Object.entries(own)].flat();
}

export function requestHeaders(shared: readonly string[], request: CompletionRequest): string[] {
  return [
    ...shared,
    'x-waggle-swarm-id',
    request.swarmId,
    'x-waggle-agent-id',
    request.agentId,
    'x-waggle-attempt-id',
    request.attemptId,
    'idempotency-key',
    request.attemptId,
  ];
}

const SECRET_HEADER = /key|auth|token|secret|cookie/i;

/** What must never be shown of what is sent. */
export function secretsOf({ apiKey, headers }: Pick<HeaderConfig, 'apiKey' | 'headers'>): string[] {
  const values = Object.entries(headers).flatMap(([name, value]) => (SECRET_HEADER.test(name) ? [value] : []));
  return apiKey === undefined ? values : [apiKey, ...values];
}
