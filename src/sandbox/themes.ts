import type { Language } from './language.ts';

/** Something that reviews of a shop's products are about. */
export interface Theme {
  readonly name: string;
  readonly words: RegExp;
  readonly praise: string;
  readonly complaint: string;
  readonly advice: string;
}

type Themes = readonly [Theme, ...Theme[]];

const ENGLISH: Themes = [
  {
    name: 'delivery',
    words: /deliver|shipp|courier|arriv|\blate\b/i,
    praise: 'The parcel came a day earlier than promised.',
    complaint: 'The parcel came several days late and tracking stood still.',
    advice: 'Show the real delivery date at checkout and write to buyers before it slips.',
  },
  {
    name: 'build quality',
    words: /quality|broke|sturdy|defect|flims|stitch|durab/i,
    praise: 'The material feels solid and the finish is clean.',
    complaint: 'A seam came loose within two weeks of normal use.',
    advice: 'Check the last three batches of the supplier and replace faulty pieces without a return.',
  },
  {
    name: 'price',
    words: /price|cheap|expensive|value|worth|refund|discount/i,
    praise: 'Buyers call it good value beside the two better known brands.',
    complaint: 'It feels too expensive for what is in the box.',
    advice: 'Offer a bundle instead of a lower price; the complaint is about content, not about the amount.',
  },
  {
    name: 'size and fit',
    words: /\bsize|\bfit|tight|loose|small|large/i,
    praise: 'It fits as the size table says.',
    complaint: 'It comes out about one size smaller than the table says.',
    advice: 'Correct the size table and add the measures of two reviewers to the product page.',
  },
  {
    name: 'packaging',
    words: /packag|\bbox\b|wrap|crush|dent/i,
    praise: 'The packaging is small, tidy and can be recycled.',
    complaint: 'The box was crushed although the product survived.',
    advice: 'Use the stronger carton for orders above two kilograms.',
  },
  {
    name: 'customer service',
    words: /service|support|staff|answer|respon|helpful/i,
    praise: 'Support answered within the hour and solved it in one message.',
    complaint: 'Support asked three times for the same photo.',
    advice: 'Let one person own a complaint until it is closed.',
  },
  {
    name: 'ease of use',
    words: /easy|manual|setup|instruct|complicat|intuitive|button|app\b/i,
    praise: 'It was ready in five minutes without the manual.',
    complaint: 'The manual skips the step where most buyers get stuck.',
    advice: 'Put a one-minute video of the first start behind a code on the box.',
  },
];

const KOREAN: Themes = [
  {
    name: '배송',
    words: /배송|도착|택배|늦/,
    praise: '약속한 날짜보다 하루 일찍 도착했다는 평이 많습니다.',
    complaint: '배송이 며칠 늦었고 조회 화면이 멈춰 있었다고 합니다.',
    advice: '결제 화면에 실제 도착 예정일을 보여 주고, 늦어지기 전에 먼저 알리세요.',
  },
  {
    name: '품질',
    words: /품질|불량|고장|튼튼|마감|내구/,
    praise: '소재가 탄탄하고 마감이 깔끔하다고 합니다.',
    complaint: '2주 만에 이음새가 벌어졌다는 불만이 있습니다.',
    advice: '최근 세 차례 입고분을 점검하고 불량품은 반품 없이 교환해 주세요.',
  },
  {
    name: '가격',
    words: /가격|비싸|저렴|가성비|할인|환불/,
    praise: '비슷한 브랜드보다 가성비가 좋다고 평가합니다.',
    complaint: '구성에 비해 가격이 비싸게 느껴진다고 합니다.',
    advice: '가격을 내리기보다 묶음 구성을 제안하세요. 불만은 금액이 아니라 구성에 있습니다.',
  },
  {
    name: '사이즈',
    words: /사이즈|치수|크기|작아|작네|커요|핏/,
    praise: '사이즈 표와 실제 치수가 잘 맞습니다.',
    complaint: '표기보다 한 치수 정도 작게 나왔다고 합니다.',
    advice: '사이즈 표를 고치고 구매자 두 명의 실측 후기를 상품 페이지에 넣으세요.',
  },
  {
    name: '포장',
    words: /포장|상자|박스|찌그러|파손/,
    praise: '포장이 작고 단정하며 재활용하기 쉽습니다.',
    complaint: '상자가 찌그러져 도착했지만 제품은 무사했습니다.',
    advice: '2kg이 넘는 주문에는 더 튼튼한 상자를 쓰세요.',
  },
  {
    name: '고객 응대',
    words: /응대|고객센터|상담|친절|문의/,
    praise: '한 시간 안에 답변을 받았고 한 번에 해결됐다고 합니다.',
    complaint: '같은 사진을 세 번이나 다시 요청받았다고 합니다.',
    advice: '문의 하나는 끝날 때까지 한 사람이 맡도록 하세요.',
  },
  {
    name: '사용감',
    words: /사용|설명서|설치|버튼|편리|편해|불편/,
    praise: '설명서 없이도 5분 만에 쓸 수 있었다고 합니다.',
    complaint: '설명서에 가장 많이 막히는 단계가 빠져 있습니다.',
    advice: '첫 사용법을 1분 영상으로 만들어 상자에 QR 코드로 넣으세요.',
  },
];

export const THEMES: Readonly<Record<Language, Themes>> = { en: ENGLISH, ko: KOREAN };
