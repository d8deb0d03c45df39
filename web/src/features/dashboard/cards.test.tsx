import { screen, within } from '@testing-library/react';
import type { AnalyticsWire, CampaignWire, ChannelWire } from '@zakup/contracts/wire-entities';
import { describe, expect, it } from 'vitest';
import { stage } from '../../shared/testing/stage.tsx';
import { CampaignHeader } from './campaign-header.tsx';
import { CampaignMetrics } from './campaign-metrics.tsx';
import { DashboardPage } from './dashboard-page.tsx';

const stamp = { revision: 0, createdAt: '2026-11-01T00:00:00.000Z', updatedAt: '2026-11-01T00:00:00.000Z' };
const channel: ChannelWire = { ...stamp, id: 'food', name: 'Кухня', avatar: null };
const campaign = (id: string, status: CampaignWire['status'], over: Partial<CampaignWire> = {}): CampaignWire => ({
  ...stamp,
  id,
  name: id,
  channelId: 'food',
  totalBudget: 1000,
  budget: 1000,
  status,
  startDate: null,
  endDate: null,
  participants: [],
  ...over,
});
const summary = (spentBudget: number): AnalyticsWire['summary'] => ({
  totalBudget: 1000,
  spentBudget,
  remainingBudget: 1000 - spentBudget,
  averageCostPerLead: 0,
  totalLeads: 0,
  totalPlacements: 1,
  paidBudget: 0,
  unpaidBudget: spentBudget,
});
const plain = (text: string | null | undefined): string => (text ?? '').replaceAll(/\s/gu, ' ');

describe('the header and the cards of a campaign', () => {
  it('DB-20 the picker says of each campaign whether it is active or completed', async () => {
    const { user } = stage({
      element: (
        <CampaignHeader
          channels={[channel]}
          campaigns={[campaign('Осень', 'COMPLETED'), campaign('Ноябрь', 'ACTIVE'), campaign('Зима', 'DRAFT')]}
          campaign={null}
          today="2026-11-21"
          onChoose={() => undefined}
          onAdd={null}
        />
      ),
    });
    await user.click(await screen.findByRole('button', { name: 'Выберите канал' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Кухня' }));
    const items = await screen.findAllByRole('menuitem', { name: /Осень|Ноябрь|Зима/u });
    expect(items.map(({ textContent }) => textContent)).toEqual(['НоябрьАктивная', 'ОсеньЗавершена', 'ЗимаЧерновик']);
  });

  it.each([
    [400, '600 ₽', false],
    [1000, '0 ₽', true],
    [1700, '−700 ₽', true],
  ])('DB-21 of 1 000 ₽ %d ₽ are spent: %s remain, red when not positive: %s', async (spent, text, isRed) => {
    stage({
      element: (
        <CampaignMetrics
          campaign={campaign('Ноябрь', 'ACTIVE')}
          summary={summary(spent)}
          withoutLeads={0}
          arrivedToday={0}
          today="2026-11-21"
        />
      ),
    });
    const value = (await screen.findByText('Остаток')).nextElementSibling;
    expect(plain(value?.textContent)).toBe(text);
    expect(value?.classList.contains('z-bad')).toBe(isRed);
  });

  it('DB-22 each employee’s card says by which scheme they are paid', async () => {
    const people = [
      ['anna', 'Анна', { salaryType: 'budget', salaryRate: 10, cplThreshold: 100 }],
      ['ilya', 'Илья', { salaryType: 'performance', salaryRate: 12, cplThreshold: 80 }],
    ] as const;
    const budgets = people.map(([userId]) => ({
      userId,
      budget: 500,
      salaryType: null,
      salaryRate: null,
      cplThreshold: null,
    }));
    const own = campaign('k', 'ACTIVE', { participants: budgets });
    const analytics: AnalyticsWire = {
      id: 'k',
      summary: summary(400),
      byBuyer: [],
      byCreative: [],
      byContractor: [],
      byDay: [],
    };
    stage({
      element: <DashboardPage />,
      address: '/dashboard?campaign=k',
      kept: { employeeAnalyticsExpanded: 'true' },
      docs: {
        workspace: [
          ['channel', channel],
          ['campaign', own],
          ...people.map(
            ([id, name]) => ['user', { id, revision: 0, name, role: 'MEDIA_BUYER', isActive: true } as never] as const,
          ),
        ],
        'campaign:k': [
          ['analytics', analytics],
          ...people.map(
            ([userId, , terms]) =>
              [
                'earnings',
                {
                  id: `k:${userId}`,
                  campaignId: 'k',
                  userId,
                  terms: { ...terms, source: 'participant' },
                  budget: 500,
                  spent: 0,
                  earnings: 0,
                  counted: [],
                  leftOut: [],
                  zeroLeads: { count: 0, price: 0 },
                } as never,
              ] as const,
          ),
        ],
      },
    });
    const cardOf = async (name: string) => within((await screen.findByText(name)).closest('li') ?? document.body);
    expect(plain((await cardOf('Анна')).getByText(/от бюджета/u).textContent)).toBe('10% от бюджета');
    expect(plain((await cardOf('Илья')).getByText(/за результат/u).textContent)).toBe('12% за результат до 80 ₽');
  });
});
