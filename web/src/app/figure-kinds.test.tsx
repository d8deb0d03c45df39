import { act, screen, waitFor, within } from '@testing-library/react';
import type { AnalyticsWire, CampaignWire, EarningsWire, PlacementWire } from '@zakup/contracts/wire-entities';
import { Route, Routes } from 'react-router-dom';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { DashboardPage } from '../features/dashboard/dashboard-page.tsx';
import { PlacementsSection } from '../features/placements/placements-section.tsx';
import { AnalyticsPage } from '../features/analytics/analytics-page.tsx';
import { ContractorsPage } from '../features/contractors/contractors-page.tsx';
import { CreativePage } from '../features/creatives/creative-page.tsx';
import { CreativesPage } from '../features/creatives/creatives-page.tsx';
import { SalaryTab } from '../features/journal/salary-tab.tsx';
import { Statement } from '../features/profile/statement.tsx';
import { ContractorDialog } from '../features/contractors/contractor-dialog.tsx';
import { PlacementsSlotProvider } from '../shared/dialogs/placements-slot.tsx';
import type { CommandDraft } from '../shared/outbox/entry.ts';
import { unkinded } from '../shared/testing/figures.ts';
import { type Answer, licence, person, stage, stageNow, type StageOptions } from '../shared/testing/stage.tsx';
import { SideCampaigns } from './side-campaigns.tsx';
import { placementDocument } from '../shared/testing/placement-document.ts';

const stamp = { revision: 0, createdAt: '2026-11-01T00:00:00.000Z', updatedAt: '2026-11-01T00:00:00.000Z' };
const campaign: CampaignWire = {
  ...stamp,
  id: 'k',
  name: 'Ноябрь',
  channelId: 'food',
  totalBudget: 20_000,
  budget: 20_000,
  status: 'ACTIVE',
  startDate: null,
  endDate: null,
  participants: [
    { userId: 'anna', budget: 12_000, salaryType: 'budget', salaryRate: 10, cplThreshold: null },
    { userId: 'ilya', budget: 8_000, salaryType: 'budget', salaryRate: 10, cplThreshold: null },
  ],
};
const placement = (id: string, over: Partial<PlacementWire> = {}) =>
  placementDocument({
    ...stamp,
    id,
    campaignId: 'k',
    contractorId: 'c',
    creativeId: 'cr',
    price: 4_000,
    leads: 40,
    ...over,
  });
const rows = [placement('p1'), placement('p2', { price: 6_000.5, leads: 60, paymentStatus: 'paid' })];
const line = (spent: number, leads: number, placements: number, averageCostPerLead: number) => ({
  spent,
  leads,
  placements,
  averageCostPerLead,
});
const analytics: AnalyticsWire = {
  id: 'k',
  summary: {
    totalBudget: 20_000,
    spentBudget: 10_000.5,
    remainingBudget: 9_999.5,
    averageCostPerLead: 100.01,
    totalLeads: 100,
    totalPlacements: 2,
    paidBudget: 6_000.5,
    unpaidBudget: 4_000,
  },
  byBuyer: [{ buyerId: 'anna', ...line(10_000.5, 100, 2, 100.01) }],
  byCreative: [{ creativeId: 'cr', ...line(10_000.5, 100, 2, 100.01) }],
  byContractor: [{ contractorId: 'c', ...line(10_000.5, 100, 2, 100.01) }],
  byDay: [{ date: '2026-11-20', ...line(10_000.5, 100, 2, 100.01) }],
};
const earnings = {
  id: 'k:anna',
  campaignId: 'k',
  userId: 'anna',
  terms: { salaryType: 'budget', salaryRate: 10, cplThreshold: 100, source: 'participant' },
  budget: 12_000,
  spent: 10_000.5,
  earnings: 1_000.05,
  counted: [],
  leftOut: [],
  zeroLeads: { count: 0, price: 0 },
} as EarningsWire;
const contractor = {
  ...stamp,
  id: 'c',
  adminUsername: '@kitchen_ads',
  isActive: true,
  category: 'Кулинария',
  channelName: 'Кухня',
  automatic: false,
  totalSpent: 10_000.5,
  totalLeads: 100,
  totalPlacements: 2,
  averagePlacementPrice: 5_000.25,
  firstUsed: '2026-11-01',
  lastUsed: '2026-11-20',
};
const docs: NonNullable<StageOptions['docs']> = {
  workspace: [
    ['license', licence],
    ['channel', { ...stamp, id: 'food', name: 'Кухня', avatar: null } as never],
    ['campaign', campaign],
    ['user', { id: 'anna', revision: 0, name: 'Анна Соколова', role: 'MEDIA_BUYER', isActive: true } as never],
    ['user', { id: 'ilya', revision: 0, name: 'Илья Кравцов', role: 'MEDIA_BUYER', isActive: true } as never],
    ['person', person('anna', { name: 'Анна Соколова' })],
    ['creative', { ...stamp, id: 'cr', name: 'Рецепт', type: 'post', isActive: true } as never],
    ['creative', { ...stamp, id: 'cr2', name: 'Салат', type: 'post', isActive: true } as never],
    ['contractor', contractor],
  ],
  'campaign:k': [['analytics', analytics], ['earnings', earnings], ...rows.map((one) => ['placement', one] as const)],
  'contractor:c': [['contractor', contractor], ...rows.map((one) => ['placement', one] as const)],
};

