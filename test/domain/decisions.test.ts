import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Fault, failureOf, isTransient } from '../../src/swarm/domain/fault.ts';
import { decideOutcome } from '../../src/swarm/domain/outcome.ts';
import { moveAgent, queuedProgress } from '../../src/swarm/domain/progress.ts';
import { decideNext, RETRY_POLICY } from '../../src/swarm/domain/retry.ts';
import { type RoutingRule, resolveRoute } from '../../src/swarm/domain/route.ts';
import { resolveSettings } from '../../src/swarm/domain/settings.ts';
import {
  type AgentStatus,
  canAgentStep,
  canSwarmStep,
  isEndedAgent,
  isEndedSwarm,
  type SwarmStatus,
} from '../../src/swarm/domain/status.ts';

const message = 'Because.';
const FAULTS: readonly Fault[] = [
  { kind: 'rate-limited', retryAfterMs: undefined, message },
  { kind: 'gateway-error', httpStatus: 500, retryAfterMs: undefined, message },
  { kind: 'connection-failed', message },
  { kind: 'stream-broken', message },
  { kind: 'timed-out', limit: 'idle', limitMs: 5 },
  { kind: 'bad-answer', message },
  { kind: 'bad-request', httpStatus: 400, message },
  { kind: 'model-not-found', message },
  { kind: 'context-length-exceeded', message },
  { kind: 'content-filtered', message },
  { kind: 'invalid-key', message },
  { kind: 'quota-exhausted', message },
];
const policy = { ...RETRY_POLICY, maxAttempts: 3 };

describe('what follows a fault', () => {
  it('is never more than maxAttempts requests, and one for what cannot pass', () => {
    const fault = fc.constantFrom(...FAULTS);
    fc.assert(
      fc.property(
        fault,
        fc.integer({ min: 1, max: 10 }),
        fc.integer({ min: 1, max: 4 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (one, maxAttempts, route, random) => {
          let attempt = 1;
          let model = 0;
          for (;;) {
            const next = decideNext(one, attempt, model, route, { ...policy, maxAttempts }, random);
            if (next.kind === 'give-up') break;
            expect(next.model).toBeGreaterThanOrEqual(model);
            expect(next.model).toBeLessThan(route);
            model = next.model;
            attempt += 1;
          }

          expect(attempt).toBe(isTransient(one) ? maxAttempts : 1);
        },
      ),
    );
  });

  it('waits what the gateway asked for, never less', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: policy.maxRetryAfterMs }), (retryAfterMs) => {
        const next = decideNext({ kind: 'rate-limited', retryAfterMs, message }, 1, 0, 1, policy, 0);

        expect(next).toEqual({ kind: 'retry', delayMs: retryAfterMs, model: 0 });
      }),
    );
  });

  it.each([
    ['waits at random up to 500 ms first', FAULTS[1], 1, 0.5, { delayMs: 250, model: 0 }],
    ['takes the fallback for the last attempt', FAULTS[1], 2, 0.5, { delayMs: 500, model: 1 }],
    ['takes the next model after a time-out', FAULTS[4], 1, 0, { delayMs: 0, model: 1 }],
    [
      'takes the next model instead of too long a wait',
      { kind: 'rate-limited', retryAfterMs: 600_000, message } as const,
      1,
      0,
      { delayMs: 0, model: 1 },
    ],
  ])('%s', (_, fault, attempt, random, expected) => {
    expect(decideNext(fault as Fault, attempt, 0, 2, policy, random)).toEqual({ kind: 'retry', ...expected });
  });

  it('gives up when the wait is too long and no other model is left', () => {
    expect(decideNext({ kind: 'rate-limited', retryAfterMs: 600_000, message }, 1, 0, 1, policy, 0)).toEqual({
      kind: 'give-up',
    });
  });

  it('has a code of its own for every kind, and names the limit that struck', () => {
    expect(new Set(FAULTS.map((fault) => failureOf(fault).code)).size).toBe(FAULTS.length);
    expect(failureOf({ kind: 'timed-out', limit: 'first-token', limitMs: 7 }).message).toBe(
      'Timed out: no first token within 7 ms.',
    );
  });
});

const rule = (name: string, position: number, more: Partial<RoutingRule> = {}): RoutingRule => ({
  ...{
    id: name,
    name,
    position,
    isEnabled: true,
    taskTypes: [],
    roles: [],
    minPromptTokens: null,
    maxPromptTokens: null,
  },
  ...{
    models: [`${name}-1`, `${name}-2`],
    systemPrompt: null,
    temperature: null,
    maxTokens: null,
    timeoutMs: null,
    maxAttempts: null,
  },
  ...more,
});

