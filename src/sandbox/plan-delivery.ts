import type { OutgoingHttpHeaders } from 'node:http';
import type { Answer } from './answer.ts';
import type { Behaviour } from './behaviour.ts';
import type { ChatRequest } from './chat-request.ts';
import { completionBody } from './completion-body.ts';
import {
  cutSteps,
  type Delivery,
  joinSteps,
  offsetInCharacter,
  type Step,
  sliceSteps,
  type TextStep,
} from './delivery.ts';
import { eventStream } from './event-stream.ts';
import { refuse, SERVER_ERROR_MESSAGE } from './refusal.ts';
import type { Settings } from './settings.ts';

const STREAM_HEADERS: OutgoingHttpHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
};

/** How long the fault's stall at this place lasts; 0: the fault is another one. */
function stallMs(behaviour: Behaviour, place: 'stall' | 'stall_first_token' | 'stall_middle'): number {
  return behaviour.fault === place ? (behaviour.stallMs ?? Number.POSITIVE_INFINITY) : 0;
}

/** Milliseconds that the text takes to be written, first text excluded. */
function writingMs({ usage }: Answer, { tokensPerSecond }: Settings): number {
  return tokensPerSecond === 0 ? 0 : (usage.completionTokens / tokensPerSecond) * 1_000;
}

function createdAtSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}

function streamSteps(
  answer: Answer,
  request: ChatRequest,
  settings: Settings,
  behaviour: Behaviour,
  latencyMs: number,
): TextStep[] {
  const form = { createdAtSeconds: createdAtSeconds(), includesUsage: request.includesUsage, behaviour };
  const { head, chunks, tail } = eventStream(answer, form, settings);
  const pauseMs = writingMs(answer, settings) / Math.max(1, chunks.length - 1);
  const middle = Math.ceil(chunks.length / 2);
  return [
    { waitMs: latencyMs + stallMs(behaviour, 'stall'), bytes: head },
    ...chunks.map((bytes, index) => ({
      waitMs:
        (index === 0 ? settings.firstTokenMs + stallMs(behaviour, 'stall_first_token') : pauseMs) +
        (index === middle ? stallMs(behaviour, 'stall_middle') : 0),
      bytes,
    })),
    { waitMs: 0, bytes: tail },
  ];
}

function wholeSteps(body: string, waitMs: number, behaviour: Behaviour): TextStep[] {
  const middle = body.length >> 1;
  const beforeBody = stallMs(behaviour, 'stall_first_token');
  const inMiddle = stallMs(behaviour, 'stall_middle');
  const start = waitMs + stallMs(behaviour, 'stall');
  if (beforeBody > 0) {
    return [
      { waitMs: start, bytes: '' },
      { waitMs: beforeBody, bytes: body },
    ];
  }
  if (inMiddle === 0) return [{ waitMs: start, bytes: body }];
  return [
    { waitMs: start, bytes: body.slice(0, middle) },
    { waitMs: inMiddle, bytes: body.slice(middle) },
  ];
}

function wholeBody(answer: Answer, behaviour: Behaviour): string {
  if (behaviour.fault !== 'error_in_stream') return completionBody(answer, createdAtSeconds(), behaviour.usage);
  const message = behaviour.message ?? SERVER_ERROR_MESSAGE;
  return refuse({ status: 200, message, type: 'server_error', code: null }).body;
}

/** Puts an answer into timed writes, with the faults that concern the wire. */
export function planDelivery(
  answer: Answer,
  request: ChatRequest,
  settings: Settings,
  behaviour: Behaviour,
  latencyMs: number,
): Delivery {
  let texts: TextStep[];
  let headers = STREAM_HEADERS;
  if (request.isStream) {
    texts = streamSteps(answer, request, settings, behaviour, latencyMs);
  } else {
    const body = wholeBody(answer, behaviour);
    headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    texts = wholeSteps(body, latencyMs + settings.firstTokenMs + writingMs(answer, settings), behaviour);
  }
  texts = joinSteps(texts);
  let steps: readonly Step[] = texts;
  const isCut = behaviour.cutAt !== undefined || behaviour.fault === 'cut';
  if (isCut) {
    const body = texts.map(({ bytes }) => bytes).join('');
    steps = cutSteps(texts, behaviour.cutAt ?? offsetInCharacter(body));
  }
  if (behaviour.bytesPerWrite !== undefined) steps = sliceSteps(steps, behaviour.bytesPerWrite);
  return { status: 200, headers, steps, ending: isCut ? 'destroy' : 'end' };
}
