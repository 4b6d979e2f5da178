import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases, type TestDatabase } from '../support/databases.ts';
import { expectSound } from '../support/invariants.ts';
import { agents, aWaggle, collect, launch, stored, type Waggle } from '../support/waggle.ts';

/** Seven of a hundred fail for good. */
const FAILING = [3, 14, 15, 35, 65, 89, 92];

describe.each(databases)('a fusion on $name', ({ open }) => {
  let test: TestDatabase;
  let waggle: Waggle;

  beforeEach(async () => {
    test = await open();
    waggle = await aWaggle(test, { sandbox: { faults: FAILING.map((agentIndex) => ({ agentIndex, status: 400 })) } });
  });

  afterEach(async () => {
    await waggle.close();
    await test.drop();
  });

  it('takes the 93 answers there are when 80 % are enough, and names the 7 that are missing', async () => {
    const swarmId = await launch(waggle, { plan: agents(100), minSuccess: 0.8, fusion: { strategy: 'CONCAT' } });
    await collect(waggle, swarmId);

    const { swarm } = await stored(waggle, swarmId);

    expect(swarm).toMatchObject({ status: 'PARTIAL', succeeded: 93, failed: 7, fusionMissing: FAILING });
    expect(swarm.fusionSources).toHaveLength(93);
    expect(swarm.result?.match(/^## /gm)).toHaveLength(93);
    await expectSound(waggle, swarmId);
  });

  it('does not happen when 95 % are needed, and the 93 answers can be read', async () => {
    const swarmId = await launch(waggle, { plan: agents(100), minSuccess: 0.95, fusion: { strategy: 'CONCAT' } });
    await collect(waggle, swarmId);

    const { swarm, agents: rows } = await stored(waggle, swarmId);

    expect(swarm).toMatchObject({
      status: 'FAILED',
      failureCode: 'TOO_FEW_SUCCEEDED',
      fusionStatus: 'SKIPPED',
      result: null,
    });
    expect(rows.filter((agent) => agent.output !== null && agent.output !== '')).toHaveLength(93);
  });

  it('by synthesis gives the fuser goal, roles and reports, and books its request', async () => {
    const swarmId = await launch(waggle, {
      goal: 'What should the shop fix first?',
      plan: agents(5, (index) => ({ role: `role-${index}` })),
      minSuccess: 0.5,
      fusion: { strategy: 'SYNTHESIZE' },
    });
    await collect(waggle, swarmId);

    const { swarm, attempts } = await stored(waggle, swarmId);

    expect(swarm).toMatchObject({ status: 'PARTIAL', fusionStatus: 'SUCCEEDED', fusionCalls: 1, fusionMissing: [3] });
    expect(swarm.fusionModel).toBe('google/gemini-2.5-flash');
    expect(swarm.result?.length).toBeGreaterThan(0);
    expect(attempts.filter((attempt) => attempt.purpose === 'FUSE')).toMatchObject([
      { agentIndex: -1, status: 'SUCCEEDED' },
    ]);
    await expectSound(waggle, swarmId);
  });

  it('that fails has its own failure, and all answers stay', async () => {
    waggle.sandbox.configure({ faults: [{ promptIncludes: '# Reports', status: 500 }] });
    const swarmId = await launch(waggle, { goal: 'Sum up.', plan: agents(3), fusion: { strategy: 'SYNTHESIZE' } });
    await collect(waggle, swarmId);

    const { swarm, agents: rows, attempts } = await stored(waggle, swarmId);

    expect(swarm).toMatchObject({
      status: 'FAILED',
      failureCode: 'FUSION_FAILED',
      fusionStatus: 'FAILED',
      fusionFailureCode: 'GATEWAY_ERROR',
      succeeded: 3,
    });
    expect(rows.every((agent) => agent.output)).toBe(true);
    expect(attempts.filter((attempt) => attempt.purpose === 'FUSE')).toHaveLength(3);
    await expectSound(waggle, swarmId);
  });
});
