import { act, cleanup, screen, waitFor } from '@testing-library/react';
import type { AnalyticsWire, CampaignWire, UserWire } from '@zakup/contracts/wire-entities';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { PlacementsSlotProvider } from '../../shared/dialogs/placements-slot.tsx';
import { MomentProvider } from '../../shared/moment/moment-context.ts';
import { memoryReplica } from '../../shared/replica/replica.ts';
import { stage } from '../../shared/testing/stage.tsx';
import { SlotOutlet, SlotProvider } from '../../shared/ui/slots.tsx';
import { CampaignMetrics } from './campaign-metrics.tsx';
import { DashboardPage } from './dashboard-page.tsx';

afterEach(cleanup);

const stamp = { revision: 0, createdAt: '2026-11-01T00:00:00.000Z', updatedAt: '2026-11-01T00:00:00.000Z' };
const campaign: CampaignWire = {
  ...stamp,
  id: 'k',
  name: 'Ноябрь | Подписчики',
  channelId: 'food',
  totalBudget: 420_000,
  budget: 420_000,
  status: 'ACTIVE',
  startDate: null,
  endDate: null,
  participants: [],
};
const summary: AnalyticsWire['summary'] = {
  totalBudget: 420_000,
  spentBudget: 10_000,
  remainingBudget: 410_000,
  averageCostPerLead: 100,
  totalLeads: 100,
  totalPlacements: 2,
  paidBudget: 6_000,
  unpaidBudget: 4_000,
};
const analytics: AnalyticsWire = { id: 'k', summary, byBuyer: [], byCreative: [], byContractor: [], byDay: [] };
const Table = () => <p>таблица</p>;
const text = (): string => (document.body.textContent ?? '').replaceAll('\u00a0', ' ');

it('DB-1149 a campaign opened by a link is the last one of this browser; one that is not there makes nothing forgotten', async () => {
  const element = (
    <PlacementsSlotProvider value={Table}>
      <DashboardPage />
    </PlacementsSlotProvider>
  );
  const docs = { workspace: [['campaign', campaign] as const, ['campaign', { ...campaign, id: 'w' }] as const] };
  stage({ element, docs, address: '/dashboard?campaign=w', kept: { lastCampaignId: 'k' } });
  await waitFor(() => expect(localStorage.getItem('lastCampaignId')).toBe('w'));
  cleanup();
  stage({ element, docs, address: '/dashboard?campaign=nobody', kept: { lastCampaignId: 'w' } });
  await screen.findByRole('heading', { level: 1 });
  expect(localStorage.getItem('lastCampaignId')).toBe('w');
});

it('DB-9 the sums of a campaign stand while its placements are still on their way, and are live once those came', async () => {
  const { calls, bring } = stage({
    element: (
      <PlacementsSlotProvider value={Table}>
        <DashboardPage />
      </PlacementsSlotProvider>
    ),
    docs: { workspace: [['campaign', campaign]] },
    scopeStatus: { kind: 'loading' },
    serve: ({ path }) => (path === '/api/campaigns/k/analytics' ? { data: { summary } } : 'no answer'),
  });
  await waitFor(() => expect(text()).toContain('410 000 ₽'));
  expect(text()).toContain('загружаются');
  expect(screen.getByText('таблица').closest('[hidden]')).not.toBeNull();
  expect(calls.map(({ path }) => path)).toEqual(['/api/campaigns/k/analytics']);
  const live: AnalyticsWire = { ...analytics, summary: { ...summary, remainingBudget: 409_000 } };
  act(() => bring('campaign:k', [['analytics', live]]));
  await waitFor(() => expect(text()).toContain('409 000 ₽'));
  expect(text()).not.toContain('загружаются');
  expect(screen.getByText('таблица').closest('[hidden]')).toBeNull();
});

it('DB-3400 of a campaign whose figures the line took away, since it was deleted, the server is asked nothing', async () => {
  const { calls, withdraw } = stage({
    element: (
      <PlacementsSlotProvider value={Table}>
        <DashboardPage />
      </PlacementsSlotProvider>
    ),
    docs: { workspace: [['campaign', campaign]], 'campaign:k': [['analytics', analytics]] },
    serve: () => ({ data: analytics }),
  });
  await waitFor(() => expect(text()).toContain('410 000 ₽'));
  act(() => withdraw('campaign:k', { kind: 'analytics', id: 'k' }));
  await waitFor(() => expect(text()).not.toContain('410 000 ₽'));
  expect(calls).toEqual([]);
});

it('DB-1152 on a phone the name of the campaign stands whole above its figures, once for who listens', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) => Object.assign(new EventTarget(), { matches: query.includes('768'), media: query }) as MediaQueryList,
  );
  onTestFinished(() => void vi.restoreAllMocks());
  const named: CampaignWire = { ...campaign, name: 'Кухня на каждый день | Новые подписчики, октябрь 2026' };
  stage({
    element: (
      <PlacementsSlotProvider value={Table}>
        <DashboardPage />
      </PlacementsSlotProvider>
    ),
    docs: { workspace: [['campaign', named]], 'campaign:k': [['analytics', analytics]] },
  });
  const name = await screen.findByText('Кухня на каждый день - Новые подписчики, октябрь 2026', { selector: 'p' });
  expect(name.getAttribute('aria-hidden')).toBe('true');
});

