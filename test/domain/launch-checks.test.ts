import { describe, expect, it } from 'vitest';
import type { Catalog } from '../../src/swarm/domain/catalog.ts';
import { decodeCursor, encodeCursor } from '../../src/swarm/domain/cursor.ts';
import { concatReports, fuserRoute, fusionShare, synthesisPrompt } from '../../src/swarm/domain/fusion.ts';
import { agentId, attemptId, parseAgentId, parseAttemptId, typeOfId } from '../../src/swarm/domain/ids.ts';
import type { LaunchInput } from '../../src/swarm/domain/launch-input.ts';
import { checkLaunchSettings, settingsOf } from '../../src/swarm/domain/launch-settings.ts';
import { makePlan } from '../../src/swarm/domain/plan.ts';
import { hasItemPlaceholder, renderTemplate } from '../../src/swarm/domain/template.ts';
import { showableLength, storableText } from '../../src/swarm/domain/text.ts';

const price = { inputNanoUsd: 10n ** 9n, cachedInputNanoUsd: 10n ** 8n, outputNanoUsd: 2n * 10n ** 9n };
const model = (name: string, contextWindow: number, more = {}) =>
  [name, { name, gateway: 'g', contextWindow, maxOutputTokens: 1_000, isEnabled: true, price, ...more }] as const;
const catalog: Catalog = {
  rules: [
    {
      ...{
        id: 'r',
        name: 'any',
        position: 1,
        isEnabled: true,
        taskTypes: [],
        roles: [],
        minPromptTokens: null,
        maxPromptTokens: null,
      },
      ...{
        models: ['small', 'large'],
        systemPrompt: null,
        temperature: null,
        maxTokens: null,
        timeoutMs: null,
        maxAttempts: null,
      },
    },
  ],
  models: new Map([
    model('small', 1_000),
    model('large', 100_000),
    model('off', 1_000, { isEnabled: false }),
    model('free', 1_000, { price: undefined }),
  ]),
};

const input = (words: Partial<LaunchInput>): LaunchInput => ({
  plan: { agents: [{ prompt: 'x' }] },
  onBudget: 'FUSE_PARTIAL',
  minSuccess: 1,
  allowUnpriced: false,
  ...words,
});

/** "path code" of every problem, in the order of paths. */
function problems(words: Partial<LaunchInput>): string[] {
  const launch = input(words);
  const plan = makePlan(launch, settingsOf(launch, 1).defaults, catalog);
  const issues = [...checkLaunchSettings(launch, catalog), ...(plan.kind === 'faulty' ? plan.issues : [])];
  return issues.map((issue) => `${issue.path.join('.')} ${issue.code}`).sort();
}

describe('a launch', () => {
  it.each([
    ['an empty plan', { plan: { agents: [] } }, ['input.plan.agents REQUIRED']],
    [
      '10,001 agents',
      { plan: { agents: Array.from({ length: 10_001 }, () => ({ prompt: 'x' })) } },
      ['input.plan.agents OUT_OF_RANGE'],
    ],
    [
      'a key given twice',
      {
        plan: {
          agents: [
            { key: 'a', prompt: 'x' },
            { key: 'a', prompt: 'y' },
          ],
        },
      },
      ['input.plan.agents.1.key DUPLICATE'],
    ],
    [
      'a key that another agent gets by itself',
      { plan: { agents: [{ key: 'agent-2', prompt: 'x' }, { prompt: 'y' }] } },
      ['input.plan.agents.1.key DUPLICATE'],
    ],
    ['a NUL in a prompt', { plan: { agents: [{ prompt: 'a\u0000b' }] } }, ['input.plan.agents.0.prompt MALFORMED']],
    ['half a surrogate pair', { plan: { agents: [{ prompt: 'a\ud83d' }] } }, ['input.plan.agents.0.prompt MALFORMED']],
    [
      'a template that names no item',
      { plan: { template: { prompt: 'x', items: [1] } } },
      ['input.plan.template.prompt MALFORMED'],
    ],
    [
      'an item without the field',
      { plan: { template: { prompt: '{{item.a}}', items: [{ a: 1 }, { b: 1 }] } } },
      ['input.plan.template.items.1 MALFORMED'],
    ],
    [
      'an unknown model and one that is off',
      { defaults: { model: 'none' }, plan: { agents: [{ prompt: 'x', model: 'off' }] } },
      ['input.defaults.model UNKNOWN', 'input.plan.agents.0.model UNKNOWN'],
    ],
    [
      'numbers out of range',
      {
        concurrency: 0,
        minSuccess: 2,
        deadlineMs: 0,
        budgetUsd: -1n,
        defaults: { temperature: 3, maxTokens: 0, timeoutMs: 0, maxAttempts: 0 },
      },
      [
        'input.budgetUsd OUT_OF_RANGE',
        'input.concurrency OUT_OF_RANGE',
        'input.deadlineMs OUT_OF_RANGE',
        'input.defaults.maxAttempts OUT_OF_RANGE',
        'input.defaults.maxTokens OUT_OF_RANGE',
        'input.defaults.temperature OUT_OF_RANGE',
        'input.defaults.timeoutMs OUT_OF_RANGE',
        'input.minSuccess OUT_OF_RANGE',
      ],
    ],
    ['a synthesis of nothing', { fusion: { strategy: 'SYNTHESIZE' } }, ['input.goal REQUIRED']],
    [
      'a fuser that is not asked',
      { fusion: { strategy: 'CONCAT', model: 'large', maxTokens: 5 } },
      ['input.fusion.maxTokens NOT_APPLICABLE', 'input.fusion.model NOT_APPLICABLE'],
    ],
    ['a baseline without a price', { baselineModel: 'free' }, ['input.baselineModel UNKNOWN']],
    [
      'a label given twice',
      {
        labels: [
          { key: 'a', value: '1' },
          { key: 'a', value: '2' },
        ],
      },
      ['input.labels.1.key DUPLICATE'],
    ],
  ] as const)('with %s is refused with the path', (_, words, expected) => {
    expect(problems(words as Partial<LaunchInput>)).toEqual(expected);
  });

  it('without a route for an agent is refused', () => {
    const launch = input({});
    const plan = makePlan(launch, settingsOf(launch, 1).defaults, { ...catalog, rules: [] });

    expect(plan).toMatchObject({ kind: 'faulty', issues: [{ code: 'NO_ROUTE' }] });
  });
});

