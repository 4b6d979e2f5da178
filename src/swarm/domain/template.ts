const PLACEHOLDER = /\{\{\s*item((?:\.[^\s.{}]+)*)\s*\}\}/g;

export type Rendered =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'missing'; readonly field: string };

export function hasItemPlaceholder(template: string): boolean {
  return new RegExp(PLACEHOLDER.source).test(template);
}

function pick(item: unknown, fields: readonly string[]): unknown {
  let value = item;
  for (const field of fields) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, field)) return undefined;
    value = (value as Record<string, unknown>)[field];
  }
  return value;
}

/** Puts `item` in for {{item}} and {{item.field.deeper}}: a string as it is, anything else as JSON. */
export function renderTemplate(template: string, item: unknown): Rendered {
  let missing: string | undefined;
  const text = template.replace(PLACEHOLDER, (_, path: string) => {
    const fields = path.split('.').slice(1);
    const value = pick(item, fields);
    if (value === undefined) missing ??= fields.join('.');
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
  return missing === undefined ? { kind: 'text', text } : { kind: 'missing', field: missing };
}
