// DRAFT by the founder so that others can go on; the gateway's author overwrites it.
import { createParser } from 'eventsource-parser';
import { Pool } from 'undici';
import type { Completion, CompletionRequest, Received } from '../domain/completion.ts';
import type { Fault } from '../domain/fault.ts';
import { storableText } from '../domain/text.ts';
import { parseUsage } from '../domain/usage.ts';

export interface Gateway {
  readonly name: string;
  readonly baseUrl: string;
  complete(request: CompletionRequest, onText: (piece: string) => void, signal: AbortSignal): Promise<Completion>;
  close(): Promise<void>;
}

export function createGateway(config: { name: string; userAgent: string; baseUrl: string; apiKey: string | undefined; isStreaming?: boolean }): Gateway {
  const url = new URL(config.baseUrl);
  const pool = new Pool(url.origin, { connections: null, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
  return {
    name: config.name,
    baseUrl: config.baseUrl,
    close: () => pool.destroy(),
    async complete(request, onText, signal) {
      const started = performance.now();
      let text = '';
      let usage: Received['usage'];
      let servedModel: string | undefined;
      let upstreamId: string | undefined;
      let httpStatus: number | undefined;
      let firstTokenMs: number | undefined;
      let isTruncated = false;
      let isBillable = true;
      const received = (): Received => ({ text: storableText(text), usage, servedModel, upstreamId, httpStatus, latencyMs: Math.round(performance.now() - started), firstTokenMs, isBillable });
      if (signal.aborted) return { kind: 'aborted', ...received(), isBillable: false };
      try {
        const { statusCode, headers, body } = await pool.request({
          method: 'POST', path: `${url.pathname}/chat/completions`, signal,
          headers: { 'content-type': 'application/json', authorization: `Bearer ${config.apiKey ?? 'none'}`, 'x-waggle-swarm-id': request.swarmId, 'x-waggle-agent-id': request.agentId, 'x-waggle-attempt-id': request.attemptId, 'idempotency-key': request.attemptId },
          body: JSON.stringify({ model: request.model, temperature: request.temperature, max_tokens: request.maxTokens, stream: true, stream_options: { include_usage: true }, messages: [...(request.systemPrompt ? [{ role: 'system', content: request.systemPrompt }] : []), { role: 'user', content: request.prompt }] }),
        });
        httpStatus = statusCode;
        if (statusCode >= 400) {
          isBillable = false;
          const message = (await body.text()).slice(0, 300);
          const after = headers['retry-after'] === undefined ? undefined : Number(headers['retry-after']) * 1000;
          const fault: Fault = statusCode === 429 ? { kind: 'rate-limited', retryAfterMs: after, message } : statusCode === 401 ? { kind: 'invalid-key', message } : statusCode >= 500 || statusCode === 409 ? { kind: 'gateway-error', httpStatus: statusCode, retryAfterMs: after, message } : { kind: 'bad-request', httpStatus: statusCode, message };
          return { kind: 'faulted', fault, ...received() };
        }
        const decoder = new TextDecoder();
        const parser = createParser({ onEvent: ({ data }) => {
          if (data === '[DONE]') return;
          const chunk = JSON.parse(data);
          servedModel = chunk.model ?? servedModel; upstreamId = chunk.id ?? upstreamId;
          usage = parseUsage(chunk.usage) ?? usage;
          const piece = (chunk.choices?.[0]?.delta?.content ?? '').replaceAll('\u0000', '\u2400');
          if (chunk.choices?.[0]?.finish_reason === 'length') isTruncated = true;
          if (piece !== '') { firstTokenMs ??= Math.round(performance.now() - started); text += piece; onText(piece); }
        } });
        for await (const bytes of body) parser.feed(decoder.decode(bytes, { stream: true }));
        return { kind: 'answered', isTruncated, ...received() };
      } catch (error) {
        if (signal.aborted) return { kind: 'aborted', ...received() };
        return { kind: 'faulted', fault: { kind: 'connection-failed', message: String(error) }, ...received() };
      }
    },
  };
}
