import { createParser } from 'eventsource-parser';

export interface ReadAnswer {
  readonly text: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

interface Chunk {
  readonly choices?: readonly { readonly delta?: { readonly content?: string | null } }[];
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null;
}

/** Reads the events of a streamed completion as a careful script would: text and usage, no faults. */
export async function readAnswer(body: AsyncIterable<Uint8Array>): Promise<ReadAnswer> {
  let text = '';
  let usage: Chunk['usage'];
  const decoder = new TextDecoder();
  const parser = createParser({
    onEvent({ data }) {
      if (data === '[DONE]') return;
      const chunk = JSON.parse(data) as Chunk;
      text += chunk.choices?.[0]?.delta?.content ?? '';
      usage = chunk.usage ?? usage;
    },
  });
  for await (const bytes of body) parser.feed(decoder.decode(bytes, { stream: true }));
  return { text, promptTokens: usage?.prompt_tokens ?? 0, completionTokens: usage?.completion_tokens ?? 0 };
}
