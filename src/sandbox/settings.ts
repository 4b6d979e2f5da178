import type { Behaviour } from './behaviour.ts';
import type { RequestFacts } from './facts.ts';
import type { FaultRule } from './fault-rule.ts';
import type { Latency } from './latency.ts';

/** Rules, of which the first that fires counts, or a function. */
export type FaultSource = readonly FaultRule[] | ((facts: RequestFacts) => Behaviour | undefined);

export interface LaneLimits {
  readonly maxConcurrency?: number | undefined;
  readonly rpm?: number | undefined;
}

/** All that decides how the sandbox behaves. */
export interface Settings {
  readonly seed: number;
  /** From a request's arrival to its headers. */
  readonly latency: Latency;
  /** From the headers to the first text. */
  readonly firstTokenMs: number;
  /** 0: the whole answer at once. */
  readonly tokensPerSecond: number;
  /** Text chunks of a stream. */
  readonly chunkCount: number;
  /** Characters of a text chunk, in place of `chunkCount`. */
  readonly chunkCharacters: number | undefined;
  /** Completion tokens of every answer; undefined: as long as its text is. */
  readonly answerTokens: number | undefined;
  /** Reasoning tokens that every answer's usage has on top of its text. */
  readonly reasoningTokens: number;
  /** Share of the prompt tokens that usage reports as cached, 0 to 1. */
  readonly cachedShare: number;
  /** Requests in flight of all models together; more are refused with 429. */
  readonly maxConcurrency: number | undefined;
  /** Requests in any 60 seconds of all models together; more are refused with 429. */
  readonly rpm: number | undefined;
  /** The same limits for single models. */
  readonly limits: Readonly<Record<string, LaneLimits>>;
  /** Undefined: any key, or none. */
  readonly apiKey: string | undefined;
  readonly faults: FaultSource;
  readonly models: readonly string[];
  readonly acceptAnyModel: boolean;
}

/** Settings to change. A setting that is `undefined` goes back to its default. */
export type SettingsChange = { readonly [K in keyof Settings]?: Settings[K] | undefined };

export const DEFAULT_SETTINGS: Settings = {
  seed: 1,
  latency: 0,
  firstTokenMs: 0,
  tokensPerSecond: 0,
  chunkCount: 16,
  chunkCharacters: undefined,
  answerTokens: undefined,
  reasoningTokens: 0,
  cachedShare: 0,
  maxConcurrency: undefined,
  rpm: undefined,
  limits: {},
  apiKey: undefined,
  faults: [],
  models: [
    'deepseek/deepseek-v3.2',
    'anthropic/claude-sonnet-4.5',
    'google/gemini-2.5-flash',
    'openai/gpt-4.1',
    'kimi-k2-0711',
  ],
  acceptAnyModel: false,
};

export function changeSettings(settings: Settings, change: SettingsChange): Settings {
  const defaults = Object.fromEntries(
    Object.entries(DEFAULT_SETTINGS).filter(([name]) => name in change && change[name as keyof Settings] === undefined),
  );
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  return { ...settings, ...defaults, ...given };
}
