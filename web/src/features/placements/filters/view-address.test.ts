import { sortableColumns } from '@zakup/domain/views/view-parameters';
import { describe, expect, it, vi } from 'vitest';
import { placementColumns } from '../columns/placement-columns.tsx';
import { type PlacementFilters, withoutFilters } from './placement-filters.ts';
import { type TableView, viewIn, viewText, viewTextIn, withViewText } from './view-address.ts';
import { viewSteps } from './use-view-address.ts';

const usual = { columnId: 'date', order: 'asc' } as const;
const view = (filters: Partial<PlacementFilters>, over: Partial<TableView> = {}): TableView => ({
  filters: { ...withoutFilters, ...filters },
  contractorId: null,
  sorting: usual,
  grouping: null,
  page: 1,
  ...over,
});
const read = (text: string) => viewIn(new URLSearchParams(text), usual);

describe('a view in the address', () => {
  it('VIW-2320 says every filter, the contractor, the order and the page, and reads them as they were', () => {
    const whole = view(
      {
        search: 'дача & баня',
        buyerId: ['3f-anna', 'ilya~2'],
        creativeId: ['NO_CREATIVE', 'c1'],
        category: ['Мемы', 'Кулинария'],
        format: ['1/24', '1/∞'],
        paymentStatus: ['unpaid'],
        status: ['any'],
        dateFrom: '2026-11-01',
        dateTo: '2026-11-30',
        priceFrom: '1000',
        priceTo: '5400,5',
        leadsFrom: '3',
        leadsTo: '70',
        cplFrom: '12,25',
        cplTo: '90',
      },
      { contractorId: 'k1', sorting: { columnId: 'cpl', order: 'desc' }, grouping: 'week', page: 4 },
    );
    expect(read(viewText(whole))).toEqual({ view: whole, dropped: [] });
    expect(viewText(view({ buyerId: ['a', 'b'] }))).toBe('buyer=a&buyer=b&sort=date');
  });

  it('VIW-2321 says what is meant, however it was typed, and nothing of what is no value', () => {
    const typed = view({ search: '  дача ', priceFrom: '1 000 ₽', priceTo: 'дорого', cplTo: '12,50', leadsFrom: '-' });
    expect(viewText(typed)).toBe(
      new URLSearchParams({ search: 'дача', priceFrom: '1000', cplTo: '12.5', sort: 'date' }).toString(),
    );
  });

  it.each([
    ['format=1/25&format=1/24', { format: ['1/24'] }, ['формат']],
    ['topic=Охота на снарка', {}, ['тематика']],
    ['buyer=%3Cscript%3E&buyer=anna', { buyerId: ['anna'] }, ['байер']],
    ['payment=half&status=GONE', {}, ['оплата', 'статус']],
    ['from=2026-02-30&to=вчера', {}, ['дата с', 'дата по']],
    ['priceFrom=1e3&priceTo=-5&cplFrom=NaN&leadsTo=1.5', {}, ['цена от', 'цена до', 'приход до', 'CPL от']],
    ['sort=delete&group=moon&page=0', {}, ['порядок', 'группировка', 'страница']],
    [`search=${'ю'.repeat(101)}`, {}, ['поиск']],
    ['contractor=a%20b&search=%20', {}, ['контрагент']],
    [Array.from({ length: 200 }, (_, n) => `creative=c${n}`).join('&'), undefined, ['креатив']],
  ])('VIW-2322 drops what is no value of its kind, with the word for it: %.40s', (text, filters, dropped) => {
    const asked = read(text);
    expect(asked.dropped).toEqual(dropped);
    expect(asked.view).toEqual(view(filters ?? { creativeId: asked.view.filters.creativeId }));
    expect(asked.view.filters.creativeId.length).toBeLessThanOrEqual(150);
  });

  it('VIW-2323 leaves what else the address says alone', () => {
    const address = new URLSearchParams('campaign=c&at=77&buyer=anna&sort=-price&utm=1');
    expect(viewTextIn(address)).toBe('buyer=anna&sort=-price');
    expect(withViewText(address, viewText(view({ format: ['1/48'] }))).toString()).toBe(
      'campaign=c&at=77&utm=1&format=1%2F48&sort=date',
    );
    expect(viewTextIn(withViewText(address, ''))).toBe('');
  });

  it('VIW-2324 knows every column by which the table can be sorted', () => {
    const nothing = vi.fn<() => void>();
    const columns = placementColumns({
      choices: { nicks: [], buyers: [], creatives: [], topics: [] } as never,
      editable: () => false,
      onTogglePayment: nothing,
      onOpenContractor: nothing,
      onEdit: nothing,
      onHistory: nothing,
      onWhy: nothing,
      onRemove: nothing,
    } as never);
    expect(new Set(sortableColumns)).toEqual(
      new Set(columns.filter(({ sortBy }) => sortBy !== undefined).map(({ id }) => id)),
    );
  });
});

describe('steps of the history', () => {
  it('VIW-2325 another member, a while, or another view between them begins a step; more of the same member does not', () => {
    let now = 0;
    const steps = viewSteps(() => now);
    const isStep = (member: string, later = 0): boolean => {
      now += later;
      steps.take(member);
      const found = steps.isStep();
      steps.written();
      return found;
    };
    expect(isStep('search')).toBe(true);
    expect(isStep('search', 400)).toBe(false);
    expect(isStep('buyerId')).toBe(true);
    expect(isStep('buyerId', 9_000)).toBe(false);
    expect(isStep('buyerId', 11_000)).toBe(true);
    steps.part();
    expect(isStep('buyerId')).toBe(true);
  });

  it('VIW-2326 a step that the address does not say yet stays one when more of it follows', () => {
    const steps = viewSteps(() => 0);
    steps.take('search');
    steps.take('search');
    expect(steps.isStep()).toBe(true);
  });
});
