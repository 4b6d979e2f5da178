const MESSAGE_OVERHEAD = 8;

/**
 * About how many tokens a text has: 4 ASCII characters a token, else one token a character (Hangul, kana and Han come
 * out between 0.6 and 1.2 in the tokenizers in use). For estimates that are marked as such.
 */
export function estimateTokens(text: string): number {
  let ascii = 0;
  let other = 0;
  for (let i = 0; i < text.length; i += 1) {
    if (text.charCodeAt(i) < 128) ascii += 1;
    else other += 1;
  }
  return Math.ceil(ascii / 4) + other;
}

/** The most tokens a text can have: in a byte-level tokenizer each token holds a byte or more. For what must not be passed. */
export function mostTokens(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    // A surrogate pair is four bytes: two a unit.
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3;
  }
  return bytes;
}

export interface PromptTexts {
  readonly systemPrompt: string | undefined;
  readonly prompt: string;
}

export function estimatePromptTokens({ systemPrompt, prompt }: PromptTexts): number {
  return estimateTokens(systemPrompt ?? '') + estimateTokens(prompt) + MESSAGE_OVERHEAD;
}

export function mostPromptTokens({ systemPrompt, prompt }: PromptTexts): number {
  return mostTokens(systemPrompt ?? '') + mostTokens(prompt) + 4 * MESSAGE_OVERHEAD;
}