const to = (
  id: string | null,
  method: CommandDraft['method'],
  tail: string,
  body: CommandDraft['body'],
): CommandDraft => ({
  target: { kind: 'placement', id },
  method,
  path: `/api/placements${tail}`,
  body,
  baseRevision: id === null ? null : 0,
  label: 'Правка',
  scope: 'campaign:k',
});
const added = {
  campaignId: 'k',
  contractor: '@new_one',
  buyerId: 'ilya',
  category: 'Кулинария',
  price: 500.25,
  date: '2026-11-21',
  paymentStatus: 'paid',
};
/** Price, leads, buyer, creative, payment, a new one, a removal. */
const edits: readonly CommandDraft[] = [
  to('p1', 'PATCH', '/p1', { price: 5_000 }),
  to('p1', 'PATCH', '/p1', { leads: 20 }),
  to('p1', 'PATCH', '/p1', { buyerId: 'ilya' }),
  to('p1', 'PATCH', '/p1', { creativeId: 'cr2' }),
  to('p1', 'POST', '/p1/payment', { paymentStatus: 'paid' }),
  to(null, 'POST', '', added),
  to('p2', 'DELETE', '/p2', { deleted: true }),
];

const plain = (text: string | null | undefined): string => (text ?? '').replaceAll(/[\s\u00a0]+/gu, ' ').trim();
const offline = { state: 'offline', announced: true, dataAt: stageNow } as const;
const show = (element: StageOptions['element'], over: Partial<StageOptions> = {}) =>
  stage({
    address: '/dashboard?campaign=k',
    docs,
    connection: offline,
    withOutbox: true,
    element: <PlacementsSlotProvider value={PlacementsSection}>{element}</PlacementsSlotProvider>,
    ...over,
  });
/** A figure by the name that its question has. */
const figure = (label: string, within_: ParentNode = document): HTMLElement => {
  const button = [...within_.querySelectorAll<HTMLElement>('button.z-figure')].find((one) =>
    one.title.startsWith(`${label}: почему`),
  );
  if (button === undefined) throw new Error(`no figure ${label}`);
  return button;
};
const kind = (label: string): readonly [string, string | undefined] => {
  const button = figure(label);
  return [plain(button.textContent), button.closest<HTMLElement>('[data-kind]')?.dataset['kind']];
};

afterEach(() => void vi.restoreAllMocks());

