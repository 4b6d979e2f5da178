import { describe, expect, it } from 'vitest';
import { type RequestFacts, senderOf } from '../../src/sandbox/facts.ts';
import { latencyOf } from '../../src/sandbox/latency.ts';

function facts(index: number | undefined, attempt = 1, contentHash = 0): RequestFacts {
  const headers =
    index === undefined
      ? {}
      : { 'x-waggle-agent-id': `agent_01h_${index}`, 'x-waggle-attempt-id': `attempt_01h_${index}_${attempt}` };
  const request = { model: 'm', isStream: true, systemPrompt: '', prompt: '', promptTokens: 1, maxTokens: undefined };
  return { ...senderOf(headers), ...request, contentHash, arrival: 1 };
}

const SPREAD = { medianMs: 1_000, sigma: 0.5 };
const draw = (seed: number, contentHash = 0) =>
  Array.from({ length: 1_001 }, (_, index) => latencyOf(SPREAD, facts(index, 1, contentHash), seed));

describe('latency', () => {
  it('is the fixed number', () => {
    expect(latencyOf(250, facts(1), 1)).toBe(250);
  });

  it('is what a function says of an agent', () => {
    expect(latencyOf(({ agentIndex }) => (agentIndex ?? 0) * 10, facts(7), 1)).toBe(70);
  });

  it('of an agent is the same whatever the body says', () => {
    expect(draw(1, 111)).toEqual(draw(1, 222));
  });

  it('of an agent does not depend on the header of its first attempt', () => {
    const bare = { ...facts(3), ...senderOf({ 'x-waggle-agent-id': 'agent_01h_3' }) };

    expect(latencyOf(SPREAD, bare, 1)).toBe(latencyOf(SPREAD, facts(3), 1));
  });

  it('depends on the content when no agent is named', () => {
    expect(latencyOf(SPREAD, facts(undefined, 1, 111), 1)).not.toBe(latencyOf(SPREAD, facts(undefined, 1, 222), 1));
  });

  it('differs by seed and by attempt', () => {
    expect(draw(1)).not.toEqual(draw(2));
    expect(latencyOf(SPREAD, facts(1, 1), 1)).not.toBe(latencyOf(SPREAD, facts(1, 2), 1));
  });

  it('is spread log-normally around the median', () => {
    const sorted = draw(1).toSorted((a, b) => a - b);
    const deviations = sorted.map((ms) => Math.log(ms / 1_000));
    const sigma = Math.sqrt(deviations.reduce((sum, deviation) => sum + deviation ** 2, 0) / sorted.length);

    expect(sorted[500]).toBeGreaterThan(900);
    expect(sorted[500]).toBeLessThan(1_100);
    expect(Math.round(sigma * 10)).toBe(5);
  });
});

describe('a sender', () => {
  it.each([
    ['an agent', 'agent_01h_7', 'attempt_01h_7_2', { agentIndex: 7, attemptNumber: 2 }],
    ['an attempt alone', undefined, 'attempt_01h_7_2', { agentIndex: 7, attemptNumber: 2 }],
    ['a fusion', 'swarm_01h2xcejqtf2nbrexx3vqjhp41', 'attempt_01h_fuse_3', { agentIndex: undefined, attemptNumber: 3 }],
    ['a stranger', 'someone', 'x', { agentIndex: undefined, attemptNumber: 1 }],
    ['nobody', undefined, undefined, { agentIndex: undefined, attemptNumber: 1 }],
  ])('is read as %s', (_, agentId, attemptId, expected) => {
    const headers = { 'x-waggle-agent-id': agentId, 'x-waggle-attempt-id': attemptId };

    expect(senderOf(headers)).toMatchObject(expected);
  });
});
