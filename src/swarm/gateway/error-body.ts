import { type JsonObject, objectIn, parseJson, textIn } from './json-value.ts';
import type { Clean } from './redact.ts';

/** What a gateway says of an error, in one shape for the many that are sent. Nothing in it is secret. */
export interface ErrorBody {
  /** Codes and types of all levels, in lower case, apart by spaces: only ever searched. */
  readonly codes: string;
  /** When the code is an HTTP status. */
  readonly status: number | undefined;
  /** Empty: it says nothing. */
  readonly message: string;
}

const TITLE = /<title[^>]*>([^<]*)/i;

function statusIn(...values: unknown[]): number | undefined {
  return values.map((value) => Number(value ?? Number.NaN)).find((value) => value >= 400 && value <= 599);
}

function messageIn(error: JsonObject): string | undefined {
  const { message, detail, msg, error: inner } = error;
  const said = textIn(message) ?? textIn(detail) ?? textIn(msg) ?? textIn(inner);
  if (said !== undefined) return said;
  // FastAPI's list of what is wrong with a request.
  return detail === undefined || detail === null ? undefined : JSON.stringify(detail);
}

/** Reads `{error: {…}}`, `{error: "…"}`, `{message, code}`, `{detail}` and `[{error}]`. */
export function errorBodyOf(value: unknown, clean: Clean): ErrorBody {
  const outer = objectIn(Array.isArray(value) ? value[0] : value) ?? {};
  const error = objectIn(outer['error']) ?? objectIn(outer['detail']) ?? outer;
  const inner = objectIn(error['innererror']) ?? objectIn(error['metadata']) ?? {};
  const codes = [error['code'], error['type'], error['status'], inner['code'], outer['code'], outer['type']];
  return {
    codes: codes
      .filter((code) => typeof code === 'string')
      .join(' ')
      .toLowerCase()
      .slice(0, 500),
    status: statusIn(error['code'], error['status'], error['http_status'], outer['code'], outer['status']),
    message: clean(messageIn(error) ?? messageIn(outer) ?? ''),
  };
}

/** Reads the body of a refusal: JSON, a web page (its title), or plain text. */
export function readErrorBody(text: string, clean: Clean): ErrorBody {
  const value = parseJson(text);
  if (typeof value === 'object' && value !== null) return errorBodyOf(value, clean);
  const title = TITLE.exec(text)?.[1];
  const isPage = text.trimStart().startsWith('<');
  return { codes: '', status: undefined, message: clean(title ?? (isPage ? '' : text)) };
}
