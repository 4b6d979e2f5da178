import type { Answer, AnswerUsage } from './answer.ts';
import type { UsageForm } from './behaviour.ts';

/** The `usage` object, as OpenAI writes it. */
export function usageJson({ promptTokens, cachedTokens, completionTokens, reasoningTokens }: AnswerUsage): string {
  return `{"prompt_tokens":${promptTokens},"completion_tokens":${completionTokens},"total_tokens":${promptTokens + completionTokens},"prompt_tokens_details":{"cached_tokens":${cachedTokens}},"completion_tokens_details":{"reasoning_tokens":${reasoningTokens}}}`;
}

/** The body of an answer that is not streamed. */
export function completionBody(answer: Answer, createdAtSeconds: number, usage: UsageForm | undefined): string {
  const content = JSON.stringify(answer.parts.join(''));
  const tail = usage === 'none' ? '' : `,"usage":${usageJson(answer.usage)}`;
  return `{"id":"${answer.id}","object":"chat.completion","created":${createdAtSeconds},"model":${JSON.stringify(answer.model)},"choices":[{"index":0,"message":{"role":"assistant","content":${content},"refusal":null},"logprobs":null,"finish_reason":"${answer.finishReason}"}]${tail},"system_fingerprint":"fp_sandbox"}`;
}
