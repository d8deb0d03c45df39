import { useLocation } from 'react-router-dom';
import { screen, within } from '@testing-library/react';
import type { AnalyticsWire, CampaignWire, EarningsWire } from '@zakup/contracts/wire-entities';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { AnalyticsPage } from '../features/analytics/analytics-page.tsx';
import { ContractorDialog } from '../features/contractors/contractor-dialog.tsx';
import { ContractorsPage } from '../features/contractors/contractors-page.tsx';
import { DashboardPage } from '../features/dashboard/dashboard-page.tsx';
import { JournalPage } from '../features/journal/journal-page.tsx';
import { PlacementsSection } from '../features/placements/placements-section.tsx';
import { ProfilePage } from '../features/profile/profile-page.tsx';
import { PlacementsSlotProvider } from '../shared/dialogs/placements-slot.tsx';
import { OutboxProvider } from '../shared/outbox/outbox-context.tsx';
import { pastOutbox } from '../shared/time-travel/past-outbox.ts';
import { unexplained } from '../shared/testing/figures.ts';
import { licence, person, stage, type StageOptions } from '../shared/testing/stage.tsx';
import { SideCampaigns } from './side-campaigns.tsx';

const stamp = { revision: 0, createdAt: '2026-11-01T00:00:00.000Z', updatedAt: '2026-11-01T00:00:00.000Z' };
const campaign: CampaignWire = {
  ...stamp,
  id: 'k',
  name: 'Ноябрь | Подписчики',
  channelId: 'food',
  totalBudget: 420_000,
  budget: 420_000,
  status: 'ACTIVE',
  startDate: '2026-11-01',
  endDate: '2026-11-30',
  participants: [{ userId: 'anna', budget: 165_000, salaryType: 'budget', salaryRate: 10, cplThreshold: null }],
};
const sums = { spent: 10_000, leads: 100, placements: 2, averageCostPerLead: 100 };
const analytics: AnalyticsWire = {
  id: 'k',
  summary: {
    totalBudget: 420_000,
    spentBudget: 10_000,
    remainingBudget: 410_000,
    averageCostPerLead: 100,
    totalLeads: 100,
    totalPlacements: 2,
    paidBudget: 6_000,
    unpaidBudget: 4_000,
  },
  byBuyer: [{ buyerId: 'anna', ...sums }],
  byCreative: [{ creativeId: 'cr', ...sums }],
  byContractor: [{ contractorId: 'c', ...sums }],
  byDay: [{ date: '2026-11-20', ...sums }],
};
const earnings = {
  id: 'k:anna',
  campaignId: 'k',
  userId: 'anna',
  terms: { salaryType: 'budget', salaryRate: 10, cplThreshold: 100, source: 'participant' },
  budget: 165_000,
  spent: 10_000,
  earnings: 1_000,
  counted: [],
  leftOut: [],
  zeroLeads: { count: 0, price: 0 },
} as EarningsWire;
const placement = (id: string, price: number) => ({
  ...stamp,
  id,
  campaignId: 'k',
  buyerId: 'anna',
  contractorId: 'c',
  creativeId: 'cr',
  category: 'Кулинария',
  format: '1/24',
  price,
  leads: 50,
  costPerLead: price / 50,
  date: '2026-11-20',
  paymentStatus: 'paid',
  status: 'PENDING',
});
const contractor = {
  ...stamp,
  id: 'c',
  adminUsername: '@kitchen_ads',
  isActive: true,
  category: 'Кулинария',
  channelName: 'Кухня',
  automatic: false,
  totalSpent: 10_000,
  totalLeads: 100,
  totalPlacements: 2,
  averagePlacementPrice: 5_000,
  firstUsed: '2026-11-01',
  lastUsed: '2026-11-20',
};
const placements = [placement('p1', 4_000), placement('p2', 6_000)].map((one) => ['placement', one] as const);

const docs: NonNullable<StageOptions['docs']> = {
  workspace: [
    ['license', licence],
    ['channel', { ...stamp, id: 'food', name: 'Кухня', avatar: null } as never],
    ['campaign', campaign],
    ['user', { id: 'anna', revision: 0, name: 'Анна Соколова', role: 'MEDIA_BUYER', isActive: true } as never],
    ['person', person('anna', { name: 'Анна Соколова', salaryRate: 12 })],
    ['creative', { ...stamp, id: 'cr', name: 'Рецепт', type: 'post', isActive: true } as never],
    ['contractor', contractor],
  ],
  'campaign:k': [['analytics', analytics], ['earnings', earnings], ...placements],
  'contractor:c': [['contractor', contractor], ...placements],
};

