import { type Refusal, refuseRequest } from './refusal.ts';

export interface ChatMessage {
  readonly role: string;
  readonly text: string;
}

/** What the sandbox reads of a chat completion request. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly isStream: boolean;
  readonly includesUsage: boolean;
  readonly maxTokens: number | undefined;
  /** `response_format` asks for JSON. */
  readonly wantsJson: boolean;
}

/** `model` of a refused request: as far as it could be read. */
export type ParsedRequest =
  | { readonly kind: 'request'; readonly model: string; readonly request: ChatRequest }
  | { readonly kind: 'refused'; readonly model: string | undefined; readonly refusal: Refusal };

type Json = Readonly<Record<string, unknown>>;

class BadRequest extends Error {
  readonly refusal: Refusal;

  constructor(message: string, param?: string, code: string | null = null) {
    super(message);
    this.refusal = refuseRequest(message, param, code);
  }
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

function parseObject(body: string): Json {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    parsed = undefined;
  }
  if (isJson(parsed)) return parsed;
  throw new BadRequest('We could not parse the JSON body of your request. The API expects a JSON object.');
}

function invalidType(param: string, expected: string): BadRequest {
  return new BadRequest(`Invalid type for '${param}': expected ${expected}.`, param, 'invalid_type');
}

/** A content is a text, a list of parts of which the texts count, or null beside tool calls. */
function readContent(content: unknown, param: string): string {
  if (typeof content === 'string') return content;
  if (content === null) return '';
  if (!Array.isArray(content)) throw invalidType(param, 'a string or a list of content parts');
  return content
    .map((part: unknown) => (isJson(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    .join('');
}

function readMessages(messages: unknown): ChatMessage[] {
  if (messages === undefined) {
    throw new BadRequest("Missing required parameter: 'messages'.", 'messages', 'missing_required_parameter');
  }
  if (!Array.isArray(messages)) throw invalidType('messages', 'a list of messages');
  if (messages.length === 0) {
    throw new BadRequest("Invalid 'messages': empty array.", 'messages', 'empty_array');
  }
  return messages.map((message: unknown, index) => {
    const param = `messages[${index}]`;
    if (!isJson(message)) throw invalidType(param, 'an object');
    if (typeof message['role'] !== 'string') throw invalidType(`${param}.role`, 'a string');
    return { role: message['role'], text: readContent(message['content'], `${param}.content`) };
  });
}

function readNumber(body: Json, param: string, low: number, high: number, isWhole: boolean): number | undefined {
  const value = body[param];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || (isWhole && !Number.isInteger(value))) {
    throw invalidType(param, isWhole ? 'an integer' : 'a number');
  }
  if (value >= low && value <= high) return value;
  const range = value < low ? `>= ${low}` : `<= ${high}`;
  const code = `${isWhole ? 'integer' : 'decimal'}_${value < low ? 'below_min' : 'above_max'}_value`;
  throw new BadRequest(`Invalid '${param}': ${value}. Expected a value ${range}.`, param, code);
}

function readFlag(body: Json, param: string): boolean {
  const value = body[param] ?? false;
  if (typeof value !== 'boolean') throw invalidType(param, 'a boolean');
  return value;
}

function readRequest(body: Json, model: string): ChatRequest {
  const messages = readMessages(body['messages']);
  const isStream = readFlag(body, 'stream');
  const streamOptions = body['stream_options'] ?? undefined;
  if (streamOptions !== undefined && !isJson(streamOptions)) throw invalidType('stream_options', 'an object');
  if (streamOptions !== undefined && !isStream) {
    throw new BadRequest("The 'stream_options' parameter is only allowed when 'stream' is enabled.", 'stream_options');
  }
  readNumber(body, 'temperature', 0, 2, false);
  readNumber(body, 'n', 1, 1, true);
  const newer = readNumber(body, 'max_completion_tokens', 1, Number.MAX_SAFE_INTEGER, true);
  const older = readNumber(body, 'max_tokens', 1, Number.MAX_SAFE_INTEGER, true);
  const format = body['response_format'];
  return {
    model,
    messages,
    isStream,
    includesUsage: streamOptions !== undefined && readFlag(streamOptions, 'include_usage'),
    maxTokens: newer ?? older,
    wantsJson: isJson(format) && (format['type'] === 'json_object' || format['type'] === 'json_schema'),
  };
}

/** Reads the body of `POST /v1/chat/completions` and refuses what OpenAI refuses. Whether the model exists is asked later. */
export function parseChatRequest(text: string): ParsedRequest {
  let model: string | undefined;
  try {
    const body = parseObject(text);
    if (typeof body['model'] === 'string' && body['model'] !== '') model = body['model'];
    if (model === undefined) throw new BadRequest('you must provide a model parameter', 'model');
    return { kind: 'request', model, request: readRequest(body, model) };
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    return { kind: 'refused', model, refusal: error.refusal };
  }
}
