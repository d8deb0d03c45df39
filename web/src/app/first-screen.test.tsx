import { act, cleanup, createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { AnalyticsWire, CampaignWire, PlacementWire } from '@zakup/contracts/wire-entities';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DashboardPage } from '../features/dashboard/dashboard-page.tsx';
import { PlacementsSection } from '../features/placements/placements-section.tsx';
import { PlacementsSlotProvider } from '../shared/dialogs/placements-slot.tsx';
import { memoryEntryStore } from '../shared/outbox/entry-store.ts';
import { placementDocument } from '../shared/testing/placement-document.ts';
import { type Answer, type Call, person, stage, type StageOptions } from '../shared/testing/stage.tsx';
import { toProblemBody } from '@zakup/contracts/problems';
import { toastStore } from '../shared/toasts/toasts.ts';
import { UndoHost } from '../shared/undo/undo-host.tsx';
import { SlotOutlet, SlotProvider } from '../shared/ui/slots.tsx';

const stamp = { revision: 0, createdAt: '2026-11-01T00:00:00.000Z', updatedAt: '2026-11-01T00:00:00.000Z' };
const campaign: CampaignWire = {
  ...stamp,
  id: 'c',
  name: 'Ноябрь | Подписчики',
  channelId: 'food',
  totalBudget: 42_000_000,
  budget: 42_000_000,
  status: 'ACTIVE',
  startDate: '2026-11-01',
  endDate: '2026-11-30',
  participants: [{ userId: 'anna', budget: 165_000, salaryType: 'budget', salaryRate: 10, cplThreshold: null }],
};
const count = 1200;
const all = Array.from({ length: count }, (_, index) =>
  placementDocument({
    id: `p${String(index).padStart(4, '0')}`,
    createdAt: new Date(Date.UTC(2026, 10, 1) + index * 1000).toISOString(),
    price: 1000 + index,
    date: '2026-11-20',
  }),
);
const sums = { spent: 1_919_400, leads: 12_000, placements: count, averageCostPerLead: 159.95 };
const analytics: AnalyticsWire = {
  id: 'c',
  summary: {
    totalBudget: 42_000_000,
    spentBudget: sums.spent,
    remainingBudget: 42_000_000 - sums.spent,
    averageCostPerLead: sums.averageCostPerLead,
    totalLeads: sums.leads,
    totalPlacements: count,
    paidBudget: 0,
    unpaidBudget: sums.spent,
  },
  byBuyer: [{ buyerId: 'anna', ...sums }],
  byCreative: [],
  byContractor: [{ contractorId: 'k1', ...sums }],
  byDay: [],
};

const text = (): string => (document.body.textContent ?? '').replaceAll('\u00a0', ' ').replaceAll('\u202f', ' ');
const rowIds = (): readonly (string | undefined)[] =>
  [...document.querySelectorAll<HTMLElement>('[data-row]')].map((row) => row.dataset['row']);
const cell = (row: string, column: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(`[data-row="${row}"] .z-grid-${column}`);
  if (!found) throw new Error(`no cell ${row} ${column}`);
  return found;
};
const priceOf = (row: string): string => cell(row, 'price').textContent.replaceAll('\u00a0', ' ');
const rowCount = (): number => Number(screen.getByRole('grid').getAttribute('aria-rowcount'));

/** A key, pressed where the keyboard stands. */
const press = (key: string, more: KeyboardEventInit = {}): void =>
  void fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more });
const control = (code: string): void => press(code.slice(-1).toLowerCase(), { code, ctrlKey: true });
const pasteHere = (pasted: string): void => {
  const at = document.activeElement ?? document.body;
  fireEvent(
    at,
    createEvent.paste(at, { clipboardData: { getData: (type: string) => (type === 'text/plain' ? pasted : '') } }),
  );
};
const toldTexts = (): readonly string[] => toastStore.read().shown.map((one) => one.text.replaceAll('\u00a0', ' '));

/** The server's list call, over all rows. */
const listed = (path: string): Answer => {
  const query = new URLSearchParams(path.split('?')[1]);
  const [page, size] = [Number(query.get('page')), Number(query.get('pageSize'))];
  const sign = query.get('sortOrder') === 'asc' ? 1 : -1;
  const least = Number(query.get('priceFrom') ?? 0);
  const fitting = all.filter(({ price }) => price >= least).toSorted((a, b) => sign * (a.price - b.price));
  const price = fitting.reduce((total, one) => total + one.price, 0);
  return {
    data: {
      placements: fitting.slice((page - 1) * size, page * size),
      total: fitting.length,
      totals: { price, leads: 0, count: fitting.length, costPerLead: 0, paid: 0, unpaid: price },
    },
  };
};
const served = ({ method, path }: Call): Answer => {
  if (path.startsWith('/api/campaigns/c/placements?')) return listed(path);
  if (path === '/api/campaigns/c/analytics') return { data: analytics };
  return method === 'PATCH'
    ? { data: { placement: { ...all[0], price: 777, revision: 2 } }, position: 50 }
    : 'no answer';
};

