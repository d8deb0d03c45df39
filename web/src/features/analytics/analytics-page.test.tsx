import type { AnalyticsWire, CampaignWire, ChannelWire } from '@zakup/contracts/wire-entities';
import { cleanup, screen, within } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { describe, expect, it } from 'vitest';
import { stage } from '../../shared/testing/stage.tsx';
import { AnalyticsPage } from './analytics-page.tsx';

const stamp = { revision: 0, createdAt: '2026-11-01T00:00:00.000Z', updatedAt: '2026-11-01T00:00:00.000Z' };
const channel = (id: string, name: string): ChannelWire => ({ ...stamp, id, name, avatar: null });
const campaign = (id: string, name: string, over: Partial<CampaignWire> = {}): CampaignWire => ({
  ...stamp,
  id,
  name,
  channelId: 'food',
  totalBudget: 420_000,
  budget: 420_000,
  status: 'ACTIVE',
  startDate: '2026-11-01',
  endDate: '2026-11-30',
  participants: [],
  ...over,
});
const analytics: AnalyticsWire = {
  id: 'k',
  summary: {
    totalBudget: 420_000,
    spentBudget: 10_000,
    remainingBudget: 410_000,
    averageCostPerLead: 100,
    totalLeads: 100,
    totalPlacements: 2,
    paidBudget: 10_000,
    unpaidBudget: 0,
  },
  byBuyer: [{ buyerId: 'anna', spent: 10_000, leads: 100, placements: 2, averageCostPerLead: 100 }],
  byCreative: [{ creativeId: 'NO_CREATIVE', spent: 10_000, leads: 100, placements: 2, averageCostPerLead: 100 }],
  byContractor: [],
  byDay: [{ date: '2026-11-20', spent: 10_000, leads: 100, placements: 2, averageCostPerLead: 100 }],
};
const workspace = [
  ['channel', channel('food', 'Кухня')],
  ['channel', channel('dacha', 'Дача')],
  ['channel', channel('empty', 'Пустой')],
  ['campaign', campaign('old', 'Осень', { status: 'COMPLETED' })],
  ['campaign', campaign('k', 'Ноябрь | Подписчики')],
  ['campaign', campaign('seeds', 'Посев', { channelId: 'dacha' })],
  ['user', { id: 'anna', revision: 0, name: 'Анна Соколова', role: 'MEDIA_BUYER', isActive: true }],
] as const;
const shown = (address = '/analytics') =>
  stage({ element: <AnalyticsPage />, address, docs: { workspace, 'campaign:k': [['analytics', analytics]] } });
const names = (): readonly (string | null)[] =>
  within(screen.getByRole('complementary'))
    .getAllByRole('listitem')
    .flatMap((item) => within(item).queryAllByRole('button'))
    .filter((button) => button.hasAttribute('aria-current'))
    .map((button) => button.querySelector('span')?.textContent ?? null);

