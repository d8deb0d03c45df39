import { screen, within } from '@testing-library/react';
import type { AnalyticsWire, CampaignWire, EarningsWire } from '@zakup/contracts/wire-entities';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stage, stageNow } from '../../shared/testing/stage.tsx';
import { AnalyticsPage } from './analytics-page.tsx';

interface Deal {
  readonly date: string;
  readonly buyer: string;
  readonly contractor: string;
  readonly creative: string;
  /** Kopecks, so that what is expected is summed in whole numbers. */
  readonly price: number;
  readonly leads: number;
}

const deals: readonly Deal[] = [
  { date: '2026-11-02', buyer: 'anna', contractor: 'kitchen', creative: 'recipe', price: 540_050, leads: 50 },
  { date: '2026-11-02', buyer: 'ilya', contractor: 'garden', creative: 'recipe', price: 300_000, leads: 0 },
  { date: '2026-11-05', buyer: 'anna', contractor: 'kitchen', creative: 'breakfast', price: 459_950, leads: 70 },
  { date: '2026-11-09', buyer: 'ilya', contractor: 'slow', creative: 'recipe', price: 800_000, leads: 30 },
  { date: '2026-11-11', buyer: 'maria', contractor: 'cheap', creative: 'NO_CREATIVE', price: 100_033, leads: 20 },
  { date: '2026-11-12', buyer: 'ilya', contractor: 'garden', creative: 'breakfast', price: 99_967, leads: 0 },
];
/** Of the campaign, kopecks. */
const budget = 3_000_000;
const earned = { anna: 1000, ilya: 1199.97 };
const people = { anna: 'Анна Соколова', ilya: 'Илья Кравцов', maria: 'Мария Белова' };
const creatives = { recipe: 'Рецепт за 15 минут', breakfast: 'Завтраки недели' };
const nicks = { kitchen: '@kitchen_ads', garden: '@garden', slow: '@slow_ads', cheap: '@cheap' };

const sum = (list: readonly Deal[], of: 'price' | 'leads'): number => list.reduce((all, deal) => all + deal[of], 0);
const all = <Key extends keyof Deal>(key: Key, value: Deal[Key]): readonly Deal[] =>
  deals.filter((deal) => deal[key] === value);
const distinct = (key: 'date' | 'buyer' | 'contractor' | 'creative'): readonly string[] => [
  ...new Set(deals.map((deal) => deal[key])),
];
const line = (list: readonly Deal[]) => ({
  spent: sum(list, 'price') / 100,
  leads: sum(list, 'leads'),
  placements: list.length,
  averageCostPerLead: sum(list, 'leads') === 0 ? 0 : Math.round(sum(list, 'price') / sum(list, 'leads')) / 100,
});

const stamp = { revision: 0, createdAt: '2026-11-01T00:00:00.000Z', updatedAt: '2026-11-01T00:00:00.000Z' };
const campaign: CampaignWire = {
  ...stamp,
  id: 'k',
  name: 'Ноябрь | Подписчики',
  channelId: 'food',
  totalBudget: budget / 100,
  budget: budget / 100,
  status: 'ACTIVE',
  startDate: '2026-11-02',
  endDate: '2026-12-11',
  participants: [],
};
const whole = line(deals);
const analytics: AnalyticsWire = {
  id: 'k',
  summary: {
    totalBudget: budget / 100,
    spentBudget: whole.spent,
    remainingBudget: budget / 100 - whole.spent,
    averageCostPerLead: whole.averageCostPerLead,
    totalLeads: whole.leads,
    totalPlacements: whole.placements,
    paidBudget: whole.spent,
    unpaidBudget: 0,
  },
  byBuyer: distinct('buyer').map((buyerId) => ({ buyerId, ...line(all('buyer', buyerId)) })),
  byCreative: distinct('creative').map((creativeId) => ({ creativeId, ...line(all('creative', creativeId)) })),
  byContractor: distinct('contractor').map((contractorId) => ({
    contractorId,
    ...line(all('contractor', contractorId)),
  })),
  byDay: distinct('date').map((date) => ({ date, ...line(all('date', date)) })),
};
const documents = {
  workspace: [
    ['channel', { ...stamp, id: 'food', name: 'Кухня', avatar: null }],
    ['campaign', campaign],
    ...Object.entries(people).map(
      ([id, name]) => ['user', { id, revision: 0, name, role: 'MEDIA_BUYER', isActive: true }] as const,
    ),
    ...Object.entries(creatives).map(
      ([id, name]) => ['creative', { ...stamp, id, name, type: 'TEXT_ONLY', isActive: true }] as const,
    ),
    ...Object.entries(nicks).map(
      ([id, adminUsername]) => ['contractor', { ...stamp, id, adminUsername, isActive: true }] as const,
    ),
  ],
  'campaign:k': [
    ['analytics', analytics],
    ...Object.entries(earned).map(
      ([userId, earnings]) =>
        [
          'earnings',
          {
            id: `k:${userId}`,
            campaignId: 'k',
            userId,
            terms: { salaryType: 'budget', salaryRate: 10, cplThreshold: 100, source: 'participant' },
            earnings,
          } as EarningsWire,
        ] as const,
    ),
  ],
} as const;

