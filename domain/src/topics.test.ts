import { expect, test } from 'vitest';
import {
  campaignStatusLabels,
  formats,
  isFormat,
  isTopic,
  roleLabels,
  showCampaignName,
  showCreativeType,
  showPayment,
  showTopic,
  topics,
} from './topics.ts';

test('TOPIC-1 there are 46 different topics', () => {
  expect(new Set(topics).size).toBe(46);
  expect(topics.every(isTopic)).toBe(true);
  for (const other of ['', 'мемы', 'Unknown', 'toString']) expect(isTopic(other)).toBe(false);
});

test('TOPIC-2 there are four formats', () => {
  expect(formats).toEqual(['1/24', '1/48', '1/72', '1/∞']);
  for (const other of ['', '1/25', '1/∞ ']) expect(isFormat(other)).toBe(false);
});

test('TOPIC-3 foreign stored values have a label too', () => {
  expect(showCreativeType('TEXT_ONLY')).toBe('Текст');
  expect(showCreativeType('constructor')).toBe('Неизвестный тип');
  expect(showPayment('paid')).toBe('Оплачено');
  expect(showPayment('maybe')).toBe('Неизвестно');
  expect(showTopic('')).toBe('Unknown');
  expect(showTopic('Мемы')).toBe('Мемы');
});

test.each([
  ['Осень', 'Осень'],
  ['Осень|Мемы', 'Осень - Мемы'],
  ['Осень  |  Мемы | 2', 'Осень - Мемы - 2'],
  ['', 'Неизвестная кампания'],
  ['  ', 'Неизвестная кампания'],
])('TOPIC-4 the campaign %j is shown as %j', (name, shown) => {
  expect(showCampaignName(name)).toBe(shown);
});

test('TOPIC-5 roles and the states of a campaign have their labels', () => {
  expect(roleLabels).toEqual({
    CEO: 'Владелец',
    CBDO: 'CBDO',
    TEAM_LEAD: 'Тим-лид',
    MEDIA_BUYER: 'Медиа-байер',
    ANALYTIC: 'Аналитик',
  });
  expect(campaignStatusLabels).toEqual({ ACTIVE: 'Активная', COMPLETED: 'Завершена', DRAFT: 'Черновик' });
});