describe('a route', () => {
  const rules = [
    rule('off', 1, { isEnabled: false }),
    rule('collect', 2, { taskTypes: ['collect'] }),
    rule('boss', 3, { roles: ['boss'] }),
    rule('long', 4, { minPromptTokens: 100, maxPromptTokens: 200 }),
    rule('any', 5),
  ];
  const agent = { taskType: null, role: null, model: null, promptTokens: 1 };

  it.each([
    ['by task type', { taskType: 'collect' }, ['collect-1', 'collect-2']],
    ['by task type in any case', { taskType: 'Collect' }, ['collect-1', 'collect-2']],
    ['by role', { role: 'boss' }, ['boss-1', 'boss-2']],
    ['by prompt size, both ends included', { promptTokens: 200 }, ['long-1', 'long-2']],
    ['by the rule for all others', { promptTokens: 201 }, ['any-1', 'any-2']],
    ['with its own model first', { taskType: 'collect', model: 'mine' }, ['mine', 'collect-1', 'collect-2']],
    ['with its own model once', { taskType: 'collect', model: 'collect-2' }, ['collect-2', 'collect-1']],
  ])('is found %s', (_, more, models) => {
    expect(resolveRoute({ ...agent, ...more }, rules, () => true).models).toEqual(models);
  });

  it('leaves out models that are turned off, and says why it is as it is', () => {
    const route = resolveRoute({ ...agent, taskType: 'collect' }, rules, (model) => model !== 'collect-1');

    expect(route.models).toEqual(['collect-2']);
    expect(route.reason).toBe('Rule "collect" at position 2 matches (task type "collect").');
  });

  it('takes settings from agent, rule, swarm and the built-in ones, in this order', () => {
    const none = { systemPrompt: null, temperature: null, maxTokens: null, timeoutMs: null, maxAttempts: null };
    const settings = resolveSettings({ ...none, temperature: 0 }, rule('r', 1, { temperature: 1, maxTokens: 10 }), {
      ...none,
      temperature: 2,
      maxTokens: 20,
      timeoutMs: 30,
    });

    expect(settings).toEqual({ systemPrompt: undefined, temperature: 0, maxTokens: 10, timeoutMs: 30, maxAttempts: 3 });
  });
});

describe('an outcome', () => {
  const ended = (succeeded: number, total: number) => ({
    ...queuedProgress(total),
    queued: 0,
    succeeded,
    failed: total - succeeded,
  });

  it.each([
    [100, 100, 1, 'SUCCEEDED'],
    [93, 100, 0.8, 'PARTIAL'],
    [93, 100, 0.93, 'PARTIAL'],
    [93, 100, 0.94, 'FAILED'],
    [93, 100, 0.95, 'FAILED'],
    [0, 3, 0, 'FAILED'],
    [1, 3, 1 / 3, 'PARTIAL'],
  ])('of %i out of %i with minSuccess %d is %s', (succeeded, total, minSuccess, status) => {
    expect(decideOutcome(ended(succeeded, total), minSuccess).status).toBe(status);
  });
});

describe('a state', () => {
  const SWARM: SwarmStatus[] = [
    'QUEUED',
    'PLANNING',
    'RUNNING',
    'FUSING',
    'PAUSED',
    'SUCCEEDED',
    'PARTIAL',
    'FAILED',
    'CANCELED',
  ];
  const AGENT: AgentStatus[] = ['QUEUED', 'RUNNING', 'WAITING', 'SUCCEEDED', 'FAILED', 'CANCELED', 'SKIPPED'];

  it('has a way out while it is open, to CANCELED too, and none when it has ended', () => {
    for (const from of SWARM) {
      expect(SWARM.some((to) => canSwarmStep(from, to))).toBe(!isEndedSwarm(from));
      expect(canSwarmStep(from, 'CANCELED')).toBe(!isEndedSwarm(from));
    }
    for (const from of AGENT) {
      expect(AGENT.some((to) => canAgentStep(from, to))).toBe(!isEndedAgent(from));
      expect(canAgentStep(from, 'CANCELED')).toBe(!isEndedAgent(from));
    }
  });

  it('moves agents without losing one', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(4), fc.constantFrom(...AGENT))), (steps) => {
        const statuses = Array<AgentStatus>(5).fill('QUEUED');
        let progress = queuedProgress(5);
        for (const [index, to] of steps) {
          const from = statuses[index] ?? 'QUEUED';
          if (!canAgentStep(from, to)) continue;
          progress = moveAgent(progress, from, to);
          statuses[index] = to;
        }
        const { total, ...counters } = progress;

        expect(Object.values(counters).reduce((sum, count) => sum + count, 0)).toBe(total);
        expect(counters.succeeded).toBe(statuses.filter((status) => status === 'SUCCEEDED').length);
      }),
    );
  });
});