const plain = (text: string | null | undefined): string => (text ?? '').replaceAll(/\s/gu, ' ').trim();
/** A number as a Russian Excel reads it. */
const asCell = (value: number | null): string => (value === null ? '' : String(value).replace('.', ','));
const cents = (kopecks: number | null): string => asCell(kopecks === null ? null : kopecks / 100);
const each = (list: readonly Deal[]): number | null =>
  sum(list, 'leads') === 0 ? null : Math.round(sum(list, 'price') / sum(list, 'leads'));
const returned = (list: readonly Deal[]): string =>
  asCell(Math.round(((sum(list, 'leads') * 10_000 - sum(list, 'price')) / sum(list, 'price')) * 10_000) / 100);

const files = new Map<string, Blob>();

const shown = async () => {
  const staged = stage({ element: <AnalyticsPage />, address: '/analytics?campaign=k', docs: documents });
  await screen.findByRole('heading', { level: 1, name: 'Ноябрь - Подписчики' });
  const choose = async (title: string, item: string): Promise<void> => {
    await staged.user.click(screen.getByRole('button', { name: `${title}: таблица и файлы` }));
    await staged.user.click(await screen.findByRole('menuitem', { name: item }));
  };
  /** What the file says, a list of cells for each line, without the mark at its beginning. */
  const csv = async (title: string, name: string): Promise<readonly string[]> => {
    await choose(title, 'Сохранить таблицу (CSV)');
    const text = await files.get(name)?.text();
    return (text ?? '').replace('\u{feff}', '').split('\r\n').slice(0, -1);
  };
  const table = (title: string): readonly (readonly string[])[] =>
    within(screen.getByRole('table', { name: title }))
      .getAllByRole('row')
      .slice(1)
      .map((row) => [...row.querySelectorAll('th, td')].map((cell) => plain(cell.textContent)));
  const finding = (title: string): string => {
    const card = screen.getByRole('region', { name: title });
    return plain(document.getElementById(card.getAttribute('aria-describedby') ?? '')?.textContent);
  };
  return { choose, csv, table, finding };
};

