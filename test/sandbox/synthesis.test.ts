import { describe, expect, it } from 'vitest';
import { aSandbox, ask, completion } from './client.ts';

const FUSER = 'You fuse the reports of several agents into one answer.';

async function fuse(prompt: string, system = FUSER): Promise<string> {
  return completion(await ask(await aSandbox(), { system, prompt })).choices[0].message.content;
}

function reports(count: number, body: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => `## item-${index + 1} (analyst)\n\n${body(index)}\n`).join('\n');
}

const GOAL = '# Goal\n\nWhat do buyers say?\n\n';

describe('a synthesis', () => {
  it('counts the reports and names those it quotes', async () => {
    const text = await fuse(`${GOAL}# Reports (3)\n\n${reports(3, (index) => `Fact ${index} is known to us.`)}`);

    expect(text).toContain('Sources: 3 reports');
    expect(text).toContain('# Fused report: What do buyers say?');
    expect(text).toContain('- **item-2 (analyst)**: Fact 1 is known to us.');
  });

  it('adds up what the reports say of sentiment and themes', async () => {
    const sentiments = ['positive', 'negative', 'negative'];
    const text = await fuse(
      GOAL +
        reports(
          3,
          (index) => `**Sentiment:** ${sentiments[index]}\n\n${index === 0 ? 'The price is high.' : 'Nothing more.'}`,
        ),
    );

    expect(text).toContain('1 positive, 2 negative, 0 mixed');
    expect(text).toContain('price: in 1 of 3');
  });

  it('is written in the language of the goal, not of the reports', async () => {
    const text = await fuse(`# Goal\n\n고객은 무엇을 말하나요?\n\n${reports(4, () => 'The delivery was late.')}`);

    expect(text).toContain('# 종합 보고서: 고객은 무엇을 말하나요?');
    expect(text).toContain('근거: 보고서 4건');
  });

  it('names what is missing', async () => {
    const text = await fuse(
      `${GOAL}# Missing\n\nThese agents gave no report:\n- item-9 (analyst)\n\n${reports(1, () => 'Well known.')}`,
    );

    expect(text).toContain('## Missing\n\n- item-9 (analyst)');
  });

  it('counts a fused report as the reports in it', async () => {
    const leaf = await fuse(GOAL + reports(5, () => '**Sentiment:** mixed\n\nThe size is small.'));
    const root = await fuse(GOAL + reports(2, () => leaf));

    expect(root).toContain('Sources: 10 reports');
    expect(root).toContain('10 mixed');
  });

  it('is recognised by many report headings alone', async () => {
    const text = await fuse(
      reports(5, () => 'Short but whole.'),
      'You help.',
    );

    expect(text).toContain('Sources: 5 reports');
  });
});
