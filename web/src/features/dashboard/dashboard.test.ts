import type { AnalyticsWire, CampaignWire, CreativeWire, UserWire } from '@zakup/contracts/wire-entities';
import { kopecks } from '@zakup/domain/money';
import { describe, expect, it } from 'vitest';
import { autoSelected, currentCampaign, inOrder } from '../../shared/campaign/campaign-choice.ts';
import {
  budgetUse,
  cplFigure,
  creativeFigures,
  employeeFigures,
  withoutCreativeCount,
} from '../../shared/campaign/figures.ts';
import { daysLeft, periodText } from '../../shared/campaign/period-text.ts';

const plain = (text: string): string => text.replaceAll('\u00a0', ' ');
const campaign = (id: string, status: CampaignWire['status'], createdAt = `2026-0${id}-01`): CampaignWire => ({
  id,
  revision: 0,
  createdAt,
  updatedAt: createdAt,
  name: id,
  channelId: 'ch',
  totalBudget: 0,
  budget: 0,
  status,
  startDate: null,
  endDate: null,
  participants: [],
});
const all = [campaign('1', 'DRAFT'), campaign('2', 'COMPLETED'), campaign('3', 'ACTIVE'), campaign('4', 'ACTIVE')];

describe('choice of the campaign', () => {
  it('DB-1 active ones come first, then completed, drafts last', () => {
    expect(inOrder(all).map((one) => one.id)).toEqual(['3', '4', '2', '1']);
  });

  it('DB-2 without a choice the last one is taken if it is active, else the first active one', () => {
    expect(autoSelected(all, null)).toBe('3');
    expect(autoSelected(all, '4')).toBe('4');
    expect(autoSelected(all, '2')).toBe('3');
    expect(autoSelected(all.slice(0, 2), '2')).toBeNull();
  });

  it('DB-3 one chosen by hand or address stays, also when completed; an unknown one does not count', () => {
    const choose = (explicit: string | null, automatic: string | null = null) =>
      currentCampaign(all, { explicit, automatic, last: null });
    expect(choose('2')).toBe('2');
    expect(choose('nowhere')).toBe('3');
    expect(choose(null, '4')).toBe('4');
    expect(currentCampaign([campaign('4', 'COMPLETED')], { explicit: null, automatic: '4', last: null })).toBe('4');
  });
});

describe('thresholds', () => {
  it('DB-4 the budget bar turns at exactly 60 and 80 percent and says when it is over', () => {
    const use = (spent: number) => {
      const { tone, text } = budgetUse(kopecks(spent), kopecks(10_000));
      return [tone, plain(text)];
    };
    expect(use(6000)).toEqual(['good', '60 % ▼']);
    expect(use(6001)).toEqual(['mid', '60,01 % ◆']);
    expect(use(8000)).toEqual(['mid', '80 % ◆']);
    expect(use(8001)).toEqual(['bad', '80,01 % ▲']);
    expect(use(11_200)).toEqual(['bad', '112 % перерасход']);
    expect(budgetUse(kopecks(11_200), kopecks(10_000)).width).toBe(100);
    expect(plain(budgetUse(kopecks(11_200), kopecks(10_000)).short)).toBe('112 % ▲');
    expect(plain(budgetUse(kopecks(9_999_900), kopecks(10_000)).short)).toBe('99 999 % ▲');
    expect(plain(budgetUse(kopecks(12_345_600), kopecks(10_000)).short)).toBe('123 тыс. % ▲');
    expect(budgetUse(kopecks(11_200), kopecks(0))).toEqual({
      tone: null,
      text: 'без бюджета',
      short: 'без бюджета',
      width: 0,
    });
  });

  it('DB-5 CPL turns at exactly 100 and 200; without leads it has neither colour nor sign', () => {
    const figure = (spent: number, leads: number, each: number) => {
      const { tone, text, sign } = cplFigure(kopecks(spent), leads, kopecks(each));
      return [tone, plain(text), sign];
    };
    expect(figure(9999, 1, 9999)).toEqual(['good', '99,99 ₽', '▼']);
    expect(figure(10_000, 1, 10_000)).toEqual(['mid', '100,00 ₽', '◆']);
    expect(figure(20_000, 1, 20_000)).toEqual(['mid', '200,00 ₽', '◆']);
    expect(figure(20_001, 1, 20_001)).toEqual(['bad', '200,01 ₽', '▲']);
    expect(figure(5000, 0, 0)).toEqual([null, '—', '']);
  });
});