describe('charts of the report', () => {
  beforeEach(() => {
    vi.setSystemTime(stageNow);
    files.clear();
    let last: Blob = new Blob();
    vi.spyOn(URL, 'createObjectURL').mockImplementation((content) => {
      if (content instanceof Blob) last = content;
      return 'blob:1';
    });
    vi.spyOn(URL, 'revokeObjectURL').mockReturnValue(undefined);
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
      files.set(this.download, last);
    });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('ANL-20 by day: the dearest day in words, every day a row, the same in the file', async () => {
    const { choose, csv, table, finding } = await shown();
    const title = 'Расход и приход по дням';
    expect(finding(title)).toBe('Дороже всего 9 ноября: 266,67 ₽ за лид. 1 день пока без лидов.');
    await choose(title, 'Показать таблицей');
    expect(table(title)).toEqual([
      ['2 ноября', '8 400,50 ₽', '50', '168,01 ₽'],
      ['5 ноября', '4 599,50 ₽', '70', '65,71 ₽'],
      ['9 ноября', '8 000,00 ₽', '30', '266,67 ₽'],
      ['11 ноября', '1 000,33 ₽', '20', '50,02 ₽'],
      ['12 ноября', '999,67 ₽', '0', '—'],
    ]);
    expect(await csv(title, 'Ноябрь-Подписчики-по-дням.csv')).toEqual([
      'Дата;Расход;Приход;CPL',
      ...distinct('date').map((date) => {
        const list = all('date', date);
        return [date, cents(sum(list, 'price')), sum(list, 'leads'), cents(each(list))].join(';');
      }),
    ]);
  });

  it('ANL-21 budget and forecast: what it comes to by the end in words, fact until today, forecast from today on, plan on every day', async () => {
    const { choose, csv, table, finding } = await shown();
    const title = 'Бюджет и прогноз';
    // 23 000 ₽ in the 20 days up to the 21st, so twice as much in 40.
    expect(finding(title)).toBe('К 11 декабря расход 46 000 ₽, выше бюджета на 16 000 ₽.');
    await choose(title, 'Показать таблицей');
    const rows = table(title);
    expect(rows).toHaveLength(40);
    expect(rows[0]).toEqual(['2 ноября', '8 400,50 ₽', '—', '750,00 ₽']);
    expect(rows[19]).toEqual(['21 ноября', '23 000,00 ₽', '23 000,00 ₽', '15 000,00 ₽']);
    expect(rows[39]).toEqual(['11 декабря', '—', '46 000,00 ₽', '30 000,00 ₽']);

    const spent = sum(deals, 'price');
    const expected = Array.from({ length: 40 }, (_, index) => {
      const date = new Date(Date.UTC(2026, 10, 2 + index)).toISOString().slice(0, 10);
      const fact = sum(
        deals.filter((deal) => deal.date <= date),
        'price',
      );
      const forecast = spent + (spent * (index - 19)) / 20;
      return [
        date,
        cents(index <= 19 ? fact : null),
        cents(index >= 19 ? forecast : null),
        cents((budget * (index + 1)) / 40),
      ].join(';');
    });
    expect(await csv(title, 'Ноябрь-Подписчики-бюджет.csv')).toEqual(['Дата;Потрачено;Прогноз;План', ...expected]);
  });

  it('ANL-22 buyers: who spent most and whose lead is cheapest in words, a table first, the file with what they earned', async () => {
    const { csv, table, finding } = await shown();
    const title = 'Анализ байеров';
    expect(finding(title)).toBe(
      'Наибольший расход: Илья Кравцов, 11 999,67 ₽, 52,2 % всего. Самый дешёвый лид: Мария Белова, 50,02 ₽.',
    );
    expect(table(title).map((row) => row.slice(2))).toEqual([
      ['11 999,67 ₽', '399,99 ₽ ▲', '−75 %', '1 199,97 ₽'],
      ['10 000 ₽', '83,33 ₽ ▼', '+20 %', '1 000,00 ₽'],
      ['1 000,33 ₽', '50,02 ₽ ▼', '+100 %', '—'],
    ]);
    expect(await csv(title, 'Ноябрь-Подписчики-байеры.csv')).toEqual([
      'Байер;Расход;Приход;CPL;Размещения;ROI, %;Заработок',
      ...(['ilya', 'anna', 'maria'] as const).map((id) => {
        const list = all('buyer', id);
        return [
          people[id],
          cents(sum(list, 'price')),
          sum(list, 'leads'),
          cents(each(list)),
          list.length,
          returned(list),
          id === 'maria' ? '' : asCell(earned[id]),
        ].join(';');
      }),
    ]);
  });

  it('ANL-23 creatives: which brought most leads and whose is cheapest in words, a table first, the same in the file', async () => {
    const { csv, table, finding } = await shown();
    const title = 'Анализ креативов';
    expect(finding(title)).toBe(
      'Больше всего лидов: Рецепт за 15 минут, 80 из 170. Самый дешёвый лид: Завтраки недели, 79,99 ₽.',
    );
    expect(table(title).map((row) => row.slice(2))).toEqual([
      ['80', '205,01 ₽ ▲', '3', '16 400,50 ₽'],
      ['70', '79,99 ₽ ▼', '2', '5 599,17 ₽'],
    ]);
    expect(await csv(title, 'Ноябрь-Подписчики-креативы.csv')).toEqual([
      'Креатив;Приход;CPL;Расход;Размещения;ROI, %',
      ...(['recipe', 'breakfast'] as const).map((id) => {
        const list = all('creative', id);
        return [
          creatives[id],
          sum(list, 'leads'),
          cents(each(list)),
          cents(sum(list, 'price')),
          list.length,
          returned(list),
        ].join(';');
      }),
    ]);
  });

  it('ANL-24 contractors: how many are cheap in words, the cheapest lead first, those without leads counted apart', async () => {
    const { choose, csv, table, finding } = await shown();
    const title = 'Цена и CPL';
    expect(finding(title)).toBe('Дешевле 100 ₽ за лид: 2 из 3 контрагентов. Ещё без лидов: 1.');
    await choose(title, 'Показать таблицей');
    expect(table(title)).toEqual([
      ['@cheap', '1 000,33 ₽', '50,02 ₽', '1'],
      ['@kitchen_ads', '5 000,00 ₽', '83,33 ₽', '2'],
      ['@slow_ads', '8 000,00 ₽', '266,67 ₽', '1'],
    ]);
    expect(await csv(title, 'Ноябрь-Подписчики-контрагенты.csv')).toEqual([
      'Контрагент;Средняя цена;CPL;Размещения',
      ...(['cheap', 'kitchen', 'slow'] as const).map((id) => {
        const list = all('contractor', id);
        return [
          `'${nicks[id]}`,
          cents(Math.round(sum(list, 'price') / list.length)),
          cents(each(list)),
          list.length,
        ].join(';');
      }),
    ]);
  });
});
