/** JSON of strangers, of which nothing is known but that it is JSON. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Undefined: it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function objectIn(value: unknown): JsonObject | undefined {
  // The cast says no more than was checked: TypeScript does not narrow to an object with unknown fields.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

/** An empty text counts as none. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
