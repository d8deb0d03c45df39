import { noTotals } from '@zakup/domain/analytics/sums';
import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { campaignLineageQuery, placementExportQuery } from '@zakup/contracts/requests/queries';
import { describe, expect, it } from 'vitest';
import { areFilteredSumsOpen, filteredRows, filteredTotals, laidTotals, sumsOf } from '../totals/filtered-totals.tsx';
import {
  exportQuery,
  filterChips,
  fitsFilters,
  isInSight,
  hiddenCount,
  isTakenDown,
  lineagePart,
  type PlacementFilters,
  whyUnfit,
  withoutFilters,
} from './placement-filters.ts';
import type { Names, PlacementRow } from '../rows/placement-row.ts';
import { areSumsOpen } from '../../../shared/predictions/predicted-totals.ts';
import { colleaguesByRow } from '../presence/use-cell-presence.ts';
import { placementDocument } from '../../../shared/testing/placement-document.ts';

const stamp = { revision: 1, createdAt: '2026-11-01T00:00:00.000Z', updatedAt: '2026-11-01T00:00:00.000Z' };
const row = (id: string, over: Partial<PlacementWire> = {}, more: Partial<PlacementRow> = {}): PlacementRow => {
  const placement = placementDocument({
    ...stamp,
    id,
    creativeId: 'cr',
    category: 'Ёлки и праздники',
    price: 1000.5,
    costPerLead: 100.05,
    ...over,
  });
  return {
    id,
    kind: 'stored',
    placement,
    stored: placement,
    decided: placement,
    counted: true,
    typed: {},
    idle: new Set(),
    nick: '@Kitchen_ads',
    buyerName: 'Анна Соколова',
    creativeName: 'Рецепт',
    entries: [],
    leaving: false,
    ...more,
  };
};
const names: Names = {
  contractors: new Map(),
  users: new Map([['anna', { name: 'Анна Соколова' } as never]]),
  creatives: new Map(),
};
/** As the server reads it of a query. */
const asSent = (value: unknown): unknown => (Array.isArray(value) ? value : String(value));
const ids = (rows: readonly PlacementRow[], filters: Partial<PlacementFilters>, contractor: string | null = null) =>
  rows.filter(isInSight(fitsFilters({ ...withoutFilters, ...filters }, contractor, names))).map(({ id }) => id);

