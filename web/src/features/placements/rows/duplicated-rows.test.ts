import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { topics } from '@zakup/domain/topics';
import { expect, it } from 'vitest';
import { placementDocument } from '../../../shared/testing/placement-document.ts';
import { addBody } from '../dialogs/placement-form.ts';
import { duplicatedRows } from './duplicated-rows.ts';
import type { PlacementRow } from './placement-row.ts';

const option = (value: string) => ({ value, label: value });
const choices = { buyers: [option('anna'), option('ilya')], creatives: [option('reels')] };
const deps = { campaignId: 'c', choices, mayAddFor: () => true, personId: 'anna', today: '2026-11-28' };
const row = (of: Partial<PlacementWire>): PlacementRow =>
  ({
    placement: placementDocument({ buyerId: 'ilya', category: topics[0] ?? '', format: '1/24', ...of }),
    nick: '@kitchen_ads',
  }) as unknown as PlacementRow;

it('GRD-2290 a copy keeps contractor, topic, format, creative, price and buyer, and is of today, unpaid, without leads and remarks', () => {
  const given = row({
    date: '2026-11-03',
    price: 5400.5,
    leads: 50,
    creativeId: 'reels',
    paymentStatus: 'paid',
    comment: 'пост',
    postUrl: 'https://t.me/a/1',
  });
  const { forms, skipped } = duplicatedRows([given], deps);
  expect(forms.map((form) => addBody('c', form))).toEqual([
    {
      campaignId: 'c',
      date: '2026-11-28',
      buyerId: 'ilya',
      contractor: '@kitchen_ads',
      format: '1/24',
      price: 5400.5,
      creativeId: 'reels',
      category: topics[0],
      paymentStatus: 'unpaid',
    },
  ]);
  expect([forms[0]?.leads, skipped]).toEqual(['0', 0]);
});

it('GRD-2291 who may not add for the buyer of the row adds for oneself, a creative that is no more is left out, and what cannot be is said', () => {
  const own = { ...deps, mayAddFor: (id: string) => id === 'anna' };
  const { forms } = duplicatedRows([row({ creativeId: 'gone' })], own);
  expect(forms).toMatchObject([{ buyerId: 'anna', creativeId: '' }]);
  expect(duplicatedRows([row({})], { ...own, personId: 'marina' })).toEqual({
    forms: [],
    skipped: 1,
    reasons: ['за этого байера размещение не добавить'],
  });
  const foreign = duplicatedRows([row({}), row({ category: 'Чужая' })], deps);
  expect([foreign.forms.length, foreign.skipped, foreign.reasons]).toEqual([1, 1, ['Выберите тематику']]);
});
