import type { Behaviour } from './behaviour.ts';
import { chanceOf, type RequestFacts } from './facts.ts';
import { uniform } from './random.ts';
import type { FaultSource } from './settings.ts';
import type { Tally } from './tally.ts';

/** Whom a rule concerns: all that is given must fit. */
export interface RuleMatch {
  readonly model?: string | undefined;
  readonly agentId?: string | undefined;
  readonly agentIndex?: number | undefined;
  readonly attempt?: number | undefined;
  /** A part of the last user message. */
  readonly promptIncludes?: string | undefined;
  /** The first so many of the requests that fit. */
  readonly first?: number | undefined;
  /** Only that one of the requests that fit: 1 is the first. */
  readonly nth?: number | undefined;
  /** `first` and `nth` count the requests of each agent (or each content, when no agent is named) apart. */
  readonly perAgent?: boolean | undefined;
  /** 0 to 1; drawn from seed, agent and attempt, not from the order of arrival. */
  readonly probability?: number | undefined;
}

/** What the requests that fit meet: `{ model: 'm', status: 500 }`, `{ first: 2, fault: 'rate_limit', retryAfterSeconds: 2 }`. */
export type FaultRule = RuleMatch & Behaviour;

const optional = (fits: (value: unknown) => boolean, expected: string) => (value: unknown) =>
  value === undefined || fits(value) ? undefined : `must be ${expected}`;
const text = optional((value) => typeof value === 'string', 'a text');
const wholeFrom = (low: number) =>
  optional((value) => Number.isSafeInteger(value) && Number(value) >= low, `a whole number from ${low}`);

/** What is wrong with a value of a match; undefined: nothing. */
export const MATCH_CHECKS: Record<keyof RuleMatch, (value: unknown) => string | undefined> = {
  model: text,
  agentId: text,
  agentIndex: wholeFrom(0),
  attempt: wholeFrom(0),
  promptIncludes: text,
  first: wholeFrom(0),
  nth: wholeFrom(1),
  perAgent: optional((value) => typeof value === 'boolean', 'true or false'),
  probability: optional((value) => typeof value === 'number' && value >= 0 && value <= 1, 'a number from 0 to 1'),
};

/** Whom counts are kept apart for: the agent, or the content when none is named. */
export function countedAs(facts: Pick<RequestFacts, 'agentId' | 'contentHash'>): string {
  return facts.agentId ?? `#${facts.contentHash}`;
}

function isConcerned(rule: RuleMatch, facts: RequestFacts): boolean {
  return (
    (rule.model === undefined || rule.model === facts.model) &&
    (rule.agentId === undefined || rule.agentId === facts.agentId) &&
    (rule.agentIndex === undefined || rule.agentIndex === facts.agentIndex) &&
    (rule.attempt === undefined || rule.attempt === facts.attemptNumber) &&
    (rule.promptIncludes === undefined || facts.prompt.includes(rule.promptIncludes))
  );
}

/** The first rule that fires. Each rule counts all requests that fit it, whether an earlier rule fired or not. */
export function behaviourByRules(
  source: FaultSource,
  facts: RequestFacts,
  seed: number,
  tally: Tally,
): Behaviour | undefined {
  if (typeof source === 'function') return source(facts);
  let fired: Behaviour | undefined;
  source.forEach((rule, index) => {
    if (!isConcerned(rule, facts)) return;
    const { first, nth, probability, perAgent } = rule;
    if (first !== undefined || nth !== undefined) {
      const count = tally.add(`rule ${index} ${perAgent === true ? countedAs(facts) : ''}`, 1);
      if (count > (first ?? count) || count !== (nth ?? count)) return;
    }
    if (probability !== undefined && uniform(seed, 3, index, ...chanceOf(facts)) >= probability) return;
    fired ??= rule;
  });
  return fired;
}
