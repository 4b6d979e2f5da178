import { expect } from 'vitest';
import { moveAgent, queuedProgress } from '../../src/swarm/domain/progress.ts';
import {
  type AgentStatus,
  canAgentStep,
  canSwarmStep,
  isEndedAgent,
  isEndedSwarm,
  type SwarmStatus,
} from '../../src/swarm/domain/status.ts';
import { readEvents } from '../../src/swarm/store/read-events.ts';
import { stored, type Waggle } from './waggle.ts';

const sum = (values: readonly (bigint | null)[]) => values.reduce<bigint>((total, value) => total + (value ?? 0n), 0n);

/**
 * What must hold of any swarm that has ended, whatever happened to it: the log has no gap, all paths are legal, the
 * counters in the events are those of the rows, every agent has ended, and the money adds up three times.
 */
export async function expectSound(waggle: Pick<Waggle, 'prisma'>, swarmId: string): Promise<void> {
  const { swarm, agents, attempts } = await stored(waggle, swarmId);
  const events = await readEvents(waggle.prisma, swarmId, 0, 1_000_000);
  expect(events.map((event) => event.sequence)).toEqual(Array.from({ length: swarm.lastSequence }, (_, i) => i + 1));

  let status: SwarmStatus = 'QUEUED';
  let progress = queuedProgress(agents.length);
  const statuses = new Map<number, AgentStatus>();
  for (const { data, sequence } of events) {
    expect(isEndedSwarm(status), `event ${sequence} comes after the end`).toBe(false);
    if (data.type === 'swarm-status') {
      expect(canSwarmStep(status, data.swarmStatus), `${status} → ${data.swarmStatus}`).toBe(true);
      status = data.swarmStatus;
    } else {
      const from = statuses.get(data.index) ?? 'QUEUED';
      expect(canAgentStep(from, data.agentStatus), `agent ${data.index}: ${from} → ${data.agentStatus}`).toBe(true);
      statuses.set(data.index, data.agentStatus);
      progress = moveAgent(progress, from, data.agentStatus);
    }
    expect(data.progress).toEqual(progress);
  }

  expect(swarm.status).toBe(status);
  expect(isEndedSwarm(status)).toBe(true);
  const { total, queued, running, waiting, succeeded, failed, canceled, skipped } = swarm;
  expect({ total, queued, running, waiting, succeeded, failed, canceled, skipped }).toEqual(progress);
  for (const agent of agents) {
    expect(isEndedAgent(agent.status), `agent ${agent.index} is ${agent.status}`).toBe(true);
    expect(agent.status).toBe(statuses.get(agent.index));
  }
  expect(attempts.filter((attempt) => attempt.status === 'RUNNING')).toEqual([]);

  const rollups = await waggle.prisma.costRollup.findMany();
  const cost = sum(attempts.map((attempt) => attempt.costNanoUsd));
  expect(swarm.costNanoUsd).toBe(cost);
  expect(sum(agents.map((agent) => agent.costNanoUsd))).toBe(
    sum(attempts.filter((attempt) => attempt.agentIndex >= 0).map((attempt) => attempt.costNanoUsd)),
  );
  expect(swarm.attempts).toBe(attempts.length);
  const all = await waggle.prisma.attempt.findMany({ where: { status: { not: 'RUNNING' } } });
  expect(sum(rollups.map((rollup) => rollup.costNanoUsd))).toBe(sum(all.map((attempt) => attempt.costNanoUsd)));
  expect(sum(rollups.map((rollup) => rollup.calls))).toBe(BigInt(all.length));
  if (swarm.budgetNanoUsd !== null) expect(cost <= swarm.budgetNanoUsd).toBe(true);
}
