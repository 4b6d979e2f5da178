import type { Behaviour } from './behaviour.ts';
import { Counters } from './counters.ts';
import { parseDirectives } from './directive.ts';
import type { Exchange } from './exchange.ts';
import type { RequestFacts } from './facts.ts';
import { behaviourByRules, countedAs } from './fault-rule.ts';
import { Limits } from './limits.ts';
import { DEFAULT_SETTINGS, type Settings } from './settings.ts';
import { Tally } from './tally.ts';

export type Wish =
  | { readonly kind: 'behaviour'; readonly behaviour: Behaviour }
  | { readonly kind: 'faulty'; readonly message: string };

const MAX_COUNTS = 100_000;
const AS_USUAL: Behaviour = {};

/** All that a running sandbox remembers. */
export class SandboxState {
  settings: Settings = DEFAULT_SETTINGS;
  readonly counters = new Counters();
  readonly limits = new Limits();
  readonly exchanges = new Set<Exchange>();
  readonly #ruleTally = new Tally(MAX_COUNTS);
  readonly #directiveTally = new Tally(MAX_COUNTS);

  change(settings: Settings): void {
    if (settings.faults !== this.settings.faults) this.#ruleTally.clear();
    this.settings = settings;
  }

  /** Counters, the counts of rules and directives, and the minute of the limits begin anew. */
  reset(): void {
    this.counters.reset();
    this.limits.reset();
    this.#ruleTally.clear();
    this.#directiveTally.clear();
  }

  /** What the rules and the prompt's directives want for a request; a directive goes before a rule. */
  wishFor(facts: RequestFacts, texts: readonly string[]): Wish {
    const { faults, seed } = this.settings;
    let behaviour = behaviourByRules(faults, facts, seed, this.#ruleTally) ?? AS_USUAL;
    for (const text of texts) {
      const parsed = parseDirectives(text);
      if (parsed.kind === 'faulty') return parsed;
      for (const { source, times, behaviour: wanted } of parsed.directives) {
        if (times !== undefined && this.#directiveTally.add(`${countedAs(facts)} ${source}`, 1) > times) continue;
        behaviour = { ...behaviour, ...wanted };
      }
    }
    return { kind: 'behaviour', behaviour };
  }
}