describe('while changes wait every figure is of one of two kinds and says which', () => {
  test('KND-1 on the dashboard: whatever waits, no figure is without its kind, and cards and totals are equal to the kopeck', async () => {
    const { outbox } = show(
      <>
        <SideCampaigns />
        <DashboardPage />
      </>,
    );
    await screen.findByText('Итого');
    expect(document.querySelectorAll('[data-kind]'), 'nothing waits').toHaveLength(0);
    const kept = await outbox();
    for (const edit of edits) {
      act(() => void kept.issue(edit));
      const cards = document.querySelector('.z-six') as HTMLElement;
      const foot = document.querySelector('.z-grid-foot') as HTMLElement;
      const said = (of: ParentNode) => ['Приход', 'Не оплачено'].map((label) => plain(figure(label, of).textContent));
      expect({ path: edit.path, unkinded: unkinded(document.body), cards: said(cards) }).toEqual({
        path: edit.path,
        unkinded: [],
        cards: said(foot),
      });
      // The card leaves the kopecks out.
      const spent = (of: ParentNode): string => plain(figure('Потрачено', of).textContent).replace(/,\d\d/u, '');
      expect(spent(cards)).toBe(spent(foot));
    }
    // One is left, by Ilya, with another creative; and a new one of 500,25 ₽, paid.
    expect(kind('Приход')).toEqual(['20', 'waiting']);
    expect(plain(figure('Потрачено', document.querySelector('.z-grid-foot') as HTMLElement).textContent)).toBe(
      '5 500,25 ₽',
    );
    expect(kind('Потрачено, Илья Кравцов')).toEqual(['5 500,25 ₽', 'waiting']);
    expect(kind('Размещения, Салат')).toEqual(['1 разм.', 'waiting']);
    expect(screen.getByText('1 пока без лидов')).toBeDefined();
    expect(figure('Приход').title).toBe('Приход: почему эта цифра? Сейчас с 7 неотправленными');
    expect(kind('Заработок, Анна Соколова')).toEqual(['1 000,05 ₽', 'confirmed']);
    expect(figure('Заработок, Анна Соколова').title).toContain('Сейчас подтверждено на 14:02, без 7 неотправленных');
    expect(document.querySelector('.z-kind-note')?.textContent).toBe('с 7 неотправленными');
  });

  test('KND-2 what nothing here can decide is in no figure, and each says so', async () => {
    const { outbox } = show(<DashboardPage />);
    await screen.findByText('Итого');
    const kept = await outbox();
    act(() => void kept.issue(to('p1', 'PATCH', '/p1', { buyerId: 'nobody' })));
    expect(kind('Приход')).toEqual(['100', 'confirmed']);
    act(() => void kept.issue(to('p2', 'PATCH', '/p2', { leads: 61 })));
    expect(kind('Приход')).toEqual(['101', 'waiting']);
    expect(figure('Приход').title).toContain('с 1 неотправленной, без 1');
    expect(unkinded(document.body)).toEqual([]);
  });

  test('KND-3 once all is there the marks go, and what was refused waits for nobody but the person', async () => {
    let answer: Answer = 'no answer';
    const { outbox, bring } = show(<DashboardPage />, { serve: () => answer });
    await screen.findByText('Итого');
    const kept = await outbox();
    act(() => void kept.issue(to('p1', 'PATCH', '/p1', { leads: 41 })));
    await waitFor(() => expect(kind('Приход')).toEqual(['101', 'waiting']));
    await waitFor(() => expect(kept.entries()[0]?.state).toEqual({ kind: 'pending', held: true }));
    answer = { data: {}, position: 5 };
    kept.flush();
    await waitFor(() => expect(kept.entries()[0]?.state.kind).toBe('acknowledged'));
    expect(kind('Приход'), 'done, and not come back yet').toEqual(['101', 'waiting']);
    const summary = { ...analytics.summary, totalLeads: 101 };
    act(() => {
      bring('campaign:k', [
        ['placement', placement('p1', { revision: 1, leads: 41 })],
        ['analytics', { ...analytics, summary } as never],
      ]);
      bring('campaign:k', []);
    });
    await waitFor(() => expect(document.querySelectorAll('[data-kind]')).toHaveLength(0));
    expect(kind('Приход')).toEqual(['101', undefined]);
    answer = { problem: { code: 'CAMPAIGN_COMPLETED', message: 'Кампания завершена' } };
    act(() => void kept.issue(to('p2', 'PATCH', '/p2', { leads: 61 })));
    await waitFor(() => expect(kept.entries()[0]?.state.kind).toBe('rejected'));
    await waitFor(() => expect(document.querySelectorAll('[data-kind]')).toHaveLength(0));
    expect(kind('Приход')).toEqual(['101', undefined]);
  });

  test('KND-4 figures that the server alone counts are confirmed: report and contractor', async () => {
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 600, 240));
    const { outbox } = show(
      <>
        <AnalyticsPage />
        <ContractorDialog contractorId="c" onClose={() => undefined} />
      </>,
      { address: '/analytics?channel=food&campaign=k' },
    );
    await screen.findByRole('table', { name: 'По байерам' });
    const kept = await outbox();
    act(() => void kept.issue(to('p1', 'PATCH', '/p1', { price: 5_000 })));
    const kinds = [...document.querySelectorAll<HTMLElement>('.z-figure-place')].map((one) => one.dataset['kind']);
    expect(kinds.length).toBeGreaterThan(10);
    expect(new Set(kinds)).toEqual(new Set(['confirmed']));
  });

  test('KND-5 what stands behind a figure says of which kind value and lines are', async () => {
    const { user, outbox } = show(<DashboardPage />);
    await screen.findByText('Итого');
    const kept = await outbox();
    act(() => void kept.issue(to('p1', 'PATCH', '/p1', { price: 5_000 })));
    await user.click(figure('Приход'));
    const why = within(await screen.findByRole('dialog', { name: 'Почему эта цифра?' }));
    expect(why.getByText('на сейчас, с 1 неотправленной')).toBeDefined();
    expect(why.getByText('Строки ниже подтверждены сервером: неотправленного в них ещё нет.')).toBeDefined();
  });

  const results = {
    total: { spent: 9_000, leads: 90, placements: 3 },
    sizes: [],
    byCampaign: [],
    lastPlacements: rows,
  };
  const salaryRow = {
    userId: 'anna',
    name: 'Анна Соколова',
    role: 'MEDIA_BUYER',
    isActive: true,
    threshold: 100,
    formula: '10 % цены',
    salaryReportBonus: 900,
    countedTotal: { count: 2, price: 9_000 },
    leftOutTotal: { count: 1, price: 900 },
    counted: [],
    leftOut: [],
  };
  const served = ({ path }: { readonly path: string }): Answer => {
    if (path.startsWith('/api/creatives/')) return { data: results, position: 1 };
    if (path.startsWith('/api/reports/salary')) return { data: { rows: [salaryRow] }, position: 1 };
    if (path.startsWith('/api/profile/statement')) return { data: { salary: salaryRow, earnings: [] }, position: 1 };
    return 'no answer';
  };
  test.each([
    ['report', <AnalyticsPage key="" />, '/analytics?channel=food&campaign=k', 'heading', 'Ноябрь'],
    [
      'contractor',
      <ContractorDialog key="" contractorId="c" onClose={() => undefined} />,
      '/',
      'heading',
      '@kitchen_ads',
    ],
    ['contractors', <ContractorsPage key="" />, '/contractors', 'heading', 'Контрагенты'],
    ['creatives', <CreativesPage key="" />, '/creatives', 'heading', 'Креативы'],
    [
      'creative',
      <Routes key="">
        <Route path="/creatives/:id" element={<CreativePage />} />
      </Routes>,
      '/creatives/cr',
      'heading',
      'Рецепт',
    ],
    ['salary report', <SalaryTab key="" />, '/journal?tab=salary', 'table', 'Отчёт по зарплате'],
    ['statement', <Statement key="" />, '/profile', 'button', 'Бонус по отчёту о зарплате: почему эта цифра?'],
  ] as const)(
    'KND-1200 pictures, sentences and counts of the screen that only the server counts are confirmed, and it says so: %s',
    async (_, element, address, role, name) => {
      vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 600, 240));
      const { outbox } = show(element, { address, serve: served, connection: offline });
      await screen.findByRole(role, role === 'button' ? { description: name } : { name });
      const notes = () => [...document.querySelectorAll('.z-kind-note')].map(({ textContent }) => textContent);
      expect(notes(), 'nothing waits').toEqual([]);
      const kept = await outbox();
      act(() => void kept.issue(to('p1', 'PATCH', '/p1', { price: 5_000 })));
      expect(notes()).toEqual(['подтверждено на 14:02, без 1 неотправленной']);
    },
  );
});
