import type { Fault } from '../domain/fault.ts';
import { classifyRefusal } from './classify.ts';
import { readErrorBody } from './error-body.ts';
import type { Clean } from './redact.ts';
import type { ResponseHeaders } from './retry-after.ts';

/** As much of a refusal's body as is read, if it has no end. */
const MOST_BYTES = 65_536;

/** Reads an answer of status 400 and more, and tells what it means. */
export class RefusalReader {
  readonly #status: number;
  readonly #headers: ResponseHeaders;
  readonly #clean: Clean;
  readonly #pieces: Uint8Array[] = [];
  #byteCount = 0;

  constructor(status: number, headers: ResponseHeaders, clean: Clean) {
    this.#status = status;
    this.#headers = headers;
    this.#clean = clean;
  }

  feed(bytes: Uint8Array): 'more' | 'enough' {
    // A copy: the bytes are a view of a buffer many times as large.
    this.#pieces.push(Uint8Array.from(bytes.subarray(0, MOST_BYTES - this.#byteCount)));
    this.#byteCount += bytes.length;
    return this.#byteCount >= MOST_BYTES ? 'enough' : 'more';
  }

  /** `nowMs`: since the epoch. */
  fault(nowMs: number): Fault {
    const body = readErrorBody(Buffer.concat(this.#pieces).toString(), this.#clean);
    return classifyRefusal({ status: this.#status, headers: this.#headers, body, nowMs });
  }
}