const bonus = {
  userId: 'anna',
  name: 'Анна Соколова',
  role: 'MEDIA_BUYER',
  isActive: true,
  salaryType: 'performance',
  threshold: 100,
  salaryReportBonus: 400,
  formula: '10 % от 4 000 ₽',
  countedTotal: { count: 1, price: 4_000 },
  leftOutTotal: { count: 1, price: 6_000 },
  counted: [
    {
      placementId: 'p1',
      campaignId: 'k',
      campaignName: 'Ноябрь',
      date: '2026-11-20',
      price: 4_000,
      leads: 50,
      costPerLead: 80,
    },
  ],
  leftOut: [
    {
      placementId: 'p2',
      campaignId: 'k',
      campaignName: 'Ноябрь',
      date: '2026-11-20',
      price: 6_000,
      leads: 50,
      costPerLead: 120,
      reason: 'CPL не ниже порога',
    },
  ],
};

const bonusEvents = {
  moved: [
    {
      position: 7,
      revision: 1,
      at: '2026-11-20T10:00:00.000Z',
      actor: { userId: 'ilya', name: 'Илья Кравцов' },
      commandId: 'c7',
      source: 'screen',
      reason: null,
      causedBy: null,
      event: 'PlacementPriceChanged',
      entity: { kind: 'placement', id: 'p1', name: '@kitchen_ads' },
      campaign: { id: 'k', name: 'Ноябрь' },
      changes: [{ field: 'price', from: 3_000, to: 4_000 }],
    },
  ],
  historyComplete: true,
};

const bonusLine = {
  placementId: 'p1',
  campaignId: 'k',
  contractorId: 'c',
  buyerId: 'anna',
  date: '2026-11-20',
  price: 4_000,
  leads: 50,
  costPerLead: 80,
};
const bonusLineage = {
  figure: 'bonus',
  title: 'Бонус',
  unit: 'money',
  value: 400,
  shown: '400 ₽',
  formula: '10 % от 4 000 ₽',
  terms: [],
  counted: { total: 1, price: 4_000, leads: 50, lines: [{ ...bonusLine, amount: 400 }], next: null },
  leftOut: {
    total: 1,
    there: 1,
    gone: 0,
    price: 6_000,
    leads: 50,
    lines: [
      {
        ...bonusLine,
        placementId: 'p2',
        price: 6_000,
        costPerLead: 120,
        name: null,
        reason: 'CPL не ниже порога',
        at: null,
      },
    ],
    next: null,
  },
  ...bonusEvents,
};

const shown = (
  element: StageOptions['element'],
  address: string,
  known = docs,
  serve: NonNullable<StageOptions['serve']> = () => 'no answer',
) =>
  stage({
    address,
    docs: known,
    serve,
    element: (
      <OutboxProvider value={pastOutbox}>
        <PlacementsSlotProvider value={PlacementsSection}>{element}</PlacementsSlotProvider>
      </OutboxProvider>
    ),
  });
const figures = (): number => document.querySelectorAll('[data-figure]').length;

afterEach(() => void vi.restoreAllMocks());

