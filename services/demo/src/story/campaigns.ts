import type { CampaignStatus } from '@zakup/domain/campaign/events';

export interface Channel {
  readonly key: string;
  readonly name: string;
  /** Topics whose readers come gladly. */
  readonly near: readonly string[];
}

export const channels: readonly Channel[] = [
  {
    key: 'money',
    name: 'Деньги без паники',
    near: ['Финансы', 'Инвестиции', 'Криптовалюты', 'Бизнес', 'Новости', 'Работа и карьера', 'Маркетинг'],
  },
  {
    key: 'kitchen',
    name: 'Кухня на каждый день',
    near: ['Кулинария', 'Женское', 'Дом и ремонт', 'Дети и семья', 'Здоровье', 'Сад и дача'],
  },
  {
    key: 'weekend',
    name: 'Выходные рядом',
    near: ['Путешествия', 'Региональные', 'Фото', 'Авто', 'Природа', 'Спорт'],
  },
  {
    key: 'code',
    name: 'Код и кофе',
    near: ['Технологии', 'Программирование', 'Игры', 'Наука', 'Образование', 'Книги'],
  },
];

/** A buyer's own terms within a campaign; null = the person's. */
export type Terms =
  | null
  | { readonly salaryType: 'budget' | 'percentage'; readonly salaryRate: number }
  | { readonly salaryType: 'performance'; readonly salaryRate: number; readonly cplThreshold: number };

export interface Campaign {
  readonly key: string;
  readonly channel: Channel;
  /** Before ` | <month>`; null = the channel's name stands there. */
  readonly title: string;
  readonly status: CampaignStatus;
  /** Shares of the story's length; an active one ends after it. */
  readonly from: number;
  readonly to: number;
  /** Placements a day beside the others'. */
  readonly weight: number;
  /** What leads cost here beside the usual. */
  readonly dear: number;
  /** Share of the budget that is spent at the end of the story. */
  readonly spent: number;
  readonly team: Readonly<Record<string, Terms>>;
}

const [money, kitchen, weekend, code] = channels as readonly [Channel, Channel, Channel, Channel];

/** In the order in which they begin; all three states. */
export const campaigns: readonly Campaign[] = [
  {
    key: 'money-1',
    channel: money,
    title: 'Первый набор',
    status: 'COMPLETED',
    from: 0,
    to: 0.3,
    weight: 0.8,
    dear: 1.1,
    spent: 0.97,
    team: {
      sokolova: null,
      zotov: { salaryType: 'performance', salaryRate: 12, cplThreshold: 120 },
      shubin: null,
      moroz: { salaryType: 'budget', salaryRate: 8 },
    },
  },
  {
    key: 'kitchen-1',
    channel: kitchen,
    title: 'Домашние рецепты',
    status: 'COMPLETED',
    from: 0.03,
    to: 0.41,
    weight: 0.9,
    dear: 0.85,
    spent: 0.93,
    team: { klimova: null, belova: null, shubin: { salaryType: 'percentage', salaryRate: 6 } },
  },
  {
    key: 'weekend-1',
    channel: weekend,
    title: 'Короткие поездки',
    status: 'COMPLETED',
    from: 0.11,
    to: 0.46,
    weight: 0.8,
    dear: 0.95,
    spent: 1.03,
    team: {
      ryabova: null,
      moroz: { salaryType: 'performance', salaryRate: 10, cplThreshold: 100 },
      belova: { salaryType: 'budget', salaryRate: 7 },
    },
  },
  {
    key: 'code-1',
    channel: code,
    title: 'Разработчики',
    status: 'COMPLETED',
    from: 0.25,
    to: 0.59,
    weight: 0.9,
    dear: 1.25,
    spent: 0.99,
    team: { tkachev: null, galiev: null, zotov: { salaryType: 'percentage', salaryRate: 9 } },
  },
  {
    key: 'money-2',
    channel: money,
    title: 'Широкая аудитория',
    status: 'COMPLETED',
    from: 0.33,
    to: 0.71,
    weight: 1.1,
    dear: 1.05,
    spent: 0.95,
    team: {
      sokolova: { salaryType: 'budget', salaryRate: 5 },
      zotov: null,
      klimova: { salaryType: 'performance', salaryRate: 10, cplThreshold: 100 },
      shubin: null,
    },
  },
  {
    key: 'kitchen-2',
    channel: kitchen,
    title: 'Новые подписчики',
    status: 'ACTIVE',
    from: 0.45,
    to: 1.12,
    weight: 1,
    dear: 0.8,
    spent: 0.72,
    team: {
      klimova: { salaryType: 'percentage', salaryRate: 10 },
      belova: null,
      orehova: { salaryType: 'performance', salaryRate: 12, cplThreshold: 95 },
    },
  },
  {
    key: 'weekend-2',
    channel: weekend,
    title: 'Маршруты рядом',
    status: 'ACTIVE',
    from: 0.52,
    to: 1.1,
    weight: 0.9,
    dear: 0.95,
    spent: 0.86,
    team: {
      ryabova: { salaryType: 'budget', salaryRate: 8 },
      moroz: { salaryType: 'percentage', salaryRate: 6 },
      orehova: null,
      tkachev: null,
    },
  },
  {
    key: 'money-3',
    channel: money,
    title: 'Подписчики из новостей',
    status: 'ACTIVE',
    from: 0.73,
    to: 1.2,
    weight: 1.3,
    dear: 1,
    spent: 0.47,
    team: {
      sokolova: null,
      zotov: { salaryType: 'performance', salaryRate: 12, cplThreshold: 100 },
      galiev: { salaryType: 'percentage', salaryRate: 8 },
      klimova: null,
    },
  },
  {
    key: 'code-2',
    channel: code,
    title: 'Студенты',
    status: 'DRAFT',
    from: 1.03,
    to: 1.3,
    weight: 0,
    dear: 1,
    spent: 0,
    team: { tkachev: null, galiev: { salaryType: 'performance', salaryRate: 15, cplThreshold: 90 } },
  },
];
