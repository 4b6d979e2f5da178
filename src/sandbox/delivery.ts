import type { OutgoingHttpHeaders } from 'node:http';

/** `waitMs` after the step before it; Infinity: until the client goes. No bytes: only the headers. */
export interface Step {
  readonly waitMs: number;
  readonly bytes: string | Uint8Array;
}

/** How an answer is put on the wire. The first step also sends the headers. */
export interface Delivery {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly steps: readonly Step[];
  /** `destroy`: the connection ends with the last byte, the answer does not. */
  readonly ending: 'end' | 'destroy';
}

/** A step of text as long as nothing is known of its writes. */
export interface TextStep extends Step {
  readonly bytes: string;
}

/** Steps without a wait join the one before, so that an answer at once is a single write. */
export function joinSteps(steps: readonly TextStep[]): TextStep[] {
  const joined: TextStep[] = [];
  let waitMs = 0;
  let text: string | undefined;
  for (const step of steps) {
    if (text !== undefined && step.waitMs === 0) {
      text += step.bytes;
      continue;
    }
    if (text !== undefined) joined.push({ waitMs, bytes: text });
    ({ waitMs, bytes: text } = step);
  }
  if (text !== undefined) joined.push({ waitMs, bytes: text });
  return joined;
}

/** Ends the steps after `length` bytes in total. */
export function cutSteps(steps: readonly Step[], length: number): Step[] {
  const kept: Step[] = [];
  let left = length;
  for (const { waitMs, bytes } of steps) {
    const buffer = Buffer.from(bytes);
    kept.push({ waitMs, bytes: buffer.subarray(0, left) });
    left -= buffer.length;
    if (left <= 0) break;
  }
  return kept;
}

/** Writes of `size` bytes. */
export function sliceSteps(steps: readonly Step[], size: number): Step[] {
  return steps.flatMap(({ waitMs, bytes }) => {
    const buffer = Buffer.from(bytes);
    const count = Math.max(1, Math.ceil(buffer.length / size));
    return Array.from({ length: count }, (_, index) => ({
      waitMs: index === 0 ? waitMs : 0,
      bytes: buffer.subarray(index * size, (index + 1) * size),
    }));
  });
}

/** A byte offset inside a character of several bytes, as near after the middle as there is one; else the middle. */
export function offsetInCharacter(body: string): number {
  const bytes = Buffer.from(body);
  const middle = bytes.length >> 1;
  const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;
  for (let at = middle; at < bytes.length; at += 1) if (isContinuation(bytes[at])) return at;
  for (let at = middle; at > 0; at -= 1) if (isContinuation(bytes[at])) return at;
  return middle;
}