it('DB-1171 with no active campaign it says when the last one ended, not of one whose end is still to come', async () => {
  const ended = (id: string, endDate: string): CampaignWire => ({ ...campaign, id, status: 'COMPLETED', endDate });
  const show = (...campaigns: CampaignWire[]) =>
    stage({ element: <DashboardPage />, docs: { workspace: campaigns.map((one) => ['campaign', one] as const) } });
  show(ended('a', '2020-10-02'), ended('b', '2020-10-31'), ended('c', '2099-01-01'));
  await screen.findByRole('heading', { name: 'Нет активных кампаний' });
  expect(text()).toContain('последняя закончилась 31 октября 2020');
  cleanup();
  show(ended('c', '2099-01-01'));
  await screen.findByRole('heading', { name: 'Нет активных кампаний' });
  expect(text()).toContain('ни одной');
  expect(text()).not.toContain('закончилась');
});

it('DB-1172 a completed campaign promises nothing more: what was not spent, and what stayed without leads', async () => {
  const over: CampaignWire = { ...campaign, status: 'COMPLETED' };
  const spent: AnalyticsWire['summary'] = { ...summary, spentBudget: 309_540, remainingBudget: 110_460 };
  const show = (of: CampaignWire) =>
    stage({
      element: <CampaignMetrics campaign={of} summary={spent} withoutLeads={2} arrivedToday={0} today="2026-11-21" />,
    });
  show(over);
  await screen.findByText('Остаток');
  expect(text()).toContain('не израсходовано 26,3 %');
  expect(text()).toContain('2 без лидов');
  cleanup();
  show({ ...campaign, status: 'DRAFT' });
  await screen.findByText('Остаток');
  expect(text()).toContain('израсходовано 73,7 %');
  expect(text()).not.toContain('не израсходовано');
  expect(text()).toContain('2 пока без лидов');
});

describe('who completed a campaign, and when', () => {
  const olga = { ...stamp, id: 'olga', name: 'Ольга Демидова' } as unknown as UserWire;
  const completion = { at: '2026-11-21T11:20:00.000Z', by: 'olga' };
  const over: CampaignWire = { ...campaign, status: 'COMPLETED', completion };
  const show = (of: CampaignWire, users: readonly UserWire[] = [olga]) =>
    stage({
      element: (
        <SlotProvider>
          <PlacementsSlotProvider value={Table}>
            <SlotOutlet name="status-left" />
            <DashboardPage />
          </PlacementsSlotProvider>
        </SlotProvider>
      ),
      docs: {
        workspace: [['campaign', of], ...users.map((one) => ['user', one] as const)],
        'campaign:k': [['analytics', analytics]],
      },
      address: '/dashboard?campaign=k',
      withOutbox: true,
    });
  const statusLine = (): string | null | undefined => document.querySelector('[data-slot="status-left"]')?.textContent;

  it('DB-1511 stands in the status line, without a name that nobody has, and not once it is opened again', async () => {
    show(over);
    await waitFor(() => expect(statusLine()).toBe('Завершена 21 ноября в 14:20 · Ольга Демидова'));
    cleanup();
    show(over, []);
    await waitFor(() => expect(statusLine()).toBe('Завершена 21 ноября в 14:20'));
    cleanup();
    show({ ...campaign, completion: null });
    await screen.findByText('таблица');
    expect(statusLine()).toBe('');
  });

  it('DB-1512 on a phone, which has no status line, it stands below the reason', async () => {
    vi.spyOn(window, 'matchMedia').mockImplementation(
      (query) => Object.assign(new EventTarget(), { matches: query.includes('768'), media: query }) as MediaQueryList,
    );
    onTestFinished(() => void vi.restoreAllMocks());
    show(over);
    await screen.findByText('Завершена 21 ноября в 14:20 · Ольга Демидова', { selector: '.z-completed small' });
    expect(statusLine()).toBe('');
  });
});

describe('what arrived today', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 21, 11, 2) }));
  afterEach(() => void vi.useRealTimers());

  const day = (date: string, leads: number) => ({
    date,
    spent: 13_400,
    leads,
    placements: 1,
    averageCostPerLead: 0,
  });
  const since = (leads: number): AnalyticsWire => ({
    ...analytics,
    byDay: [day('2026-11-20', 64), day('2026-11-21', leads)],
  });
  const show = (leads: number, around = (page: ReactNode): ReactNode => page) =>
    stage({
      element: around(
        <PlacementsSlotProvider value={Table}>
          <DashboardPage />
        </PlacementsSlotProvider>,
      ),
      docs: { workspace: [['campaign', campaign]], 'campaign:k': [['analytics', since(leads)]] },
      address: '/dashboard?campaign=k',
      serve: () => 'no answer',
    });
  const note = async (): Promise<string | undefined> =>
    (await screen.findByText('Приход')).parentElement
      ?.querySelector('.z-metric-note')
      ?.textContent?.replaceAll('\u00a0', ' ');

  it('DB-1513 stands below the arrivals of a campaign and is explained by the placements of that day', async () => {
    const { user, calls } = show(48);
    expect(await note()).toBe('+48 сегодня');
    await user.click(screen.getByRole('button', { name: '+48' }));
    await waitFor(() => expect(calls.map(({ path }) => path).join('\n')).toContain('from=2026-11-21&to=2026-11-21'));
    expect(calls.at(-1)?.path).toContain('figure=leads');
    expect(text()).toContain('приход размещений этого дня вместе: 48');
  });

  it('DB-1514 is not said of a day that brought nothing, nor in a moment of the past', async () => {
    show(0);
    expect(await note()).toBe('50 на размещение');
    cleanup();
    show(48, (page) => (
      <MomentProvider value={{ position: 17, at: '2026-11-21T10:00:00.000Z', now: memoryReplica() }}>
        {page}
      </MomentProvider>
    ));
    expect(await note()).toBe('50 на размещение');
  });
});
