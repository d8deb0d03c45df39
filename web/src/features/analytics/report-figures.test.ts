import type { AnalyticsWire, CampaignWire, ContractorWire } from '@zakup/contracts/wire-entities';
import { kopecks } from '@zakup/domain/money';
import { describe, expect, it } from 'vitest';
import { rankedBuyers, rankedCreatives } from './ranking-figures.ts';
import { burnDown, dayFinding, dayPoints, priceAgainstCpl } from './report-figures.ts';

const plain = (text: string): string => text.replaceAll('\u{a0}', ' ');
const line = (spent: number, leads: number, placements = 1) => ({
  spent,
  leads,
  placements,
  averageCostPerLead: leads === 0 ? 0 : Math.round((spent / leads) * 100) / 100,
});
const analytics = (over: Partial<AnalyticsWire> = {}, spent = 0, totalBudget = 0): AnalyticsWire => ({
  id: 'k',
  summary: {
    totalBudget,
    spentBudget: spent,
    remainingBudget: totalBudget - spent,
    averageCostPerLead: 0,
    totalLeads: 0,
    totalPlacements: 0,
    paidBudget: 0,
    unpaidBudget: 0,
  },
  byBuyer: [],
  byCreative: [],
  byContractor: [],
  byDay: [],
  ...over,
});
const campaign = (over: Partial<CampaignWire> = {}): CampaignWire => ({
  id: 'k',
  revision: 0,
  createdAt: '2026-11-01T00:00:00.000Z',
  updatedAt: '2026-11-01T00:00:00.000Z',
  name: 'k',
  channelId: 'ch',
  totalBudget: 0,
  budget: 0,
  status: 'ACTIVE',
  startDate: '2026-11-01',
  endDate: '2026-11-30',
  participants: [],
  ...over,
});

describe('figures of the report', () => {
  it('ANL-1 days stand in order, a day without leads has no price of a lead, and the dearest is named', () => {
    const points = dayPoints(
      analytics({
        byDay: [
          { date: '2026-11-21', ...line(5895.8, 10) },
          { date: '2026-11-01', ...line(1000, 20) },
          { date: '2026-11-02', ...line(500, 0) },
        ],
      }),
    );
    expect(points.map(({ date, cpl }) => [date, cpl])).toEqual([
      ['2026-11-01', 50],
      ['2026-11-02', null],
      ['2026-11-21', 589.58],
    ]);
    expect(plain(dayFinding(points))).toBe('Дороже всего 21 ноября: 589,58 ₽ за лид. 1 день пока без лидов.');
    expect(dayFinding([])).toBe('Размещений ещё нет.');
  });

  it('ANL-2 the forecast goes on at the average of the days so far, and says how far from the budget it ends', () => {
    const report = analytics({ byDay: [{ date: '2026-11-21', ...line(309_431.25, 2734) }] }, 309_431.25, 420_000);
    const { points, expected, finding } = burnDown(report, campaign(), '2026-11-21');
    expect(expected).toBe(442_045_00);
    expect(plain(finding)).toBe('К 30 ноября расход 442 045 ₽, выше бюджета на 22 045 ₽.');
    expect(points).toHaveLength(30);
    expect(points[20]).toEqual({ date: '2026-11-21', fact: 309_431.25, forecast: 309_431.25, plan: 294_000 });
    expect(points.at(-1)).toEqual({ date: '2026-11-30', fact: null, forecast: 442_045, plan: 420_000 });
  });

  it('ANL-3 a completed campaign, or one without an end, has no forecast', () => {
    const report = analytics({ byDay: [{ date: '2026-11-02', ...line(500, 5) }] }, 500, 400);
    for (const one of [campaign({ status: 'COMPLETED' }), campaign({ endDate: null })]) {
      const { expected, finding } = burnDown(report, one, '2026-11-21');
      expect(expected).toBeNull();
      expect(plain(finding)).toBe('Бюджет превышен на 100 ₽.');
    }
    expect(burnDown(analytics(), campaign({ startDate: null }), '2026-11-21').points).toEqual([]);
  });

  it('ANL-4 contractors are judged by the price of a lead; those without leads are counted apart', () => {
    const contractor = (id: string): ContractorWire => ({ id, adminUsername: `@${id}` }) as ContractorWire;
    const { points, withoutLeads, finding } = priceAgainstCpl(
      analytics({
        byContractor: [
          { contractorId: 'dear', ...line(2000.1, 10, 2) },
          { contractorId: 'good', ...line(999.9, 10) },
          { contractorId: 'none', ...line(100, 0) },
        ],
      }),
      [contractor('dear'), contractor('good')],
    );
    expect(points.map(({ nick, price, judged }) => [nick, price, judged])).toEqual([
      ['@good', 999.9, 'good'],
      ['@dear', 1000.05, 'bad'],
    ]);
    expect(withoutLeads).toBe(1);
    expect(finding).toBe('Дешевле 100 ₽ за лид: 1 из 2 контрагентов.');
  });

  it('ANL-5 buyers stand by spending, creatives by leads, three of each are marked, the absent creative is none', () => {
    const buyers = rankedBuyers(
      analytics({ byBuyer: ['a', 'b', 'c', 'd'].map((id, n) => ({ buyerId: id, ...line(100 * (n + 1), 2) })) }),
      [],
      kopecks(100_00),
    );
    expect(buyers.map(({ id, top, roi }) => [id, top, roi])).toEqual([
      ['d', true, -50],
      ['c', true, -33.33],
      ['b', true, 0],
      ['a', false, 100],
    ]);
    const creatives = rankedCreatives(
      analytics({
        byCreative: [
          { creativeId: 'NO_CREATIVE', ...line(100, 90) },
          { creativeId: 'r', ...line(100, 3) },
        ],
      }),
      [],
      kopecks(100_00),
    );
    expect(creatives.map(({ id }) => id)).toEqual(['r']);
  });
});
