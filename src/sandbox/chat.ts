import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerTo } from './answer.ts';
import type { Behaviour } from './behaviour.ts';
import { type ChatRequest, parseChatRequest } from './chat-request.ts';
import { Exchange } from './exchange.ts';
import { type RequestFacts, type Sender, senderOf } from './facts.ts';
import { latencyOf } from './latency.ts';
import type { Passage } from './limits.ts';
import { planDelivery } from './plan-delivery.ts';
import { hashText } from './random.ts';
import { type Refusal, refusalOf, refuse, refuseKey, refuseModel, refuseRequest } from './refusal.ts';
import type { SandboxState } from './state.ts';
import { countTokens } from './tokens.ts';

const JSON_TYPE = 'application/json';
const TOKENS_PER_MESSAGE = 4;
const TOKENS_PER_REPLY = 3;

const HTML_PAGE =
  '<!DOCTYPE html>\n<html><head><title>Just a moment...</title></head><body><h1>Checking your browser</h1></body></html>\n';

function factsOf(request: ChatRequest, sender: Sender, arrival: number): RequestFacts {
  let contentHash = hashText(request.model);
  let promptTokens = TOKENS_PER_REPLY;
  let prompt = '';
  const systemPrompts: string[] = [];
  for (const { role, text } of request.messages) {
    contentHash = hashText(text, hashText(role, contentHash));
    promptTokens += countTokens(text) + TOKENS_PER_MESSAGE;
    if (role === 'user') prompt = text;
    else if (role === 'system' || role === 'developer') systemPrompts.push(text);
  }
  const { model, isStream, maxTokens } = request;
  const systemPrompt = systemPrompts.join('\n');
  return { ...sender, model, isStream, maxTokens, systemPrompt, prompt, promptTokens, contentHash, arrival };
}

function refusePassage(passage: Exclude<Passage, { kind: 'passed' }>, model: string): Refusal {
  const shape = { status: 429, type: 'requests', code: 'rate_limit_exceeded' };
  if (passage.kind === 'too-many-at-once') {
    const message = `Too many concurrent requests for ${model}: limit ${passage.limit}.`;
    return refuse({ ...shape, message });
  }
  const waitSeconds = Math.ceil(passage.waitMs / 1_000);
  const message = `Rate limit reached for ${model} on requests per min (RPM): Limit ${passage.limit}. Please try again in ${waitSeconds}s.`;
  return refuse(
    { ...shape, message },
    {
      'retry-after': String(waitSeconds),
      'retry-after-ms': String(Math.ceil(passage.waitMs)),
      'x-ratelimit-limit-requests': String(passage.limit),
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': `${waitSeconds}s`,
    },
  );
}

function admit(state: SandboxState, model: string): Refusal | undefined {
  const { settings, counters, limits } = state;
  if (!settings.acceptAnyModel && !settings.models.includes(model)) return refuseModel(model);
  const load = {
    model,
    inFlight: counters.inFlight,
    inFlightOfModel: counters.inFlightOf(model),
    nowMs: performance.now(),
  };
  const passage = limits.admit(settings, load);
  return passage.kind === 'passed' ? undefined : refusePassage(passage, model);
}

export function isKeyRight(state: SandboxState, authorization: string | undefined): boolean {
  const { apiKey } = state.settings;
  return apiKey === undefined || authorization === `Bearer ${apiKey}`;
}

function send(exchange: Exchange, { status, headers, body }: Refusal): void {
  exchange.reply(status, { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(body), ...headers }, body);
}

/** Answers a request whose body is `body`. */
export function handleChat(state: SandboxState, incoming: IncomingMessage, response: ServerResponse, body: string) {
  const { authorization } = incoming.headers;
  const sender = senderOf(incoming.headers);
  const parsed = parseChatRequest(body);
  const visit = state.counters.arrive(sender, parsed.model, authorization !== undefined);
  const exchange = new Exchange(response, state.counters, visit, (closed) => state.exchanges.delete(closed));
  state.exchanges.add(exchange);
  if (!isKeyRight(state, authorization)) {
    send(exchange, refuseKey());
    return;
  }
  if (parsed.kind === 'refused') {
    send(exchange, parsed.refusal);
    return;
  }
  const refusal = admit(state, parsed.model);
  if (refusal !== undefined) {
    send(exchange, refusal);
    return;
  }
  const facts = factsOf(parsed.request, sender, state.counters.arrivals);
  const texts = parsed.request.messages.filter(({ role }) => role !== 'assistant').map(({ text }) => text);
  const wish = state.wishFor(facts, texts);
  if (wish.kind === 'faulty') send(exchange, refuseRequest(wish.message, 'messages', 'bad_sandbox_directive'));
  else behave(state, exchange, parsed.request, facts, wish.behaviour, authorization);
}

function behave(
  state: SandboxState,
  exchange: Exchange,
  request: ChatRequest,
  facts: RequestFacts,
  behaviour: Behaviour,
  authorization: string | undefined,
): void {
  const { settings } = state;
  const { model, promptTokens } = facts;
  const refusal = refusalOf(behaviour, { model, promptTokens, authorization });
  if (refusal !== undefined) {
    exchange.wait(behaviour.latencyMs ?? 0, () => send(exchange, refusal));
    return;
  }
  if (behaviour.fault === 'reset') {
    exchange.wait(behaviour.latencyMs ?? 0, () => exchange.reset());
    return;
  }
  const latencyMs = behaviour.latencyMs ?? latencyOf(settings.latency, facts, settings.seed);
  if (behaviour.fault === 'html') {
    exchange.wait(latencyMs, () => exchange.reply(200, { 'content-type': 'text/html; charset=utf-8' }, HTML_PAGE));
    return;
  }
  const answer = answerTo(request, facts, settings, behaviour);
  exchange.deliver(planDelivery(answer, request, settings, behaviour, latencyMs));
}
