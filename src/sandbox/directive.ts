import { BEHAVIOUR_FIELDS, type Behaviour, problemOf } from './behaviour.ts';

/** One `[[sandbox: …]]` of a prompt. */
export interface Directive {
  readonly source: string;
  readonly behaviour: Behaviour;
  /** In force for so many requests of an agent; undefined: always. */
  readonly times: number | undefined;
}

export type Directives =
  | { readonly kind: 'directives'; readonly directives: readonly Directive[] }
  | { readonly kind: 'faulty'; readonly message: string };

const OPENING = '[[sandbox:';
/** A quoted text may hold anything, `]]` too. */
const BLOCK = /\[\[sandbox:((?:"(?:[^"\\]|\\[\s\S])*"|[^"\]]|\](?!\]))*)\]\]/g;
const PAIR = /([A-Za-z_]+)=("(?:[^"\\]|\\[\s\S])*"|[^\s"]+)|(\S+)/g;
const NONE: Directives = { kind: 'directives', directives: [] };

type FieldName = keyof Behaviour;
const FIELD_OF_KEY = new Map<string, FieldName>(
  (Object.keys(BEHAVIOUR_FIELDS) as FieldName[]).map((field) => [BEHAVIOUR_FIELDS[field].key, field]),
);

class DirectiveError extends Error {}

export function withoutDirectives(text: string): string {
  return text.includes(OPENING) ? text.replace(BLOCK, '').trim() : text;
}

function unquote(raw: string): string {
  if (!raw.startsWith('"')) return raw;
  try {
    // A line end inside the quotes stands for itself, which JSON does not allow.
    return JSON.parse(raw.replaceAll('\r', '\\r').replaceAll('\n', '\\n').replaceAll('\t', '\\t'));
  } catch {
    throw new DirectiveError(`${raw} has an escape that JSON does not know`);
  }
}

function readValue(field: FieldName, raw: string): string | number {
  const text = unquote(raw);
  const { kind } = BEHAVIOUR_FIELDS[field];
  return (kind === 'count' || kind === 'positive' || kind === 'status') && /^\d+$/.test(text) ? Number(text) : text;
}

function parseBlock(source: string): Directive {
  const behaviour: Partial<Record<FieldName, string | number>> = {};
  let times: number | undefined;
  for (const [whole, key, raw = ''] of source.matchAll(PAIR)) {
    if (key === undefined) throw new DirectiveError(`"${whole}" is not of the form key=value`);
    if (key === 'times') {
      if (!/^[1-9]\d*$/.test(raw)) throw new DirectiveError('times must be a whole number from 1');
      times = Number(raw);
      continue;
    }
    const field = FIELD_OF_KEY.get(key);
    if (field === undefined) {
      throw new DirectiveError(`"${key}" is none of ${[...FIELD_OF_KEY.keys(), 'times'].join(', ')}`);
    }
    const value = readValue(field, raw);
    const problem = problemOf(field, value);
    if (problem !== undefined) throw new DirectiveError(`${key} ${problem}`);
    behaviour[field] = value;
  }
  // problemOf has checked each value against its field.
  return { source, behaviour: behaviour as Behaviour, times };
}

/** Reads the directives of a prompt. A misspelt one is an error, since a test that it was meant for would prove nothing. */
export function parseDirectives(text: string): Directives {
  if (!text.includes(OPENING)) return NONE;
  const blocks = [...text.matchAll(BLOCK)];
  try {
    if (text.replace(BLOCK, '').includes(OPENING)) throw new DirectiveError('it is not closed by ]]');
    return { kind: 'directives', directives: blocks.map(([, source = '']) => parseBlock(source)) };
  } catch (error) {
    if (!(error instanceof DirectiveError)) throw error;
    return { kind: 'faulty', message: `A [[sandbox: …]] directive is wrong: ${error.message}.` };
  }
}
