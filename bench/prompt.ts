/** The model of all contenders. Waggle's agents ask for it by name, so that no rule adds anything. */
export const MODEL = 'openai/gpt-4.1';

/** About 200 characters, English and Korean by turns; different for each agent, the same for each contender. */
export function promptOf(index: number): string {
  return index % 2 === 0
    ? `Review ${index}: "The blender is quiet and strong, but the lid leaks after two weeks and support took five days to answer." Say what the customer likes, what is wrong, and what the shop should do about it.`
    : `리뷰 ${index}: "배송은 빨랐고 포장도 좋았지만, 소음이 생각보다 크고 설명서가 한국어로 되어 있지 않아서 처음에 많이 헤맸습니다." 고객이 만족한 점과 불만족한 점, 그리고 상점이 해야 할 일을 두세 문장으로 정리해 주세요.`;
}
