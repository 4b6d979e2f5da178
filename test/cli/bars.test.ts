import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draw, emptyPicture, fold } from '../../src/cli/bars.ts';
import type { Batch, WatchedEvent } from '../../src/cli/swarm-event.ts';

const groupOf = new Map(Array.from({ length: 12 }, (_, index) => [`a${index}`, index < 8 ? 'collect' : '분석']));
const progress = { total: 12, running: 0, waiting: 0, succeeded: 6, failed: 0, canceled: 0, skipped: 0 };
const batchOf = (events: readonly WatchedEvent[]): Batch => ({
  cursor: 'c',
  status: 'RUNNING',
  costUsd: '0.01',
  progress,
  events,
});
const event = fc.record({
  sequence: fc.nat(),
  agentKey: fc.constantFrom(...groupOf.keys()),
  agentStatus: fc.constantFrom('RUNNING', 'WAITING', 'SUCCEEDED', 'FAILED'),
});

describe('the picture of a swarm', () => {
  it('is the same for the same events in any batches', () => {
    fc.assert(
      fc.property(fc.array(event), fc.array(fc.nat(5)), (events, sizes) => {
        const atOnce = fold(emptyPicture(groupOf), batchOf(events), groupOf);
        let inPieces = emptyPicture(groupOf);
        let rest = events;
        for (const size of sizes) {
          inPieces = fold(inPieces, batchOf(rest.slice(0, size)), groupOf);
          rest = rest.slice(size);
        }
        inPieces = fold(inPieces, batchOf(rest), groupOf);

        expect(inPieces.groups).toEqual(atOnce.groups);
      }),
    );
  });

  it('has a bar for each group, and the cost and speed of the whole', () => {
    const events = [
      { sequence: 1, agentKey: 'a0', agentStatus: 'SUCCEEDED' },
      { sequence: 2, agentKey: 'a1', agentStatus: 'FAILED' },
      { sequence: 3, agentKey: 'a9', agentStatus: 'RUNNING' },
    ];

    const lines = draw(fold(emptyPicture(groupOf), batchOf(events), groupOf), 60_000, 120);

    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain('1/8 done, 0 running, 0 waiting, 1 failed');
    expect(lines[1]).toContain('0/4 done, 1 running');
    expect(lines[2]).toContain('$0.01 so far, 6 agents a minute, 60.0 s');
  });
});