describe('placement filters', () => {
  const rows = [
    row('a'),
    row(
      'b',
      { buyerId: 'ilya', price: 5000, date: '2026-11-21', paymentStatus: 'paid' },
      { buyerName: 'Илья Кравцов' },
    ),
    row('c', { status: 'REMOVED_EARLY', contractorId: 'k2' }, { nick: '@dacha' }),
  ];

  it('TBL-5 search finds nick, topic, creative and buyer: «ё» by «е», any case, a leading @ or none', () => {
    for (const search of ['kitchen', '@KITCHEN', 'елки', 'ЁЛКИ', 'рецепт', 'соколова'])
      expect(ids(rows, { search })).toContain('a');
    expect(ids(rows, { search: 'кравцов' })).toEqual(['b']);
    expect(ids(rows, { search: 'нет такого' })).toEqual([]);
  });

  it('TBL-6 each filter narrows, ranges include their ends, what is no price or day does not count', () => {
    expect(ids(rows, { buyerId: ['ilya'] })).toEqual(['b']);
    expect(ids(rows, { paymentStatus: ['paid'] })).toEqual(['b']);
    expect(ids(rows, { dateFrom: '2026-11-21' })).toEqual(['b']);
    expect(ids(rows, { dateTo: '2026-11-20' })).toEqual(['a']);
    expect(ids(rows, { priceFrom: '1000,50', priceTo: '5 000' })).toEqual(['a', 'b']);
    expect(ids(rows, { priceFrom: '1000.51' })).toEqual(['b']);
    expect(ids(rows, { priceFrom: '-', dateFrom: '21.11' })).toEqual(['a', 'b']);
    expect(ids(rows, { status: ['any'] }, 'k2')).toEqual(['c']);
  });

  it('VIW-2160 of a list any value does, of several lists one of each, and the server is asked for the same', () => {
    const filters: Partial<PlacementFilters> = { buyerId: ['ilya', 'anna'], paymentStatus: ['paid', 'unpaid'] };
    expect(ids(rows, filters)).toEqual(['a', 'b']);
    expect(ids(rows, { ...filters, paymentStatus: ['paid'] })).toEqual(['b']);
    expect(ids(rows, { status: ['REMOVED_EARLY', rows[0]?.placement.status ?? ''] })).toEqual(['a', 'b', 'c']);
    const given = { ...withoutFilters, ...filters, format: ['1/24', '1/48'], status: ['DONE', 'PENDING'] };
    const { buyerId, placementFormat, status, statusNot } = exportQuery('csv', given, null, {
      columnId: 'date',
      order: 'asc',
    });
    expect([buyerId, placementFormat, status, statusNot]).toEqual([
      ['ilya', 'anna'],
      ['1/24', '1/48'],
      ['DONE', 'PENDING'],
      undefined,
    ]);
    expect(lineagePart(given, null)).toEqual({
      userId: ['ilya', 'anna'],
      format: ['1/24', '1/48'],
      status: ['DONE', 'PENDING'],
      paymentStatus: ['paid', 'unpaid'],
    });
  });

  it('VIW-2161 a chip names two values, of more the first and how many others, and keeps all of them at hand', () => {
    const people = [
      ['anna', 'Анна'],
      ['oleg', 'Олег'],
      ['vera', 'Вера'],
    ].map(([id = '', name]) => [id, { name } as never] as const);
    const said = (filters: Partial<PlacementFilters>) =>
      filterChips({ ...withoutFilters, ...filters }, { ...names, users: new Map(people) });
    const [two, three] = [
      ['anna', 'oleg'],
      ['anna', 'oleg', 'vera'],
    ].map((buyerId) => said({ buyerId })[0]);
    expect([two?.text, two?.whole]).toEqual(['Байер: Анна, Олег', 'Байер: Анна, Олег']);
    expect([three?.text, three?.whole]).toEqual(['Байер: Анна и ещё 2', 'Байер: Анна, Олег, Вера']);
    const texts = said({ paymentStatus: ['paid', 'unpaid'], status: ['DONE', 'PENDING'] }).map(({ text }) => text);
    expect(texts).toEqual(['Оплата: Оплачено, Не оплачено', 'Статус: Завершено, Ожидает']);
    expect(said({ status: ['any'] }).map(({ text }) => text)).toEqual(['Все статусы']);
  });

  it('VIW-2010 bounds of leads and CPL include their ends, CPL as it is shown, and a row without leads is within none of CPL', () => {
    const some = [
      row('none', { leads: 0, costPerLead: 0 }),
      row('few', { leads: 3, price: 37.04, costPerLead: 12.35 }),
      row('many', { leads: 10, price: 2000, costPerLead: 200 }),
    ];
    expect(ids(some, { leadsFrom: '3' })).toEqual(['few', 'many']);
    expect(ids(some, { leadsTo: '3' })).toEqual(['none', 'few']);
    expect(ids(some, { cplFrom: '12,35' })).toEqual(['few', 'many']);
    expect(ids(some, { cplFrom: '12,36' })).toEqual(['many']);
    expect(ids(some, { cplTo: '200' })).toEqual(['few', 'many']);
    expect(ids(some, { cplFrom: '0' })).toEqual(['few', 'many']);
    expect(ids(some, { leadsFrom: 'x', leadsTo: '1.5', cplTo: '-' })).toEqual(['none', 'few', 'many']);
  });

  it('VIW-2011 bounds of leads and CPL are said as one each, asked of the file, and named where a row fails them', () => {
    const filters = { ...withoutFilters, leadsFrom: '5', leadsTo: '1000', cplFrom: '10', cplTo: '12,5' };
    const plain = (text: string) => text.replaceAll('\u00a0', ' ');
    const chips = filterChips(filters, names);
    expect(chips.map(({ text }) => plain(text))).toEqual(['Приход: от 5 до 1 000', 'CPL: от 10 ₽ до 12,50 ₽']);
    const cleared = Object.fromEntries(chips.flatMap(({ clears }) => clears.map((name) => [name, ''])));
    expect({ ...filters, ...cleared }).toEqual(withoutFilters);
    const { leadsFrom, leadsTo, cplFrom, cplTo } = exportQuery('csv', filters, null, { columnId: 'cpl', order: 'asc' });
    expect([leadsFrom, leadsTo, cplFrom, cplTo]).toEqual([5, 1000, 10, 12.5]);
    const said = (over: Partial<PlacementFilters>, leads: number, costPerLead: number) =>
      plain(whyUnfit({ ...withoutFilters, ...over }, null, names)(row('one', { leads, costPerLead })) ?? '');
    expect([
      said({ leadsFrom: '5' }, 4, 100),
      said({ leadsTo: '5' }, 6, 100),
      said({ cplFrom: '10' }, 0, 0),
      said({ cplFrom: '10' }, 5, 9.99),
      said({ cplTo: '10' }, 5, 10.01),
      said({ cplTo: '10' }, 5, 10),
    ]).toEqual(['Приход меньше 5', 'Приход больше 5', 'Лидов пока нет', 'CPL ниже 10 ₽', 'CPL выше 10 ₽', '']);
  });

  it('TBL-7 what was taken down early is out of sight until asked for, and counted', () => {
    expect(ids(rows, {})).toEqual(['a', 'b']);
    const takenDown = rows.filter(isTakenDown).length;
    expect(hiddenCount(takenDown, withoutFilters)).toBe(1);
    expect(ids(rows, { status: ['any'] })).toEqual(['a', 'b', 'c']);
    expect(ids(rows, { status: ['REMOVED_EARLY'] })).toEqual(['c']);
    expect(hiddenCount(takenDown, { ...withoutFilters, status: ['any'] })).toBe(0);
  });

  it('TBL-8 what waits for the person stays in sight whatever narrows the table', () => {
    const refused = row('r', {}, { entries: [{ state: { kind: 'rejected', code: 'X', reason: '' } } as never] });
    const held = row('h', {}, { entries: [{ state: { kind: 'pending', held: true } } as never] });
    const sent = row('s', {}, { entries: [{ state: { kind: 'pending' } } as never] });
    expect(ids([refused, held, sent, row('n', {}, { kind: 'new' })], { search: 'нет такого' })).toEqual([
      'r',
      'h',
      'n',
    ]);
  });

  describe('filtered totals', () => {
    const pending = { entries: [{ state: { kind: 'pending' } } as never] };
    const fits = fitsFilters({ ...withoutFilters, buyerId: ['anna'] }, null, names);
    const quiet = row('q');
    const idsIn = (...moving: readonly PlacementRow[]) =>
      filteredRows([quiet, ...moving.filter(isInSight(fits))], moving, fits).map(({ id }) => id);

    it('TBL-31 count by decided values, whatever else stays in sight or only seems to have left', () => {
      const ofAnother = row('n', { buyerId: 'ilya' }, { kind: 'new', ...pending });
      const own = row('m', {}, { kind: 'new', ...pending });
      expect(idsIn(ofAnother, own)).toEqual(['q', 'm']);
      expect(idsIn({ ...own, counted: false })).toEqual(['q']);
      const before = row('t').placement;
      const typedAway = row('t', { buyerId: 'ilya' }, { ...pending, decided: before, typed: { buyerId: 'ilya' } });
      expect(idsIn(typedAway)).toEqual(['q', 't']);
      const decidedAway = row('d', { buyerId: 'ilya' }, pending);
      expect(idsIn(decidedAway)).toEqual(['q']);
    });

    it('TBL-32 are marked where something typed may move them, and only there', () => {
      const isOpen = (...moving: readonly PlacementRow[]) => areFilteredSumsOpen(moving, fits);
      const priced = { ...pending, typed: { price: 1 } };
      expect(isOpen(row('a', {}, priced))).toBe(true);
      expect(isOpen(row('b', { buyerId: 'ilya' }, priced))).toBe(false);
      expect(isOpen(row('c', {}, pending), row('d', { buyerId: 'ilya' }, pending))).toBe(false);
      const before = row('t').placement;
      expect(isOpen(row('t', { buyerId: 'ilya' }, { ...pending, decided: before, typed: { buyerId: 'ilya' } }))).toBe(
        true,
      );
      expect(isOpen(row('f', { format: '1/48' }, { ...pending, decided: before, typed: { format: '1/48' } }))).toBe(
        false,
      );
    });

    it('TBL-33 no total waits for a new row that was refused', () => {
      const refused = { entries: [{ state: { kind: 'rejected', code: 'X', reason: '' } } as never] };
      const wished = row(
        'n',
        {},
        { kind: 'new', counted: false, typed: { price: 1, paymentStatus: 'paid' }, ...refused },
      );
      expect(areSumsOpen([wished])).toBe(false);
      expect(areFilteredSumsOpen([wished], fits)).toBe(false);
      expect(areSumsOpen([{ ...wished, ...pending }])).toBe(true);
    });
  });

  it('TBL-9 says in words what is on, a range as one', () => {
    const filters = {
      ...withoutFilters,
      buyerId: ['anna'],
      priceFrom: '1000',
      priceTo: '2000',
      dateFrom: '2026-11-20',
    };
    expect(filterChips(filters, names).map(({ text, clears }) => [text, clears])).toEqual([
      ['Байер: Анна Соколова', ['buyerId']],
      ['Дата: от 20 ноября', ['dateFrom', 'dateTo']],
      ['Цена: от 1\u00a0000\u00a0₽ до 2\u00a0000\u00a0₽', ['priceFrom', 'priceTo']],
    ]);
    expect(filterChips(withoutFilters, names)).toEqual([]);
  });

  it('TBL-10 a file is asked for with what the table shows, in words the server knows', () => {
    const filters = { ...withoutFilters, search: ' @kit', format: ['1/48'], status: ['any'], priceTo: '1 000,5' };
    const query = exportQuery('xlsx', filters, 'k1', { columnId: 'cpl', order: 'desc' });
    expect(query).toEqual({
      format: 'xlsx',
      sortBy: 'costPerLead',
      sortOrder: 'desc',
      search: '@kit',
      placementFormat: ['1/48'],
      priceTo: 1000.5,
      contractorId: 'k1',
    });
    expect(exportQuery('csv', withoutFilters, null, { columnId: 'date', order: 'asc' })).toEqual({
      format: 'csv',
      sortBy: 'date',
      sortOrder: 'asc',
      statusNot: 'REMOVED_EARLY',
    });
    for (const columnId of [
      'date',
      'contractor',
      'price',
      'creative',
      'topic',
      'format',
      'buyer',
      'payment',
      'status',
    ]) {
      const asked = exportQuery('csv', filters, null, { columnId, order: 'asc' });
      const sent = Object.fromEntries(Object.entries(asked).map(([name, value]) => [name, asSent(value)]));
      expect(placementExportQuery.safeParse(sent).success).toBe(true);
    }
  });

  it('TBL-42 the lineage of a total is asked for with the same filter, in words the server knows', () => {
    const every: PlacementFilters = {
      search: ' @kit',
      buyerId: ['anna'],
      creativeId: ['none'],
      category: ['Мемы'],
      format: ['1/48'],
      paymentStatus: ['paid'],
      status: ['PENDING'],
      dateFrom: '2026-11-01',
      dateTo: '2026-11-30',
      priceFrom: '1 000,5',
      priceTo: '2000',
      leadsFrom: '5',
      leadsTo: '10',
      cplFrom: '100,05',
      cplTo: '200',
    };
    const part = lineagePart(every, 'k1');
    expect(part).toEqual({
      search: '@kit',
      userId: ['anna'],
      creativeId: ['none'],
      category: ['Мемы'],
      format: ['1/48'],
      paymentStatus: ['paid'],
      status: ['PENDING'],
      from: '2026-11-01',
      to: '2026-11-30',
      priceFrom: 1000.5,
      priceTo: 2000,
      leadsFrom: 5,
      leadsTo: 10,
      cplFrom: 100.05,
      cplTo: 200,
      contractorId: 'k1',
    });
    const sent = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, asSent(value)]));
    expect(campaignLineageQuery.safeParse({ figure: 'spent', ...sent }).success).toBe(true);
    expect(lineagePart(withoutFilters, null)).toEqual({ statusNot: 'REMOVED_EARLY' });
    expect(lineagePart({ ...withoutFilters, status: ['any'] }, null)).toEqual({});
  });

  it('TBL-43 a row that does not fit says which of the filters it fails, and one that fits says nothing', () => {
    const one = row('one', { price: 500, date: '2026-11-20', paymentStatus: 'paid' });
    const said = (filters: Partial<PlacementFilters>, contractor: string | null = null) =>
      whyUnfit({ ...withoutFilters, ...filters }, contractor, names)(one)?.replaceAll('\u00a0', ' ') ?? null;
    expect([
      said({}),
      said({ priceFrom: '500', priceTo: '500', dateFrom: '2026-11-20', paymentStatus: ['paid'] }),
    ]).toEqual([null, null]);
    expect([
      said({ buyerId: ['nobody'] }),
      said({ creativeId: ['nobody'] }),
      said({ category: ['nobody'] }),
      said({ format: ['nobody'] }),
      said({ paymentStatus: ['unpaid'] }),
      said({ status: ['DONE'] }),
      said({ dateFrom: '2026-11-21' }),
      said({ dateTo: '2026-11-19' }),
      said({ priceFrom: '500,01' }),
      said({ priceTo: '499,99' }),
      said({ search: ' nobody ' }),
      said({}, 'nobody'),
    ]).toEqual([
      'Другой байер',
      'Другой креатив',
      'Другая тематика',
      'Другой формат',
      'Оплачено',
      'Другой статус',
      'Дата раньше 21 ноября',
      'Дата позже 19 ноября',
      'Цена ниже 500,01 ₽',
      'Цена выше 499,99 ₽',
      'Не содержит «nobody»',
      'Другой контрагент',
    ]);
    const down = row('down', { status: 'REMOVED_EARLY' });
    expect(whyUnfit(withoutFilters, null, names)(down)).toBe('Снято раньше срока');
  });

  it('TBL-11 sums of what is shown are exact; what is being removed does not count', () => {
    const kopeck = Array.from({ length: 10 }, (_, index) => row(`k${index}`, { price: 0.1, leads: 1 }));
    expect(sumsOf([...kopeck, row('gone', {}, { leaving: true, counted: false })])).toEqual({
      spent: 1,
      paid: 0,
      unpaid: 1,
      leads: 10,
    });
  });

  it('TBL-12 totals are laid over the columns that are left', () => {
    const all = ['date', 'contractor', 'price', 'leads', 'cpl', 'creative', 'topic', 'delete'].map((id) => ({
      id,
      header: id,
      width: 1,
      cell: () => null,
      value: () => null,
    }));
    const shown = all.filter(({ id }) => id !== 'leads' && id !== 'creative');
    const laid = laidTotals(
      filteredTotals({
        campaignId: 'k',
        filters: 'Найти: k',
        part: { search: 'k' },
        fitting: () => rows,
        totals: noTotals,
        all: rows,
        whyUnfit: () => null,
      }),
      all,
      shown,
    );
    expect(laid.map(({ columnId, span }) => [columnId, span])).toEqual([
      ['date', 1],
      ['contractor', 1],
      ['price', 1],
      ['cpl', 1],
      ['topic', 2],
    ]);
  });

  it('GRD-2373 totals stand under their columns wherever these are, a text under the longest part of its own', () => {
    const columnOf = (id: string, pinned = false) => ({
      id,
      header: id,
      width: 1,
      pinned,
      cell: () => null,
      value: () => null,
    });
    const all = ['date', 'contractor', 'price', 'leads', 'cpl', 'creative', 'topic', 'format', 'delete'];
    const cells = ['date', 'contractor', 'price', 'leads', 'cpl', 'creative'].map((columnId) => ({
      columnId,
      span: 1,
      content: columnId,
    }));
    const laidOver = (shown: readonly ReturnType<typeof columnOf>[]): string =>
      laidTotals(
        cells,
        all.map((id) => columnOf(id)),
        shown,
      )
        .map(({ columnId, span, content }) => `${content as string}: ${columnId} ${span}`)
        .join(', ');
    const moved = ['date', 'contractor', 'topic', 'leads', 'price', 'creative', 'format', 'cpl', 'delete'];
    expect(laidOver(moved.map((id) => columnOf(id)))).toBe(
      'date: date 1, contractor: contractor 1, leads: leads 1, price: price 1, creative: creative 2, cpl: cpl 1',
    );
    // What stays in sight and what scrolls are never below one total.
    const pinned = [columnOf('date', true), columnOf('topic', true), columnOf('creative'), columnOf('format')];
    expect(laidOver(pinned)).toBe('date: date 1, creative: creative 2');
  });

  it('PRS-3 the others stand where they say, twice the same person in one cell once', () => {
    const at = (sessionId: string, userId: string, field: string, mode: 'viewing' | 'editing') => ({
      sessionId,
      userId,
      name: userId,
      focus: { placementId: 'p', field, mode },
    });
    const rowsOf = colleaguesByRow([
      at('1', 'ilya', 'creativeId', 'editing'),
      at('2', 'ilya', 'creativeId', 'editing'),
      at('3', 'maria', 'buyerId', 'viewing'),
      at('4', 'maria', 'unknown', 'viewing'),
      { sessionId: '5', userId: 'anna', name: 'anna', focus: null },
    ]);
    expect(rowsOf.get('p')).toEqual([
      { columnId: 'creative', userId: 'ilya', name: 'ilya', mode: 'editing' },
      { columnId: 'buyer', userId: 'maria', name: 'maria', mode: 'viewing' },
    ]);
  });
});