describe('no figure is without its reason', () => {
  test('WHY-10 on the dashboard: cards, people, creatives, the totals of the table', async () => {
    shown(<DashboardPage />, '/dashboard?campaign=k');
    await screen.findAllByText('Анна Соколова');
    await screen.findByText('Итого');
    expect(unexplained(document.body)).toEqual([]);
    expect(figures()).toBeGreaterThan(20);
  });

  test('WHY-11 on the dashboard without a campaign', async () => {
    shown(<DashboardPage />, '/dashboard', {
      workspace: [['campaign', { ...campaign, status: 'COMPLETED' } as CampaignWire]],
    });
    await screen.findByRole('heading', { name: 'Нет активных кампаний' });
    expect([unexplained(document.body), figures()]).toEqual([[], 4]);
  });

  test('SHL-30 a dashboard without an active campaign leads to the analytics', async () => {
    const Address = () => <output aria-label="Адрес">{useLocation().pathname}</output>;
    const { user } = shown(
      <>
        <DashboardPage />
        <Address />
      </>,
      '/dashboard',
      { workspace: [['campaign', { ...campaign, status: 'COMPLETED' } as CampaignWire]] },
    );
    await user.click(await screen.findByRole('button', { name: 'Перейти к аналитике' }));
    expect(screen.getByLabelText('Адрес').textContent).toBe('/analytics');
  });

  test('WHY-12 in the report: strip, tables, indicators, and what stands behind every picture', async () => {
    // Pictures want a place to be drawn in.
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 600, 240));
    const { user } = shown(<AnalyticsPage />, '/analytics?channel=food&campaign=k');
    await screen.findByLabelText('Ключевые показатели');
    expect(unexplained(document.body)).toEqual([]);
    for (const title of ['Расход и приход по дням', 'Бюджет и прогноз', 'Цена и CPL']) {
      await user.click(screen.getByRole('button', { name: `${title}: таблица и файлы` }));
      await user.click(await screen.findByText('Показать таблицей'));
      await screen.findByRole('table', { name: title });
    }
    expect(unexplained(document.body)).toEqual([]);
    expect(figures()).toBeGreaterThan(30);
  });

  test('WHY-13 in the contractor dialog: totals, by campaign and buyer, and every placement of the history', async () => {
    const { user } = shown(<ContractorDialog contractorId="c" onClose={() => undefined} />, '/contractors');
    await screen.findByRole('table', { name: 'По байерам' });
    const body = (): ParentNode => document.querySelector('.z-contractor-body') ?? document;
    expect(unexplained(body())).toEqual([]);
    expect(figures()).toBeGreaterThan(12);
    await user.click(screen.getByRole('tab', { name: /История сотрудничества/u }));
    await screen.findByRole('table', { name: 'История сотрудничества' });
    expect([unexplained(body()), figures()]).toEqual([[], 6]);
  });

  test('WHY-14 in the list of contractors', async () => {
    shown(<ContractorsPage />, '/contractors');
    await screen.findByRole('table', { name: 'Контрагенты' });
    const table = screen.getByRole('table', { name: 'Контрагенты' });
    expect([unexplained(table), figures()]).toEqual([[], 4]);
  });

  test('WHY-15 in the salary report and in its opened lines; a bonus opens with what counts and what does not', async () => {
    const { user } = shown(<JournalPage />, '/journal?tab=salary', docs, ({ path }) => ({
      data: path.startsWith('/api/reports/salary/lineage') ? bonusLineage : { rows: [bonus] },
    }));
    const table = await screen.findByRole('table', { name: 'Отчёт по зарплате' });
    expect([unexplained(table), figures()]).toEqual([[], 4]);
    await user.click(screen.getByRole('button', { name: 'Анна Соколова' }));
    await screen.findByRole('table', { name: 'Засчитано' });
    expect([unexplained(table), figures()]).toEqual([[], 10]);
    await user.click(screen.getByTitle('Бонус, Анна Соколова: почему эта цифра?'));
    const why = within(await screen.findByRole('dialog', { name: 'Почему эта цифра?' }));
    const counted = await why.findByRole('table', { name: 'Засчитанные размещения' });
    expect(counted.textContent).toMatch(/Ноябрь - Подписчики, \+400,00/u);
    expect(why.getByRole('table', { name: 'Не засчитанные размещения' }).textContent).toContain('CPL не ниже порога');
    const events = await why.findByRole('list', { name: 'Последние события' });
    expect(events.textContent).toContain('Илья Кравцов: @kitchen_ads, цена');
  });

  test('WHY-16 in the own statement', async () => {
    const line = { ...earnings, campaignName: 'Ноябрь', formula: '10 000 ₽ × 10 %' };
    const { user } = shown(<ProfilePage />, '/profile', docs, ({ path }) => ({
      data:
        path === '/api/profile/statement'
          ? { salary: bonus, earnings: [line] }
          : path.startsWith('/api/reports/salary/lineage')
            ? bonusLineage
            : { sessions: [] },
    }));
    await screen.findByRole('table', { name: 'Заработок по кампаниям' });
    expect([unexplained(document.body), figures()]).toEqual([[], 4]);
    await user.click(screen.getByTitle('Бонус по отчёту о зарплате: почему эта цифра?'));
    const why = within(await screen.findByRole('dialog', { name: 'Почему эта цифра?' }));
    expect(why.getByText('10 % от 4 000 ₽')).toBeDefined();
    expect((await why.findByRole('table', { name: 'Засчитанные размещения' })).textContent).toContain('Ноябрь');
    expect(await why.findByRole('list', { name: 'Последние события' })).toBeDefined();
  });

  test('WHY-17 in the sidebar', async () => {
    shown(<SideCampaigns />, '/dashboard');
    await screen.findByText('Ноябрь - Подписчики');
    expect([unexplained(document.body), figures()]).toEqual([[], 1]);
  });

  test('WHY-18 in the totals of what a filter lets through', async () => {
    const { user } = shown(<DashboardPage />, '/dashboard?campaign=k');
    await user.click(await screen.findByRole('button', { name: 'Найти' }));
    await user.type(await screen.findByRole('searchbox', { name: 'Найти в размещениях' }), 'kitchen');
    await screen.findByText('Итого по фильтру');
    expect(unexplained(document.body)).toEqual([]);
    expect(document.querySelectorAll('.z-grid-foot [data-figure]')).toHaveLength(6);
    await user.click(screen.getByTitle('Оплачено по фильтру: почему эта цифра?'));
    const why = within(await screen.findByRole('dialog', { name: 'Почему эта цифра?' }));
    const counted = await why.findByRole('table', { name: 'Засчитанные размещения' });
    expect(within(counted).getAllByRole('row')).toHaveLength(2);
    expect(document.querySelector('.z-why-formula')?.textContent).toMatch(/10\s000\s₽ \(фильтр – Найти: kitchen\)/u);
    expect(document.querySelector('.z-why-as-of')?.textContent).toBe('на сейчас');
    expect(await why.findByRole('button', { name: 'Повторить' })).toBeDefined();
    expect(why.getByRole('heading', { name: /Засчитано 2/u }).textContent).toMatch(/10\s000,00/u);
  });
});