describe('a template', () => {
  it.each([
    ['{{item}}', 'text', 'text'],
    ['{{ item.a.b }}!', { a: { b: '$& $1' } }, '$& $1!'],
    ['{{item}}', { a: [1, '둘'] }, '{"a":[1,"둘"]}'],
    ['{{item.n}} {{item.f}}', { n: null, f: false }, 'null false'],
    ['{{other}} {{item}}', 1, '{{other}} 1'],
  ])('%j of %j is %j', (template, item, text) => {
    expect(renderTemplate(template, item)).toEqual({ kind: 'text', text });
  });

  it.each([['constructor'], ['__proto__'], ['a.b'], ['toString']])('does not reach %s', (field) => {
    expect(renderTemplate(`{{item.${field}}}`, { a: 1 })).toEqual({ kind: 'missing', field });
  });

  it('is known by its placeholder, again and again', () => {
    expect(['{{item}}', '{{item}}', '{item}', '{{ item.x }}'].map(hasItemPlaceholder)).toEqual([
      true,
      true,
      false,
      true,
    ]);
  });
});

describe('an id', () => {
  const swarmId = 'swarm_01m8rg8crkfantp8wen8q5atk6';

  it('of an agent or attempt names its swarm and place, and nothing else does', () => {
    expect(parseAgentId(agentId(swarmId, 7))).toEqual({ swarmId, index: 7 });
    expect(parseAttemptId(attemptId(swarmId, 7, 2))).toEqual({ swarmId, agentIndex: 7, number: 2 });
    expect(parseAttemptId(attemptId(swarmId, -1, 2))).toEqual({ swarmId, agentIndex: -1, number: 2 });
    expect([swarmId, agentId(swarmId, 1), attemptId(swarmId, 1, 1), 'x', 'agent_1_2'].map(typeOfId)).toEqual([
      'swarm',
      'agent',
      'attempt',
      undefined,
      undefined,
    ]);
    expect([
      parseAgentId(swarmId),
      parseAgentId(attemptId(swarmId, 1, 1)),
      parseAttemptId(agentId(swarmId, 1)),
    ]).toEqual([undefined, undefined, undefined]);
  });

  it('in a cursor keeps it from being used on another swarm', () => {
    const cursor = encodeCursor(swarmId, 12);

    expect(decodeCursor(swarmId, cursor)).toBe(12);
    expect(decodeCursor(swarmId.replace('6', '7'), cursor)).toBeUndefined();
    expect(
      ['', 'x', `${cursor}x`.repeat(2), Buffer.from(`${swarmId}:-1`).toString('base64url')].map((one) =>
        decodeCursor(swarmId, one),
      ),
    ).toEqual([undefined, undefined, undefined, undefined]);
  });
});

describe('a fusion', () => {
  const reports = [
    { key: 'a', role: 'tester', output: 'One.' },
    { key: 'b', role: null, output: ' Two. ' },
  ];
  const fusion = { strategy: 'SYNTHESIZE', model: null, instructions: null, maxTokens: null } as const;

  it('joins answers in order under headings', () => {
    expect(concatReports(reports)).toBe('## a (tester)\n\nOne.\n\n## b\n\nTwo.\n');
  });

  it('tells the fuser goal, instructions, reports and who is missing', () => {
    const prompt = synthesisPrompt('The goal', 'Be short.', reports, [{ key: 'c', role: 'lost' }]);

    for (const part of ['The goal', 'Be short.', '## a (tester)', 'One.', '- c (lost)']) expect(prompt).toContain(part);
  });

  it('is done by a model whose window holds it', () => {
    expect(fuserRoute(fusion, 'x'.repeat(4_000), 100, catalog).models).toEqual(['large']);
    expect(fuserRoute(fusion, 'x'.repeat(400), 100, catalog).models).toEqual(['small', 'large']);
    expect(fuserRoute(fusion, 'x'.repeat(4_000_000), 100, catalog).models).toEqual([]);
  });

  it('has a share that covers a whole window and answer of the dearest model of its route', () => {
    expect(fusionShare(fusion, [1_000_000], catalog)).toBe(100_000n * 1_000n + 4_096n * 2_000n);
    expect(fusionShare({ ...fusion, strategy: 'CONCAT' }, [1_000_000], catalog)).toBe(0n);
  });
});

describe('a text', () => {
  it('is storable and as long as it was', () => {
    const text = 'a\u0000\ud83d한🙂';

    expect(storableText(text)).toBe('a\u2400\ufffd한🙂');
    expect(storableText(text)).toHaveLength(text.length);
  });

  it('is shown without half a pair at its end', () => {
    expect(['ab', 'a\ud83d', 'a🙂', ''].map(showableLength)).toEqual([2, 1, 3, 0]);
  });
});
