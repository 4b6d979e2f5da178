/** One server-sent event of a streamed answer. */
export function event(chunk: unknown): string {
  return `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`;
}

const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'served/model' };

export function delta(content: unknown, finishReason: string | null = null, more: object = {}): string {
  const choice = { index: 0, delta: content === undefined ? {} : { content }, finish_reason: finishReason };
  return event({ ...head, choices: [choice], ...more });
}

export const ROLE = event({ ...head, choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] });
export const DONE = event('[DONE]');
export const FINISH = delta(undefined, 'stop');

export const USAGE_JSON = {
  prompt_tokens: 11,
  completion_tokens: 7,
  total_tokens: 18,
  prompt_tokens_details: { cached_tokens: 5 },
  completion_tokens_details: { reasoning_tokens: 3 },
};
export const USAGE = { input: 11, cachedInput: 5, output: 7, reasoning: 3 };

export function usageAlone(usage: unknown = USAGE_JSON): string {
  return event({ ...head, choices: [], usage });
}

/** A healthy stream. */
export function streamOf(pieces: readonly unknown[], finishReason = 'stop'): string {
  const deltas = pieces.map((piece) => delta(piece)).join('');
  return ROLE + deltas + delta(undefined, finishReason) + usageAlone() + DONE;
}

/** The same answer in one piece. */
export function wholeOf(text: string, finishReason = 'stop'): string {
  const choice = { index: 0, message: { role: 'assistant', content: text }, finish_reason: finishReason };
  return JSON.stringify({ ...head, object: 'chat.completion', choices: [choice], usage: USAGE_JSON });
}

export const SSE = { 'content-type': 'text/event-stream' };
export const JSON_TYPE = { 'content-type': 'application/json' };
