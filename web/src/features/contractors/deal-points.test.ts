import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { stageNow } from '../../shared/testing/stage.tsx';
import { cplScale } from './cpl-scale.ts';
import { dealName, dealTicks } from './deal-names.ts';
import { cplFinding, dealPoints, priceFinding } from './deal-points.ts';
import { placementDocument } from '../../shared/testing/placement-document.ts';

const bought = (index: number, over: Partial<PlacementWire> = {}) =>
  placementDocument({
    id: `p${index}`,
    revision: 0,
    createdAt: '2026-11-01T09:00:00.000Z',
    updatedAt: '2026-11-01T09:00:00.000Z',
    campaignId: 'k',
    buyerId: 'u',
    contractorId: 'c',
    price: 10_000 + index * 100,
    leads: 100,
    costPerLead: 0,
    date: '2026-11-01',
    paymentStatus: 'paid',
    ...over,
  });
/** One a day from this one on. */
const daily = (first: string, count: number): readonly PlacementWire[] =>
  Array.from({ length: count }, (_, index) =>
    bought(index, { date: new Date(Date.parse(first) + index * 86_400_000).toISOString().slice(0, 10) }),
  );
const plain = (text: string): string => text.replaceAll(/\s/gu, ' ');

beforeEach(() => {
  vi.setSystemTime(stageNow);
  return () => {
    vi.useRealTimers();
  };
});

describe('placements with a contractor as a picture', () => {
  it('CTR-1180 each placement is a mark, the earliest first, also two of one day; many become months, more of them years', () => {
    const few = dealPoints([bought(2, { date: '2026-11-03' }), bought(1), bought(0)]);
    expect(few.span).toBe('placement');
    expect(few.points.map(({ id, price }) => [id, price])).toEqual([
      ['p0', 1_000_000],
      ['p1', 1_010_000],
      ['p2', 1_020_000],
    ]);
    expect(dealPoints(daily('2026-01-01', 24)).span).toBe('placement');

    const months = dealPoints(daily('2025-12-30', 40));
    expect(months.span).toBe('month');
    expect(
      months.points.map(({ id, from, to, placements, spent, price, leads }) => [
        id,
        from,
        to,
        placements,
        spent,
        price,
        leads,
      ]),
    ).toEqual([
      ['2025-12', '2025-12-30', '2025-12-31', 2, 2_010_000, 1_005_000, 200],
      ['2026-01', '2026-01-01', '2026-01-31', 31, 36_270_000, 1_170_000, 3100],
      ['2026-02', '2026-02-01', '2026-02-07', 7, 9_520_000, 1_360_000, 700],
    ]);

    const years = dealPoints(daily('2023-11-01', 1100));
    expect(years.span).toBe('year');
    expect(years.points.map(({ id, placements }) => [id, placements])).toEqual([
      ['2023', 61],
      ['2024', 366],
      ['2025', 365],
      ['2026', 308],
    ]);
  });

  it('CTR-1181 marks are named by day, month or year, with what is another than in the name before', () => {
    const named = (placements: readonly PlacementWire[]): readonly string[] => {
      const { ticks, tickFormatter } = dealTicks(dealPoints(placements));
      return ticks.map(tickFormatter);
    };
    expect(named([bought(0), bought(1), bought(2, { date: '2026-12-03' })])).toEqual(['1 нояб.', '1', '3 дек.']);
    expect(named(daily('2025-12-30', 40))).toEqual(['дек. 2025', 'янв.', 'февр.']);
    expect(named(daily('2023-11-01', 1100))).toEqual(['2023', '2024', '2025', '2026']);
    expect(named(daily('2026-11-01', 24))).toHaveLength(5);
    expect(dealName({ id: 'p1', from: '2025-11-03' }, 'placement')).toBe('3 ноября 2025');
    expect(dealName({ id: '2026-11', from: '2026-11-03' }, 'month')).toBe('нояб.');
    expect(dealName({ id: '2024', from: '2024-11-03' }, 'year')).toBe('2024');
  });

  it.each([
    [[], 'Размещений ещё нет.'],
    [[10_800], 'Пока одна цена: 10 800 ₽.'],
    [[10_800, 12_000, 10_800], 'Как в начале: 10 800 ₽.'],
    [[10_800, 13_400], 'Выросла с 10 800 ₽ до 13 400 ₽, на 24,1 %.'],
    [[9_876_543_210, 1_000_000], 'Снизилась с 9 876 543 210 ₽ до 1 000 000 ₽, на 100 %.'],
    [[0, 500], 'Пока одна цена: 500 ₽. Ещё без цены: 1.'],
    [[8_500, 9_000, 0], 'Выросла с 8 500 ₽ до 9 000 ₽, на 5,9 %. Ещё без цены: 1.'],
    [[0, 0], 'Цен пока нет.'],
  ])('CTR-1182 above the prices it is said how the last one stands to the first: %j', (prices, sentence) => {
    const deals = dealPoints(prices.map((price, index) => bought(index, { price })));
    expect(plain(priceFinding(deals))).toBe(sentence);
  });

  it('CTR-1183 above the prices of a lead it is said how many are cheap, what the last one was, and how many have none', () => {
    const of = (leads: readonly number[]): string =>
      plain(cplFinding(dealPoints(leads.map((count, index) => bought(index, { price: 10_000, leads: count })))));
    expect(of([0, 0])).toBe('Лидов пока нет.');
    expect(of([200, 100, 50])).toBe('1 из 3 дешевле 100 ₽; последнее: 200,00 ₽.');
    expect(of([200, 40, 0])).toBe('1 из 2 дешевле 100 ₽; последнее: 250,00 ₽. Ещё без лидов: 1.');
    expect(plain(cplFinding(dealPoints(daily('2026-01-01', 40))))).toBe('0 из 2 дешевле 100 ₽; последний: 135,00 ₽.');
  });

  it('CTR-1184 one dear lead lies beyond the picture, by its figure; where all are dear the picture is as high as they', () => {
    const scaleOf = (prices: readonly number[]) =>
      cplScale(dealPoints(prices.map((price, index) => bought(index, { price, leads: 1 }))).points);
    expect(scaleOf([80, 90, 280])).toEqual({ most: 300, ticks: [0, 100, 200, 300], dearest: 'p2' });
    expect(scaleOf([80, 90, 9_876_543, 100])).toMatchObject({ most: 300, dearest: 'p2' });
    expect(scaleOf([80_000, 90_000, 70_000])).toEqual({
      most: 100_000,
      ticks: [0, 25_000, 50_000, 75_000, 100_000],
      dearest: 'p1',
    });
    expect(cplScale([])).toEqual({ most: 300, ticks: [0, 100, 200, 300], dearest: null });
  });
});
