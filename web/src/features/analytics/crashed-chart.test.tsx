import { act, screen, waitFor, within } from '@testing-library/react';
import type { AnalyticsWire, CampaignWire, ChannelWire } from '@zakup/contracts/wire-entities';
import { beforeEach, expect, it, vi } from 'vitest';
import { stage } from '../../shared/testing/stage.tsx';
import { lazyPart } from '../../shared/ui/lazy-part.tsx';
import { AnalyticsPage } from './analytics-page.tsx';
import { ChartCard } from '../../shared/charts/chart-card.tsx';

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
  participants: [],
};
const channel: ChannelWire = { ...stamp, id: 'food', name: 'Кухня', avatar: null };
const line = { spent: 10_000, leads: 100, placements: 2, averageCostPerLead: 100 };
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
  byBuyer: [{ buyerId: 'anna', ...line }],
  byCreative: [{ creativeId: 'NO_CREATIVE', ...line }],
  byContractor: [],
  byDay: [{ date: '2026-11-20', ...line }],
};
beforeEach(() => {
  // React says of every crash what it caught.
  const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  // Nothing is laid out here, and a chart is drawn only where it has a size.
  const size = vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(600);
  return () => {
    errors.mockRestore();
    size.mockRestore();
  };
});

it('LZP-5 a chart that crashes leaves the other cards, its own table, and comes back by «Повторить»', async () => {
  let crashes = true;
  const Chart = lazyPart(() =>
    Promise.resolve(() => {
      if (crashes) throw new Error('Внутри сломалось');
      return <p>Картинка по дням</p>;
    }),
  );
  const title = 'Расход и приход по дням';
  const cards = [title, 'Бюджет'].map((name) => (
    <ChartCard
      key={name}
      title={name}
      finding="Находка"
      fileName="файл"
      height={100}
      table={{ header: ['Дата'], rows: [['2026-11-20']], show: (cell) => cell }}
    >
      {name === title ? <Chart /> : <p>Картинка бюджета</p>}
    </ChartCard>
  ));
  const { user } = stage({ element: <>{cards}</> });
  const card = await screen.findByRole('region', { name: title });
  expect((await within(card).findByRole('alert')).textContent).toContain('Ошибка загрузки компонента');
  expect(await screen.findByText('Картинка бюджета')).toBeTruthy();
  expect(screen.getAllByRole('alert')).toHaveLength(1);

  const choose = async (item: string): Promise<void> => {
    await user.click(within(card).getByRole('button', { name: `${title}: таблица и файлы` }));
    await user.click(await screen.findByRole('menuitem', { name: item }));
  };
  await choose('Показать таблицей');
  expect(within(await screen.findByRole('table', { name: title })).getAllByRole('row')).toHaveLength(2);
  await choose('Показать картинкой');
  const retry = await within(card).findByRole('button', { name: 'Повторить' });
  crashes = false;
  await user.click(retry);
  expect(await within(card).findByText('Картинка по дням')).toBeTruthy();
});

const unreadable: AnalyticsWire = { ...analytics, byContractor: [null as never] };

it('LZP-6 a card that crashes over a document it cannot read leaves the others', async () => {
  const { user, bring } = stage({
    element: <AnalyticsPage />,
    address: '/analytics?campaign=k',
    docs: {
      workspace: [
        ['channel', channel],
        ['campaign', campaign],
      ],
      'campaign:k': [['analytics', unreadable]],
    },
  });
  expect(await screen.findByRole('table', { name: 'Анализ байеров' })).toBeTruthy();
  expect(screen.getByRole('heading', { level: 1, name: 'Ноябрь - Подписчики' })).toBeTruthy();
  const alert = await screen.findByRole('alert');
  act(() => bring('campaign:k', [['analytics', analytics]]));
  await user.click(within(alert).getByRole('button', { name: 'Повторить' }));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  expect(screen.getByRole('region', { name: 'Цена и CPL' })).toBeTruthy();
});