/** Batches are carried out, and undone. */
const changing = (call: Call): Answer => {
  if (call.path === '/api/placements/batch') {
    const { items } = call.body as { readonly items: readonly { readonly placementId: string }[] };
    const results = items.map(({ placementId: id }, index) => ({ index, ok: true, placement: { id, revision: 2 } }));
    return { data: { results }, position: 50 };
  }
  return call.path === '/api/undo' ? { data: { undone: 'x', changed: [] }, position: 51 } : served(call);
};
const asList = { placementsTable: JSON.stringify({ pagination: { page: 1, pageSize: 'all', campaignId: '' } }) };

const open = (more: Partial<StageOptions> = {}) =>
  stage({
    element: (
      <SlotProvider>
        <SlotOutlet name="status-left" />
        <UndoHost />
        <PlacementsSlotProvider value={PlacementsSection}>
          <DashboardPage />
        </PlacementsSlotProvider>
      </SlotProvider>
    ),
    address: '/dashboard?campaign=c',
    me: person('me', { role: 'CBDO' }),
    docs: {
      workspace: [
        ['channel', { ...stamp, id: 'food', name: 'Кухня', avatar: null } as never],
        ['campaign', campaign],
        ['user', { id: 'anna', revision: 0, name: 'Анна Соколова', role: 'MEDIA_BUYER', isActive: true } as never],
        ['contractor', { id: 'k1', adminUsername: '@kitchen_ads', channelName: '', isActive: true } as never],
      ],
    },
    scopeStatus: { kind: 'loading', progress: { sent: 600, total: 2400 } },
    serve: served,
    withOutbox: true,
    ...more,
  });
const whole = (changed: readonly PlacementWire[] = all) =>
  [['analytics', analytics] as const, ...changed.map((one) => ['placement', one] as const)] as const;