describe('the analytics page', () => {
  it('ANL-10 a chip picks a channel and again gives it up; active campaigns come first; the choice is kept', async () => {
    const { user } = shown();
    expect(await screen.findByRole('heading', { name: 'Выберите кампанию' })).toBeTruthy();
    expect(names()).toEqual(['Ноябрь - Подписчики', 'Посев', 'Осень']);
    const food = screen.getByRole('button', { name: 'Кухня' });
    await user.click(food);
    expect(food.getAttribute('aria-pressed')).toBe('true');
    expect(names()).toEqual(['Ноябрь - Подписчики', 'Осень']);
    expect(localStorage.getItem('analytics_lastChannelId')).toBe('food');
    await user.click(food);
    expect(names()).toHaveLength(3);
    expect(localStorage.getItem('analytics_lastChannelId')).toBeNull();
  });

  it('ANL-11 a search without a hit and a channel without campaigns say so in their own words', async () => {
    const { user } = shown();
    await user.type(await screen.findByRole('searchbox', { name: 'Найти кампанию' }), 'зима');
    expect(screen.getByText(/Кампании не найдены/u)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Сбросить' }));
    await user.click(screen.getByRole('button', { name: 'Пустой' }));
    expect(screen.getByText('Нет доступных кампаний')).toBeTruthy();
  });

  it('ANL-12 a picked campaign shows its report, names without a bar, and is remembered', async () => {
    const { user, held } = shown();
    await user.click(await screen.findByRole('button', { name: /Ноябрь - Подписчики/u }));
    expect(screen.getByRole('heading', { level: 1, name: 'Ноябрь - Подписчики' })).toBeTruthy();
    expect(held).toContain('campaign:k');
    expect(localStorage.getItem('analytics_lastCampaignId')).toBe('k');
    const buyers = screen.getByRole('table', { name: 'Анализ байеров' });
    expect(within(buyers).getByRole('row', { name: /Анна Соколова/u }).textContent).toContain('100,00');
    expect(screen.getByText('Ни у одного размещения нет креатива.')).toBeTruthy();
    expect(screen.getByText('по лидам, без креатива: 2')).toBeTruthy();
  });

  it('ANL-13 the address says which campaign; one that is not there any more is none', async () => {
    shown('/analytics?channel=food&campaign=k');
    expect(await screen.findByRole('heading', { level: 1, name: 'Ноябрь - Подписчики' })).toBeTruthy();
  });

  it('ANL-1148 a campaign opened by a link is the last one, with its channel; one that is not there makes nothing forgotten', async () => {
    shown('/analytics?campaign=k');
    await screen.findByRole('heading', { level: 1, name: 'Ноябрь - Подписчики' });
    const last = () => ['analytics_lastChannelId', 'analytics_lastCampaignId'].map((key) => localStorage.getItem(key));
    expect(last()).toEqual(['food', 'k']);
    cleanup();
    const kept = { analytics_lastChannelId: 'food', analytics_lastCampaignId: 'k' };
    stage({ element: <AnalyticsPage />, address: '/analytics?campaign=nobody', docs: { workspace }, kept });
    expect(await screen.findByRole('heading', { name: 'Выберите кампанию' })).toBeTruthy();
    expect(last()).toEqual(['food', 'k']);
  });

  it.each([
    ['without a channel', [], 'Каналов ещё нет', 'Создайте канал и кампанию в настройках: отчёт появится здесь.'],
    [
      'without a campaign',
      [['channel', channel('food', 'Кухня')] as const],
      'Кампаний ещё нет',
      'Создайте кампанию в настройках: отчёт появится здесь.',
    ],
  ])('ANL-25 %s there is nothing to report: it says where to create it', async (_, docs, title, hint) => {
    stage({ element: <AnalyticsPage />, address: '/analytics', docs: { workspace: docs } });
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeTruthy();
    expect(screen.getByText(hint)).toBeTruthy();
  });

  it.each([
    ['a channel', [], 'Создать канал', '/settings?tab=channels'],
    ['a campaign', [['channel', channel('food', 'Кухня')] as const], 'Создать кампанию', '/settings?tab=campaigns'],
  ])(
    'ANL-1530 who may create %s that is missing is led there, who has no settings is not',
    async (_, docs, button, address) => {
      const Here = () => <output data-testid="here">{useLocation().pathname + useLocation().search}</output>;
      const docsOf = { workspace: docs };
      const element = (
        <>
          <AnalyticsPage />
          <Here />
        </>
      );
      const { user } = stage({ element, address: '/analytics', docs: docsOf });
      await user.click(await screen.findByRole('button', { name: button }));
      expect(screen.getByTestId('here').textContent).toBe(address);
      cleanup();
      stage({ element, address: '/analytics', docs: docsOf, permissionsOver: { settings: false } });
      expect(await screen.findByRole('heading', { level: 1 })).toBeTruthy();
      expect(screen.queryByRole('button', { name: button })).toBeNull();
    },
  );

  it('ANL-14 every picture is also a table', async () => {
    const { user } = shown('/analytics?campaign=k');
    await user.click(await screen.findByRole('button', { name: 'Расход и приход по дням: таблица и файлы' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Показать таблицей' }));
    const table = await screen.findByRole('table', { name: 'Расход и приход по дням' });
    expect(within(table).getAllByRole('row')[1]?.textContent).toContain('20 ноября');
  });
});
