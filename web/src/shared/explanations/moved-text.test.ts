import type { HistoryEntry } from '@zakup/contracts/history';
import { expect, test } from 'vitest';
import { movedText } from './moved-text.ts';

const entry = (event: string, entity: HistoryEntry['entity'], changes: HistoryEntry['changes']): HistoryEntry => ({
  position: 1,
  revision: 0,
  at: '2026-11-20T10:00:00.000Z',
  actor: { userId: 'ilya', name: 'Илья Кравцов' },
  commandId: 'c',
  source: 'screen',
  reason: null,
  causedBy: null,
  event,
  entity,
  campaign: null,
  changes,
});
const plain = (text: string): string => text.replaceAll('\u00a0', ' ');

test('WHY-20 what moved a figure is told by the names that the screens have', () => {
  const campaign = { kind: 'campaign', id: 'k', name: 'Ноябрь | Подписчики' };
  const placement = { kind: 'placement', id: 'p', name: '@recepty24' };
  const told = [
    entry('PlacementAdded', placement, [
      { field: 'campaignId', from: null, to: 'k' },
      { field: 'price', from: null, to: 10_600 },
    ]),
    entry('PlacementPriceChanged', placement, [{ field: 'price', from: 5_000, to: 5_400 }]),
    entry('CampaignCreated', campaign, [{ field: 'name', from: null, to: 'Ноябрь | Подписчики' }]),
    entry('CampaignBudgetChanged', campaign, [{ field: 'totalBudget', from: 1_000, to: 1_500.5 }]),
    entry('CampaignDeleted', campaign, [{ field: 'deleted', from: false, to: true }]),
    entry('ParticipantChanged', campaign, [
      {
        field: 'participants/anna',
        name: 'Анна Соколова',
        from: { userId: 'anna', budget: 500, salaryType: null, salaryRate: null, cplThreshold: null },
        to: { userId: 'anna', budget: 800, salaryType: null, salaryRate: null, cplThreshold: null },
      },
    ]),
    entry('ChannelDeleted', { kind: 'channel', id: 'c', name: 'Кухня' }, [{ field: 'deleted', from: false, to: true }]),
    entry('LicenceSettingsChanged', { kind: 'license', id: 'l', name: null }, [
      { field: 'leadValue', from: 100, to: 120.5 },
    ]),
    entry('LicenceSettingsChanged', { kind: 'license', id: 'l', name: null }, [
      { field: 'countZeroLeads', from: true, to: false },
    ]),
    entry('EmployeeTermsChanged', { kind: 'user', id: 'anna', name: 'Анна Соколова' }, [
      { field: 'salaryType', from: 'budget', to: 'performance' },
      { field: 'salaryRate', from: 10, to: 12.5 },
      { field: 'performanceThreshold', from: null, to: 80 },
    ]),
    {
      ...entry('EmployeeTermsChanged', { kind: 'user', id: 'anna', name: 'Анна Соколова' }, [
        { field: 'salaryRate', from: null, to: null, hidden: true },
      ]),
      revision: 3,
    },
  ].map((one) => plain(movedText(one)));
  expect(told).toEqual([
    'Илья Кравцов: добавлено @recepty24 за 10 600 ₽',
    'Илья Кравцов: @recepty24, цена 5 000 ₽ → 5 400 ₽',
    'Илья Кравцов: создано – Кампания Ноябрь - Подписчики',
    'Илья Кравцов: Кампания Ноябрь - Подписчики, общий бюджет 1 000 ₽ → 1 500,50 ₽',
    'Илья Кравцов: Кампания Ноябрь - Подписчики, удалено',
    'Илья Кравцов: Кампания Ноябрь - Подписчики, участник Анна Соколова бюджет 500 ₽ → бюджет 800 ₽',
    'Илья Кравцов: Канал Кухня, удалено',
    'Илья Кравцов: Лицензия, цена лида 100 ₽ → 120,50 ₽',
    'Илья Кравцов: Лицензия, засчитывать размещения без лидов да → нет',
    'Илья Кравцов: Сотрудник Анна Соколова, схема оплаты от бюджета → за результат, процент 10 % → 12,5 %, порог CPL 80 ₽',
    'Илья Кравцов: Сотрудник Анна Соколова, процент значение скрыто',
  ]);
});
