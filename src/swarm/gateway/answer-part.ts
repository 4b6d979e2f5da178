import { type JsonObject, objectIn } from './json-value.ts';

function textOfParts(parts: readonly unknown[]): string {
  return parts
    .map((part) => {
      const text = objectIn(part)?.['text'];
      return typeof text === 'string' ? text : '';
    })
    .join('');
}

/** The text of a `delta` or a `message`: a string, null, or a list of parts of which some are text. */
export function textOf(part: JsonObject): string {
  const content = part['content'];
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? textOfParts(content) : '';
}

function isSomething(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== null && value !== '';
}

/** The model has said something, or thinks (`reasoning`, `reasoning_content`, tool calls …). A role alone is neither. */
export function isToken(part: JsonObject): boolean {
  for (const name in part) {
    if (name !== 'role' && isSomething(part[name])) return true;
  }
  return false;
}
