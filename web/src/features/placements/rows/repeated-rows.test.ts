import type { ContractorWire, PlacementWire } from '@zakup/contracts/wire-entities';
import { topics } from '@zakup/domain/topics';
import { describe, expect, it } from 'vitest';
import { placementDocument } from '../../../shared/testing/placement-document.ts';
import type { PlacementRow } from './placement-row.ts';
import { boughtIn, type RepeatDeps, repeatedRows, sameWeekday, weeksBefore } from './repeated-rows.ts';

const option = (value: string) => ({ value, label: value });
const row = (of: Partial<PlacementWire>, over: Partial<PlacementRow> = {}): PlacementRow => {
  const placement = placementDocument({ buyerId: 'ilya', category: topics[0] ?? '', format: '1/24', ...of });
  return { id: placement.id, placement, nick: '@kitchen', counted: true, leaving: false, ...over } as PlacementRow;
};
const depsWith = (over: Partial<RepeatDeps>): RepeatDeps => ({
  campaignId: 'c',
  choices: { buyers: [option('anna'), option('ilya')], creatives: [option('reels')] },
  mayAddFor: () => true,
  personId: 'anna',
  rows: [],
  contractors: new Map(),
  newDay: (day) => sameWeekday(day, '2026-11-28'),
  prices: new Map(),
  ...over,
});

describe('last week once more', () => {
  it('RPT-2300 the weeks end the day before, and a day is repeated on its weekday, from today on', () => {
    expect(weeksBefore('2026-11-28', 2)).toEqual([
      { from: '2026-11-21', to: '2026-11-27' },
      { from: '2026-11-14', to: '2026-11-20' },
    ]);
    expect(weeksBefore('2026-01-03', 1)).toEqual([{ from: '2025-12-27', to: '2026-01-02' }]);
    const days = ['2026-11-21', '2026-11-22', '2026-11-27', '2026-11-14', '2026-11-28'];
    expect(days.map((day) => sameWeekday(day, '2026-11-28'))).toEqual([
      '2026-11-28',
      '2026-11-29',
      '2026-12-04',
      '2026-11-28',
      '2026-11-28',
    ]);
  });

  it('RPT-2301 lists what was bought in the week in the order of its days, nothing cancelled, deleted or of another buyer', () => {
    const rows = [
      row({ id: 'late', date: '2026-11-27' }),
      row({ id: 'early', date: '2026-11-21', buyerId: 'anna' }),
      row({ id: 'before', date: '2026-11-20' }),
      row({ id: 'today', date: '2026-11-28' }),
      row({ id: 'cancelled', date: '2026-11-23', status: 'CANCELLED' }),
      row({ id: 'leaving', date: '2026-11-23' }, { leaving: true }),
      row({ id: 'gone', date: '2026-11-23' }, { counted: false }),
      row({ id: 'taken down', date: '2026-11-24', status: 'REMOVED_EARLY' }),
    ];
    const [week = { from: '', to: '' }] = weeksBefore('2026-11-28', 1);
    expect(boughtIn(rows, week, '').map(({ id }) => id)).toEqual(['early', 'taken down', 'late']);
    expect(boughtIn(rows, week, 'ilya').map(({ id }) => id)).toEqual(['taken down', 'late']);
  });

  it('RPT-2302 a copy is of the new day, unpaid and without leads, with the price that was entered for it', () => {
    const bought = row({
      id: 'p1',
      date: '2026-11-24',
      price: 5400,
      leads: 50,
      creativeId: 'reels',
      paymentStatus: 'paid',
      comment: 'пост',
    });
    const [paid] = repeatedRows([bought], depsWith({}));
    expect(paid).toMatchObject({ isProposed: true, remarks: [] });
    expect(paid?.form).toMatchObject({
      date: '2026-12-01',
      buyerId: 'ilya',
      contractor: '@kitchen',
      creativeId: 'reels',
      price: '5400',
      leads: '0',
      paymentStatus: 'unpaid',
      comment: '',
    });
    const [dearer] = repeatedRows([bought], depsWith({ prices: new Map([['p1', '6000']]) }));
    expect(dearer?.form).toEqual({ ...paid?.form, price: '6000' });
  });

  it('RPT-2303 what speaks against one is said, and it is not ticked: a black list, an early end, a contractor off, the day that it has already', () => {
    const known = (members: Partial<ContractorWire>) => ({ isActive: true, ...members }) as ContractorWire;
    const black = { list: 'black', reason: 'Не вернул предоплату' } as const;
    const white = { list: 'white', reason: 'Быстро' } as const;
    const of = (contractorId: string, over: Partial<PlacementWire> = {}, nick = `@${contractorId}`) =>
      row({ id: contractorId, contractorId, date: '2026-11-24', ...over }, { nick });
    const repeated = repeatedRows(
      [of('bad'), of('good'), of('off'), of('early', { status: 'REMOVED_EARLY' }), of('again')],
      depsWith({
        contractors: new Map([
          ['bad', known({ verdict: black })],
          ['good', known({ verdict: white })],
          ['off', known({ isActive: false })],
        ]),
        rows: [
          of('again', { date: '2026-12-01' }, '@Again'),
          of('good', { date: '2026-12-01', status: 'CANCELLED' }),
          row({ contractorId: 'good', date: '2026-12-01' }, { nick: '@good', leaving: true }),
        ],
      }),
    );
    expect(repeated.map(({ isProposed, remarks, verdict }) => [isProposed, remarks, verdict?.list])).toEqual([
      [false, [], 'black'],
      [true, [], 'white'],
      [false, ['контрагент отключён'], undefined],
      [false, ['снято раньше срока'], undefined],
      [false, ['уже есть 1 декабря'], undefined],
    ]);
    expect(repeated.every(({ form }) => form !== null)).toBe(true);
  });

  it('RPT-2304 what cannot be added has no copy and says why', () => {
    const [one] = repeatedRows([row({ category: 'Чужая', date: '2026-11-24' })], depsWith({}));
    expect(one).toMatchObject({ form: null, isProposed: false, remarks: ['Выберите тематику'] });
  });
});
