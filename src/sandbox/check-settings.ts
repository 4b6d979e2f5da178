import { BEHAVIOUR_FIELDS, type Behaviour, problemOf } from './behaviour.ts';
import { MATCH_CHECKS } from './fault-rule.ts';
import type { Settings, SettingsChange } from './settings.ts';

/** Settings that make no sense; every problem at once. */
export class SandboxOptionsError extends Error {
  override readonly name = 'SandboxOptionsError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The sandbox cannot run like this:\n  - ${problems.join('\n  - ')}`);
    this.problems = problems;
  }
}

type Check = (value: unknown, path: string) => readonly string[];

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const number =
  (low: number, high = Number.MAX_SAFE_INTEGER, isWhole = false): Check =>
  (value, path) => {
    const fits =
      typeof value === 'number' && value >= low && value <= high && (!isWhole || Number.isSafeInteger(value));
    if (fits) return [];
    const range = high === Number.MAX_SAFE_INTEGER ? `from ${low}` : `from ${low} to ${high}`;
    return [`${path} must be a ${isWhole ? 'whole number' : 'number'} ${range}.`];
  };

const whole = (low: number): Check => number(low, Number.MAX_SAFE_INTEGER, true);

function checkLatency(value: unknown, path: string): readonly string[] {
  if (typeof value === 'function') return [];
  if (!isRecord(value)) return number(0)(value, path);
  return [...number(0)(value['medianMs'], `${path}.medianMs`), ...number(0)(value['sigma'], `${path}.sigma`)];
}

function checkLimits(value: unknown, path: string): readonly string[] {
  if (!isRecord(value)) return [`${path} must be an object of limits by model.`];
  return Object.entries(value).flatMap(([model, limits]) => {
    if (!isRecord(limits)) return [`${path}.${model} must be an object.`];
    return Object.entries(limits).flatMap(([name, limit]) => {
      if (name !== 'maxConcurrency' && name !== 'rpm') return [`${path}.${model}.${name} is no limit.`];
      return limit === undefined ? [] : whole(0)(limit, `${path}.${model}.${name}`);
    });
  });
}

const isField = (name: string): name is keyof Behaviour => Object.hasOwn(BEHAVIOUR_FIELDS, name);
const isMatch = (name: string): name is keyof typeof MATCH_CHECKS => Object.hasOwn(MATCH_CHECKS, name);

function checkRule(rule: unknown, path: string): readonly string[] {
  if (!isRecord(rule)) return [`${path} must be an object.`];
  return Object.entries(rule).flatMap(([name, value]) => {
    const problem = isField(name)
      ? problemOf(name, value)
      : isMatch(name)
        ? MATCH_CHECKS[name](value)
        : 'is nothing that a rule can have';
    return problem === undefined ? [] : [`${path}.${name} ${problem}.`];
  });
}

function checkFaults(value: unknown, path: string): readonly string[] {
  if (typeof value === 'function') return [];
  if (!Array.isArray(value)) return [`${path} must be a list of rules or a function.`];
  return value.flatMap((rule, index) => checkRule(rule, `${path}[${index}]`));
}

function checkModels(value: unknown, path: string): readonly string[] {
  const isList = Array.isArray(value) && value.every((model) => typeof model === 'string' && model !== '');
  return isList ? [] : [`${path} must be a list of names.`];
}

const CHECKS: Record<keyof Settings, Check> = {
  seed: number(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, true),
  latency: checkLatency,
  firstTokenMs: number(0),
  tokensPerSecond: number(0),
  chunkCount: whole(1),
  chunkCharacters: whole(1),
  answerTokens: whole(0),
  reasoningTokens: whole(0),
  cachedShare: number(0, 1),
  maxConcurrency: whole(0),
  rpm: whole(0),
  limits: checkLimits,
  apiKey: (value, path) => (typeof value === 'string' && value !== '' ? [] : [`${path} must be a text.`]),
  faults: checkFaults,
  models: checkModels,
  acceptAnyModel: (value, path) => (typeof value === 'boolean' ? [] : [`${path} must be true or false.`]),
};

const isSetting = (name: string): name is keyof Settings => Object.hasOwn(CHECKS, name);

/** Throws SandboxOptionsError. */
export function checkSettings(change: SettingsChange): void {
  const problems = Object.entries(change).flatMap(([name, value]) => {
    if (!isSetting(name)) return [`${name} is no option; use one of ${Object.keys(CHECKS).join(', ')}.`];
    return value === undefined ? [] : CHECKS[name](value, name);
  });
  if (problems.length > 0) throw new SandboxOptionsError(problems);
}