describe('cards', () => {
  const line = (spent: number, leads: number, placements: number) => ({
    spent,
    leads,
    placements,
    averageCostPerLead: leads === 0 ? 0 : Math.round((spent / leads) * 100) / 100,
  });
  const analytics: AnalyticsWire = {
    id: '3',
    summary: {
      totalBudget: 0,
      spentBudget: 0,
      remainingBudget: 0,
      averageCostPerLead: 0,
      totalLeads: 0,
      totalPlacements: 0,
      paidBudget: 0,
      unpaidBudget: 0,
    },
    byBuyer: [{ buyerId: 'u2', ...line(500, 4, 1) }],
    byCreative: [
      { creativeId: 'a', ...line(1000, 10, 2) },
      { creativeId: 'b', ...line(1000, 20, 5) },
      { creativeId: 'c', ...line(10, 0, 1) },
      { creativeId: 'NO_CREATIVE', ...line(10, 0, 3) },
    ],
    byContractor: [],
    byDay: [],
  };
  const user = (id: string, role: UserWire['role']): UserWire => ({ id, revision: 0, name: id, role, isActive: true });

  it('DB-6 creatives with a placement, most placements first, the absent one only counted', () => {
    const creatives: readonly CreativeWire[] = [];
    const cards = creativeFigures(analytics, creatives);
    expect(cards.map((card) => [card.id, card.efficiency, card.tone, card.width])).toEqual([
      ['b', 'Отлично', 'good', 100],
      ['a', 'Хорошо', 'mid', 100],
      ['c', 'Отлично', null, 100],
    ]);
    expect(withoutCreativeCount(analytics)).toBe(3);
  });

  it('DB-7 buyers and team leads with a budget or spend', () => {
    const participant = { userId: 'u1', budget: 10, salaryType: null, salaryRate: null, cplThreshold: null };
    const cards = employeeFigures(
      { ...campaign('3', 'ACTIVE'), participants: [participant, { ...participant, userId: 'boss' }] },
      analytics,
      [user('u1', 'TEAM_LEAD'), user('u2', 'MEDIA_BUYER'), user('u3', 'MEDIA_BUYER'), user('boss', 'CEO')],
      [],
    );
    expect(cards.map((card) => [card.user.id, card.budget, card.spent, card.remainder])).toEqual([
      ['u1', 1000, 0, 1000],
      ['u2', 0, 50_000, -50_000],
    ]);
  });

  it('DB-8 says the period and the days left', () => {
    const dated = { startDate: '2026-11-01', endDate: '2026-11-30', status: 'ACTIVE' } as const;
    expect(periodText(dated, '2026-11-21')).toBe('1–30 ноября, осталось 9 дней');
    expect(periodText(dated, '2026-11-29')).toBe('1–30 ноября, остался 1 день');
    expect(periodText(dated, '2026-11-30')).toBe('1–30 ноября, последний день');
    expect(periodText(dated, '2026-11-29')).toBe('1–30 ноября, остался 1 день');
    expect(periodText(dated, '2026-10-31')).toBe('1–30 ноября, начнётся завтра');
    expect(periodText(dated, '2026-10-28')).toBe('1–30 ноября, начнётся через 4 дня');
    expect(daysLeft(dated, '2026-10-28'), 'all of its days').toBe(30);
    expect(daysLeft(dated, '2026-11-01'), 'those after the first').toBe(29);
    expect(daysLeft(dated, '2026-12-01')).toBeNull();
    expect(periodText({ ...dated, status: 'COMPLETED' }, '2026-11-21')).toBe('1–30 ноября');
    expect(periodText({ ...dated, startDate: null, endDate: null }, '2026-11-21')).toBe('');
  });
});