describe('the first screen of a long campaign', () => {
  const sizes = { clientHeight: 600, clientWidth: 1200 };
  const originals = new Map<string, PropertyDescriptor | undefined>();
  beforeEach(() => {
    for (const [name, value] of Object.entries(sizes)) {
      originals.set(name, Object.getOwnPropertyDescriptor(HTMLElement.prototype, name));
      Object.defineProperty(HTMLElement.prototype, name, { configurable: true, value });
    }
  });
  afterEach(() => {
    cleanup();
    for (const [name, descriptor] of originals)
      if (descriptor) Object.defineProperty(HTMLElement.prototype, name, descriptor);
  });

  it('FST-2272 stands by what was asked for while the rest loads, says how far that is, and nothing moves when it came', async () => {
    const { bring } = open();
    await waitFor(() => expect(rowIds()[0]).toBe('p0000'));
    const before = rowIds();
    const grid = screen.getByRole('grid');
    expect(text()).toContain('1–50 из 1 200');
    expect(text()).toContain('Загружено 300 из 1 200');
    expect(text()).toContain('1 919 400 ₽');
    expect(text()).toContain('Заработок …');
    expect(text()).toContain('заработок …');
    act(() => bring('campaign:c', whole()));
    await waitFor(() => expect(text()).not.toContain('Загружено'));
    expect(rowIds()).toEqual(before);
    expect(screen.getByRole('grid')).toBe(grid);
    expect(text()).toContain('1–50 из 1 200');
    expect(rowCount()).toBe(count + 2);
    expect(text()).not.toContain('…');
  });

  it('FST-2273 a row of it is edited at once, and what was typed is there when the rest came', async () => {
    const { bring, calls, user } = open();
    await waitFor(() => expect(rowIds()[0]).toBe('p0000'));
    fireEvent.doubleClick(cell('p0000', 'price'));
    await user.keyboard('777{Enter}');
    await waitFor(() => expect(cell('p0000', 'price').textContent).toContain('777'));
    await waitFor(() => expect(calls.some(({ method }) => method === 'PATCH')).toBe(true));
    // 777 instead of 1 000.
    await waitFor(() => expect(text()).toContain('1 919 177 ₽'));
    act(() => bring('campaign:c', whole()));
    await waitFor(() => expect(text()).not.toContain('Загружено'));
    expect(cell('p0000', 'price').textContent).toContain('777');
    expect(text()).toContain('1 919 177 ₽');
  });

  it('FST-2274 all rows in one list keep the place of those that are still to come', async () => {
    open({ kept: asList });
    await waitFor(() => expect(rowIds()[0]).toBe('p0000'));
    expect(rowCount()).toBe(count + 2);
    expect(document.querySelector<HTMLElement>('.z-grid-body')?.style.height).toBe(`${count * 32}px`);
  });

  it('FST-2275 another order and page are asked for, a filter too with its sums, and a search waits for all', async () => {
    const { calls } = open();
    await waitFor(() => expect(rowIds()[0]).toBe('p0000'));
    fireEvent.click(screen.getByRole('button', { name: 'Следующая страница' }));
    await waitFor(() => expect(rowIds()[0]).toBe('p0050'));
    expect(text()).toContain('51–100 из 1 200');
    const price = (): HTMLElement => within(screen.getByRole('columnheader', { name: /Цена/u })).getByRole('button');
    price().focus();
    fireEvent.click(price());
    fireEvent.click(price());
    await waitFor(() => expect(rowIds()[0]).toBe('p1149'));
    expect(document.activeElement).toBe(price());
    fireEvent.click(screen.getByRole('button', { name: 'Фильтр' }));
    fireEvent.change(await screen.findByLabelText('Цена от, ₽'), { target: { value: '2 190' } });
    await waitFor(() => expect(text()).toContain('показано 10 из 1 200'));
    expect(text()).toContain('10 из 1 200');
    expect(text()).toContain('21 945 ₽');
    const asked = calls.length;
    fireEvent.click(screen.getByRole('button', { name: 'Найти' }));
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'kit' } });
    await waitFor(() => expect(rowIds()).toEqual([]));
    expect(calls).toHaveLength(asked);
  });

  it('FST-2277 while something of the campaign is on its way nothing is shown ahead: nobody knows whether the answers have it', async () => {
    const entryStore = memoryEntryStore();
    await entryStore.put({
      id: '0a4b9f0e-3c55-4f0e-9a0b-0d6c5b1f2a77',
      target: { kind: 'placement', id: 'p0000' },
      method: 'PATCH',
      path: '/api/placements/p0000',
      body: { price: 777 },
      baseRevision: 1,
      label: 'Цена: 777 ₽',
      scope: 'campaign:c',
      order: 1,
      issuedAt: 0,
      attempted: false,
      state: { kind: 'pending' },
    });
    const { bring } = open({
      entryStore,
      serve: (call) => (call.method === 'GET' ? served(call) : 'no answer'),
    });
    await waitFor(() => expect(text()).toContain('1 919 400 ₽'));
    expect(rowIds()).toEqual([]);
    act(() => bring('campaign:c', whole()));
    await waitFor(() => expect(rowIds()[0]).toBe('p0000'));
  });

  it('FST-2278 what is refused meanwhile goes at once, the figures and the rows', async () => {
    const { answerScope } = open();
    await waitFor(() => expect(rowIds()[0]).toBe('p0000'));
    const problem = toProblemBody({ code: 'ACCESS_DENIED', message: 'Нет прав на размещения' }, 'r1');
    act(() => answerScope('campaign:c', { kind: 'refused', problem }));
    await waitFor(() => expect(rowIds()).toEqual([]));
    expect(text()).not.toContain('1 919 400 ₽');
    expect(text()).not.toContain('1–50');
    expect(text()).toContain('Нет прав на размещения');
  });

  it('FST-2279 what needs all rows says that they are on their way: the last row of one list, paper', async () => {
    open({ kept: asList });
    await waitFor(() => expect(rowIds()[0]).toBe('p0000'));
    act(() => cell('p0000', 'price').focus());
    fireEvent.keyDown(cell('p0000', 'price'), { key: 'End', ctrlKey: true });
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'ArrowDown' });
    await waitFor(() => expect(rowIds().at(-1)).toBe('p0099'));
    expect(toastStore.read().shown.map((one) => one.text)).toEqual(['Следующие строки ещё загружаются']);
    act(() => void window.dispatchEvent(new Event('beforeprint')));
    const sheet = document.querySelector('.z-print');
    expect(sheet?.textContent).toContain('ещё загружаются');
    expect(sheet?.querySelector('table')).toBeNull();
    act(() => void window.dispatchEvent(new Event('afterprint')));
  });

  it('FST-2500 rows of it are filled and pasted over, each time as one command, and are so when the rest came', async () => {
    const { bring, calls } = open({ serve: changing });
    await waitFor(() => expect(rowIds()[0]).toBe('p0000'));
    act(() => cell('p0000', 'price').focus());
    press('ArrowDown', { shiftKey: true });
    press('ArrowDown', { shiftKey: true });
    control('KeyD');
    await waitFor(() =>
      expect([priceOf('p0001'), priceOf('p0002')].map((one) => one.slice(0, 5))).toEqual(Array(2).fill('1 000')),
    );
    act(() => cell('p0003', 'price').focus());
    pasteHere('5к\n6к');
    await waitFor(() =>
      expect([priceOf('p0003'), priceOf('p0004')].map((one) => one.slice(0, 5))).toEqual(['5 000', '6 000']),
    );
    await waitFor(() => expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(2));
    // −1 − 2 for the fill, +3,997 + 4,996 for the paste.
    await waitFor(() => expect(text()).toContain('1 928 390 ₽'));
    act(() => bring('campaign:c', whole()));
    await waitFor(() => expect(text()).not.toContain('Загружено'));
    expect(['p0001', 'p0002', 'p0003', 'p0004'].map((id) => priceOf(id).slice(0, 5))).toEqual([
      '1 000',
      '1 000',
      '5 000',
      '6 000',
    ]);
    expect(text()).toContain('1 928 390 ₽');
  });

  it('FST-2501 what was done to rows of it is undone and repeated, and shows so while the rest is on its way', async () => {
    open({ serve: changing });
    await waitFor(() => expect(rowIds()[0]).toBe('p0000'));
    act(() => cell('p0000', 'price').focus());
    press('ArrowDown', { shiftKey: true });
    press('ArrowDown', { shiftKey: true });
    control('KeyD');
    await waitFor(() => expect(priceOf('p0002')).toContain('1 000'));
    await waitFor(() => expect(text()).toContain('1 919 397 ₽'));
    control('KeyZ');
    await waitFor(() => expect(toldTexts()).toContainEqual(expect.stringMatching(/^Отменено: Заполнение вниз/u)));
    await waitFor(() => expect(priceOf('p0002')).toContain('1 002'));
    await waitFor(() => expect(text()).toContain('1 919 400 ₽'));
    control('KeyY');
    await waitFor(() => expect(toldTexts()).toContainEqual(expect.stringMatching(/^Повторено: Заполнение вниз/u)));
    await waitFor(() => expect(priceOf('p0002')).toContain('1 000'));
    await waitFor(() => expect(text()).toContain('1 919 397 ₽'));
  });

  it('FST-2502 a paste that goes beyond the rows that are there makes no placements of the rest, and says why', async () => {
    const { calls } = open({ serve: changing });
    await waitFor(() => expect(rowIds()[0]).toBe('p0000'));
    act(() => cell('p0000', 'price').focus());
    pasteHere(Array<string>(51).fill('5').join('\n'));
    await waitFor(() => expect(toldTexts()).toEqual(['Строки ниже ещё загружаются, ничего не вставлено']));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(calls.filter(({ method }) => method === 'POST')).toEqual([]);
    pasteHere('5');
    await waitFor(() => expect(priceOf('p0000')).toMatch(/^5\D/u));
  });

  it.each([
    ['Ctrl+A', 'KeyA', 'a'],
    ['Ctrl+Space', 'Space', ' '],
  ])('FST-2503 %s in one list selects the rows that are there, and says that there are more', async (_, code, key) => {
    open({ kept: asList });
    await waitFor(() => expect(rowIds()[0]).toBe('p0000'));
    act(() => cell('p0000', 'price').focus());
    press(key, { code, ctrlKey: true });
    await waitFor(() => expect(text()).toContain('Выбрано'));
    expect(text()).toMatch(/100 (?:ячеек|строк)/u);
    expect(toldTexts()).toEqual(['Следующие строки ещё загружаются']);
  });

  it('FST-2504 a page of it is selected by Ctrl+A as any page is', async () => {
    open();
    await waitFor(() => expect(rowIds()[0]).toBe('p0000'));
    act(() => cell('p0000', 'price').focus());
    control('KeyA');
    await waitFor(() => expect(text()).toMatch(/Выбрано: [\d\s]+ ячеек в 50 строках/u));
    expect(toldTexts()).toEqual([]);
  });

  it('FST-2276 of a short campaign nothing more is asked for than its sums', async () => {
    const few = { ...analytics, summary: { ...analytics.summary, totalPlacements: 1000 } };
    const { calls, bring } = open({
      serve: (call) => (call.path === '/api/campaigns/c/analytics' ? { data: few } : served(call)),
    });
    await waitFor(() => expect(text()).toContain('1 919 400 ₽'));
    expect(rowIds()).toEqual([]);
    act(() => bring('campaign:c', whole(all.slice(0, 1000))));
    await waitFor(() => expect(rowIds()[0]).toBe('p0000'));
    expect(calls.map(({ path }) => path)).toEqual(['/api/campaigns/c/analytics']);
  });
});
