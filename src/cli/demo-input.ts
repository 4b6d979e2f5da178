/** What the demo asks: product reviews of a shop, in Korean and English, in three groups of agents. */
const PRODUCTS = [
  { en: 'mechanical keyboard', ko: '기계식 키보드' },
  { en: 'trail running shoes', ko: '트레일 러닝화' },
  { en: 'espresso machine', ko: '에스프레소 머신' },
  { en: 'noise-cancelling headphones', ko: '노이즈 캔슬링 헤드폰' },
  { en: 'air purifier', ko: '공기청정기' },
  { en: 'standing desk', ko: '스탠딩 책상' },
] as const;
const ASPECTS = [
  { en: 'delivery', ko: '배송' },
  { en: 'durability', ko: '내구성' },
  { en: 'price', ko: '가격' },
  { en: 'design', ko: '디자인' },
  { en: 'customer service', ko: '고객 응대' },
] as const;
const REVIEWS = [
  {
    en: 'Arrived two days early, but the box was torn and one part was missing.',
    ko: '이틀 일찍 왔지만 상자가 찢어졌고 부품 하나가 없었어요.',
  },
  {
    en: 'After three months of daily use it still looks new. Worth every cent.',
    ko: '석 달을 매일 썼는데도 새것 같아요. 돈이 아깝지 않습니다.',
  },
  {
    en: 'It squeaks. Support answered within an hour and sent a replacement.',
    ko: '소리가 나서 문의했더니 한 시간 만에 교체품을 보내 줬어요.',
  },
  { en: 'Nice to look at, too expensive for what it does.', ko: '보기는 좋은데 성능에 비해 너무 비쌉니다.' },
] as const;

interface Words {
  readonly en: string;
  readonly ko: string;
}

const at = (list: readonly [Words, ...Words[]], index: number): Words => list[index % list.length] ?? list[0];

function prompt(taskType: string, index: number): string {
  const product = at(PRODUCTS, index);
  const aspect = at(ASPECTS, Math.floor(index / PRODUCTS.length));
  const review = at(REVIEWS, index);
  if (index % 2 === 0) {
    const asked = {
      collect: 'Collect the facts about',
      analyze: 'Analyze what buyers say about',
      generate: 'Generate a reply of the shop about',
    };
    return `${asked[taskType as keyof typeof asked]} the ${aspect.en} of the ${product.en}. Batch ${index}. Review: "${review.en}"`;
  }
  const asked = { collect: '사실을 모아 줘', analyze: '구매자 의견을 분석해 줘', generate: '가게의 답글을 써 줘' };
  return `${product.ko}의 ${aspect.ko}에 대해 ${asked[taskType as keyof typeof asked]}. 묶음 ${index}. 리뷰: "${review.ko}"`;
}

const GROUPS = [
  { taskType: 'collect', role: 'collector', count: 150 },
  { taskType: 'analyze', role: 'analyst', count: 100 },
  { taskType: 'generate', role: 'writer', count: 50 },
] as const;

/** A LaunchSwarmInput of 300 agents. */
export function demoInput(): object {
  const agents = GROUPS.flatMap(({ taskType, role, count }) =>
    Array.from({ length: count }, (_, index) => ({
      key: `${taskType}-${index + 1}`,
      ...{ role, taskType, maxTokens: 400 },
      prompt: prompt(taskType, index),
    })),
  );
  return {
    name: 'demo: product reviews',
    goal: 'What do buyers of the shop praise and criticise, product by product, and what should the shop fix first?',
    plan: { agents },
    fusion: { strategy: 'SYNTHESIZE' },
    concurrency: 300,
    budgetUsd: '5',
    minSuccess: 0.9,
    baselineModel: 'openai/gpt-4.1',
  };
}
