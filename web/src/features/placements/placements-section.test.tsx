import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { CampaignWire, DocKind, PlacementWire } from '@zakup/contracts/wire-entities';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { requestReveal } from '../../shared/campaign/reveal-requests.ts';
import { LiveStatus } from '../../shared/live/live-status.tsx';
import { memoryEntryStore } from '../../shared/outbox/entry-store.ts';
import { openOutbox, type Outbox } from '../../shared/outbox/outbox.ts';
import { OutboxProvider } from '../../shared/outbox/outbox-context.tsx';
import type { Transport } from '../../shared/outbox/transport.ts';
import { memoryReplica } from '../../shared/replica/replica.ts';
import { unexplained } from '../../shared/testing/figures.ts';
import { type Call, person, stage } from '../../shared/testing/stage.tsx';
import { ToastHost } from '../../shared/toasts/toast-host.tsx';
import { UndoHost } from '../../shared/undo/undo-host.tsx';
import { SlotOutlet, SlotProvider } from '../../shared/ui/slots.tsx';
import { PlacementsSection } from './placements-section.tsx';
import { tableStateKey } from './filters/table-state.ts';
import { placementDocument } from '../../shared/testing/placement-document.ts';

const stamp = { revision: 1, createdAt: '2026-11-01T00:00:00.000Z', updatedAt: '2026-11-01T00:00:00.000Z' };
const campaign = {
  ...stamp,
  id: 'c',
  channelId: 'ch',
  name: '11/Подписчики',
  status: 'ACTIVE',
  totalBudget: 100_000,
  startDate: null,
  endDate: null,
  participants: [],
} as unknown as CampaignWire;
const placement = (id: string, over: Partial<PlacementWire> = {}) =>
  placementDocument({
    ...stamp,
    id,
    ...over,
  });
const contractor = (id: string, adminUsername: string) => ({
  id,
  adminUsername,
  channelName: '',
  isActive: true,
  totalPlacements: 0,
});
const two = [placement('p1'), placement('p2', { contractorId: 'k2', price: 5000.5, buyerId: 'ilya', leads: 0 })];

const makeOutbox = async (send: Transport['send']): Promise<Outbox> => {
  let count = 0;
  return openOutbox({
    personId: 'anna',
    store: memoryEntryStore(),
    transport: { send },
    replica: memoryReplica(),
    newId: () => `command-${(count += 1)}`,
    clock: { now: () => 0, setTimeout: () => null, clearTimeout: () => undefined },
    chance: () => 1,
    tabs: null,
    election: (lead) => {
      lead();
      return () => undefined;
    },
  });
};

const Screen = ({ outbox, status }: { readonly outbox: Outbox; readonly status: CampaignWire['status'] }) => {
  const [adding, setAdding] = useState(false);
  return (
    <SlotProvider>
      <SlotOutlet name="topbar" />
      <button type="button" onClick={() => setAdding(true)}>
        Новая строка
      </button>
      <SlotOutlet name="status-left" />
      <SlotOutlet name="status-right" />
      <OutboxProvider value={outbox}>
        <LiveStatus />
        <UndoHost />
        <PlacementsSection
          campaign={{ ...campaign, status }}
          channelName="Кухня"
          adding={adding}
          onAddingChange={setAdding}
        />
      </OutboxProvider>
      <ToastHost />
    </SlotProvider>
  );
};

const setUp = async ({
  placements = two,
  status = 'ACTIVE',
  send = () => new Promise<never>(() => undefined),
  serve,
  kept,
  campaignDocs = [],
}: {
  /** null = still on their way. */
  readonly placements?: readonly PlacementWire[] | null;
  readonly status?: CampaignWire['status'];
  readonly send?: Transport['send'];
  readonly serve?: (call: Call) => { readonly data: unknown };
  readonly kept?: object;
  /** What the replica has of the campaign beside its placements. */
  readonly campaignDocs?: readonly (readonly [DocKind, { readonly id: string }])[];
} = {}) => {
  const outbox = await makeOutbox(send);
  const docs: Record<string, (readonly [DocKind, { readonly id: string }])[]> = {
    workspace: [
      ['user', { id: 'anna', name: 'Анна Соколова', role: 'MEDIA_BUYER', isActive: true }] as never,
      ['user', { id: 'ilya', name: 'Илья Кравцов', role: 'MEDIA_BUYER', isActive: true }] as never,
      ['contractor', contractor('k1', '@kitchen_ads')],
      ['contractor', contractor('k2', '@dacha')],
      ...campaignDocs,
    ],
    ...(placements && { 'campaign:c': placements.map((one) => ['placement', one] as const) }),
  };
  const set = stage({
    element: <Screen outbox={outbox} status={status} />,
    me: person('me', { role: 'CBDO' }),
    docs,
    ...(serve && { serve }),
    ...(kept && { kept: { [tableStateKey]: JSON.stringify(kept) } }),
  });
  await screen.findByRole('heading', { name: 'Размещения' });
  return { ...set, outbox };
};

const rowIds = (): readonly (string | undefined)[] =>
  [...document.querySelectorAll<HTMLElement>('[data-row]')].map((row) => row.dataset['row']);
const cell = (row: string, column: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(`[data-row="${row}"] .z-grid-${column}`);
  if (!found) throw new Error(`no cell ${row} ${column}`);
  return found;
};

describe('placements section', () => {
  const sizes = { clientHeight: 600, clientWidth: 1200 };
  const originals = new Map<string, PropertyDescriptor | undefined>();
  beforeEach(() => {
    for (const [name, value] of Object.entries(sizes)) {
      originals.set(name, Object.getOwnPropertyDescriptor(HTMLElement.prototype, name));
      Object.defineProperty(HTMLElement.prototype, name, { configurable: true, value });
    }
  });
  afterEach(() => {
    for (const [name, descriptor] of originals)
      if (descriptor) Object.defineProperty(HTMLElement.prototype, name, descriptor);
  });

  it('TBL-13 Ctrl+F in the table searches, says how many are shown and sums them, Escape ends it', async () => {
    const { user } = await setUp();
    fireEvent.mouseDown(cell('p1', 'price'));
    await user.keyboard('{Control>}f{/Control}');
    const field = await screen.findByRole('searchbox', { name: 'Найти в размещениях' });
    expect(document.activeElement).toBe(field);
    await user.keyboard('dach');
    expect(rowIds()).toEqual(['p2']);
    expect(screen.getByText('показано 1 из 2', { selector: '.z-filter-chips *' })).toBeDefined();
    expect(screen.getByText('Итого по фильтру').closest('tr')?.textContent).toContain('1 из 25\u00a0000,50\u00a0₽');
    await user.keyboard('{Escape}');
    expect(rowIds()).toEqual(['p1', 'p2']);
    expect(document.activeElement?.getAttribute('role')).toBe('gridcell');
  });

  it('TBL-14 nothing found is not the same as nothing there, and has its way back', async () => {
    const { user } = await setUp();
    await user.click(screen.getByRole('button', { name: 'Найти' }));
    await user.keyboard('нет такого');
    expect(screen.getByText('Ничего не найдено')).toBeDefined();
    expect(screen.queryByText(/Размещений ещё нет/u)).toBeNull();
    const buttons = screen.getAllByRole('button', { name: 'Сбросить фильтры' });
    await user.click(buttons.at(-1) ?? document.body);
    expect(rowIds()).toEqual(['p1', 'p2']);
  });

  it('TBL-1000 a price to filter by stays as it is typed, is marked where it is none, and narrows nothing then', async () => {
    const { user } = await setUp();
    await user.click(screen.getByRole('button', { name: 'Фильтр' }));
    const field = await screen.findByLabelText<HTMLInputElement>('Цена от, ₽');
    await user.type(field, '-3000');
    expect(field.value).toBe('-3000');
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(rowIds()).toEqual(['p1', 'p2']);
    await user.clear(field);
    await user.paste('54\n64');
    expect(field.value).toBe('');
    await user.type(field, '2 000,5');
    expect(field.value).toBe('2 000,5');
    expect(field.getAttribute('aria-invalid')).toBeNull();
    expect(rowIds()).toHaveLength(1);
  });

  it('TBL-15 remembers sort, filters, page, columns and the one contractor', async () => {
    const { user } = await setUp();
    await user.click(screen.getByRole('button', { name: 'Фильтр' }));
    await user.selectOptions(await screen.findByLabelText('Контрагент'), 'k2');
    await user.click(screen.getByRole('button', { name: 'Байер', expanded: false }));
    await user.click(screen.getByRole('checkbox', { name: 'Илья Кравцов' }));
    expect(rowIds()).toEqual(['p2']);
    expect(screen.getByRole('button', { name: 'Фильтр: 2' })).toBeDefined();
    await user.click(screen.getByRole('button', { name: /^Цена/u }));
    await user.click(screen.getByRole('button', { name: 'Столбцы' }));
    await user.click(await screen.findByLabelText('Статус'));
    await user.click(screen.getByLabelText('Формат'));
    expect(screen.getByRole('columnheader', { name: 'Статус' })).toBeDefined();
    expect(screen.queryByRole('columnheader', { name: 'Формат' })).toBeNull();
    expect(JSON.parse(localStorage.getItem(tableStateKey) ?? '')).toMatchObject({
      sortBy: 'price',
      sortOrder: 'asc',
      filters: { buyerId: ['ilya'] },
      pagination: { page: 1, pageSize: 50 },
      hiddenColumns: ['format'],
      selectedContractorId: 'k2',
    });
    await user.click(screen.getByRole('button', { name: 'Убрать: Контрагент: @dacha' }));
    await user.click(screen.getByRole('button', { name: 'Убрать: Байер: Илья Кравцов' }));
    expect(rowIds()).toEqual(['p1', 'p2']);
  });

  it('WLO-24 begins by date, oldest first, on the first page of 50, without filters and without one contractor', async () => {
    const days = [placement('p1', { date: '2026-11-03' }), placement('p2', { date: '2026-11-01' })];
    const { user } = await setUp({ placements: days });
    expect(rowIds()).toEqual(['p2', 'p1']);
    expect(screen.getByRole('columnheader', { name: /^Дата/u }).getAttribute('aria-sort')).toBe('ascending');
    await user.click(screen.getByRole('button', { name: 'Столбцы' }));
    await user.click(await screen.findByLabelText('Формат'));
    const kept = JSON.parse(localStorage.getItem(tableStateKey) ?? '') as { readonly filters: object };
    expect(kept).toMatchObject({
      sortBy: 'date',
      sortOrder: 'asc',
      pagination: { page: 1, pageSize: 50 },
      selectedContractorId: null,
    });
    expect(new Set(Object.values(kept.filters).flat())).toEqual(new Set(['']));
  });

  it('WLO-25 an addition that the server refuses says why', async () => {
    vi.spyOn(window, 'matchMedia').mockImplementation(
      (query) => Object.assign(new EventTarget(), { matches: query.includes('768'), media: query }) as MediaQueryList,
    );
    onTestFinished(() => void vi.restoreAllMocks());
    const { user } = await setUp({
      send: () => Promise.resolve({ kind: 'rejected', code: 'CAMPAIGN_COMPLETED', reason: 'Кампания завершена' }),
    });
    await user.click(screen.getByRole('button', { name: 'Добавить' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Добавить размещение' }));
    await user.type(dialog.getByLabelText('Ник контрагента'), 'new_nick');
    await user.selectOptions(dialog.getByLabelText('Байер'), 'anna');
    await user.type(dialog.getByLabelText('Тематика'), 'Кулинария');
    await user.click(dialog.getByRole('button', { name: 'Добавить размещение' }));
    expect(await screen.findByText('Ошибка при добавлении размещения: Кампания завершена')).toBeDefined();
  });

  it('TBL-16 comes up as it was left; what was kept wrongly counts as not kept', async () => {
    await setUp({ kept: { sortBy: 'price', sortOrder: 'desc', filters: 7, hiddenColumns: ['topic', 'status'] } });
    expect(rowIds()).toEqual(['p2', 'p1']);
    expect(screen.queryByRole('columnheader', { name: 'Тематика' })).toBeNull();
  });

  it('VIW-2162 what was remembered while a filter had one value counts as a list of it', async () => {
    await setUp({ kept: { filters: { buyerId: 'ilya', format: '', status: 'any' } } });
    expect(rowIds()).toEqual(['p2']);
    const chips = screen.getAllByRole('button', { name: /^Убрать: / }).map(({ textContent }) => textContent);
    expect(chips).toEqual(['Байер: Илья Кравцов', 'Все статусы']);
  });

  it('VIW-2163 several buyers and statuses are chosen by keys, all statuses stand alone', async () => {
    const { user } = await setUp();
    await user.click(screen.getByRole('button', { name: 'Фильтр' }));
    const opener = await screen.findByRole('button', { name: 'Байер', expanded: false });
    opener.focus();
    await user.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: 'Анна Соколова' }));
    await user.keyboard(' {ArrowDown} {Escape}');
    expect(document.activeElement).toBe(opener);
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(screen.getByRole('button', { name: 'Убрать: Байер: Анна Соколова, Илья Кравцов' })).toBeDefined();
    expect(rowIds()).toEqual(['p1', 'p2']);
    await user.click(screen.getByRole('button', { name: 'Статус', expanded: false }));
    for (const name of ['Ожидает', 'Завершено', 'Все']) await user.click(screen.getByRole('checkbox', { name }));
    expect(screen.getByRole('button', { name: 'Убрать: Все статусы' })).toBeDefined();
    await user.click(screen.getByRole('checkbox', { name: 'Отменено' }));
    expect(screen.getByRole('button', { name: 'Убрать: Статус: Отменено' })).toBeDefined();
    expect(screen.getByRole('button', { name: 'Фильтр: 2' })).toBeDefined();
  });

  it('TBL-1683 comment and post are shown to who asks for them, also where the table was remembered before there were any', async () => {
    const said = [placement('p1', { comment: 'Первая\nвторая', postUrl: 'https://t.me/some/17' }), placement('p2')];
    const { user } = await setUp({ placements: said, kept: { hiddenColumns: ['status'] } });
    expect(screen.queryByRole('columnheader', { name: 'Комментарий' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Столбцы' }));
    await user.click(await screen.findByLabelText('Комментарий'));
    await user.click(screen.getByLabelText('Ссылка на пост'));
    expect(JSON.parse(localStorage.getItem(tableStateKey) ?? '')).toMatchObject({
      hiddenColumns: ['status'],
      addedColumns: ['comment', 'post'],
    });
    expect(cell('p1', 'comment').textContent).toBe('Первая\nвторая');
    const link = within(cell('p1', 'post')).getByRole('link', { name: 't.me/some/17' });
    expect([link.getAttribute('href'), link.getAttribute('rel')]).toEqual(['https://t.me/some/17', 'noreferrer']);
    expect(cell('p2', 'post').textContent).toBe('');
  });

  it('TBL-17 pages of 50, or all in one list of which only what is in sight is drawn', async () => {
    const many = Array.from({ length: 120 }, (_, index) => placement(`p${index}`, { price: index + 1 }));
    const { user } = await setUp({ placements: many, kept: { sortBy: 'price' } });
    expect(screen.getByText('1–50 из 120')).toBeDefined();
    await user.click(screen.getByLabelText('Следующая страница'));
    expect(rowIds()[0]).toBe('p50');
    expect(cell('p50', 'price').closest('[data-row]')?.getAttribute('aria-rowindex')).toBe('52');
    await user.click(screen.getByText('все'));
    expect(rowIds()[0]).toBe('p0');
    expect(rowIds().length).toBeLessThan(60);
    expect(document.querySelector('[role="grid"]')?.getAttribute('aria-rowcount')).toBe('122');
  });

  it('TBL-18 «?» lists the keys, in a field it is a sign', async () => {
    const { user } = await setUp();
    await user.click(screen.getByRole('button', { name: 'Найти' }));
    await user.keyboard('?');
    expect(screen.queryByRole('dialog')).toBeNull();
    await user.keyboard('{Escape}?');
    expect(within(await screen.findByRole('dialog', { name: 'Клавиши' })).getByText('найти в таблице')).toBeDefined();
  });

  it('TBL-19 a deleted row can be called back from the toast', async () => {
    const sent: string[] = [];
    const { user } = await setUp({
      send: (entry) => {
        sent.push(`${entry.method} ${entry.path}`);
        return Promise.resolve({ kind: 'accepted', position: 5, revision: 2, id: null } as never);
      },
    });
    await user.click(screen.getByRole('button', { name: 'Удалить размещение @dacha' }));
    await user.click(await screen.findByRole('button', { name: 'Удалить' }));
    const back = await screen.findByRole('button', { name: 'Вернуть' });
    expect(screen.getByText(/^Удалено: @dacha, 5.000,50.₽$/u)).toBeDefined();
    await user.click(back);
    await waitFor(() => expect(sent).toEqual(['DELETE /api/placements/p2', 'POST /api/undo']));
  });

  it('UND-1980 a deleted row is called back by Ctrl+Z in any layout, not from a field, and once', async () => {
    const sent: string[] = [];
    const { user } = await setUp({
      send: (entry) => {
        sent.push(`${entry.method} ${entry.path}`);
        return Promise.resolve({ kind: 'accepted', position: 5, revision: 2, id: null } as never);
      },
    });
    await user.click(screen.getByRole('button', { name: 'Удалить размещение @dacha' }));
    await user.click(await screen.findByRole('button', { name: 'Удалить' }));
    await screen.findByRole('button', { name: 'Вернуть' });
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    const press = (target: Element) => fireEvent.keyDown(target, { key: 'я', code: 'KeyZ', ctrlKey: true });
    await user.click(screen.getByRole('button', { name: 'Найти' }));
    press(screen.getByRole('searchbox'));
    expect(sent).toEqual(['DELETE /api/placements/p2']);
    press(document.body);
    press(document.body);
    await waitFor(() => expect(sent).toEqual(['DELETE /api/placements/p2', 'POST /api/undo']));
    expect(screen.queryByRole('button', { name: 'Вернуть' })).toBeNull();
  });

  it('GRD-2295 all rows of a range get a value as one command, and go as one that is called back as one', async () => {
    const sent: string[] = [];
    const { user } = await setUp({
      send: (entry) => {
        const parts = entry.parts?.map(({ method, path, body }) => `${method} ${path} ${JSON.stringify(body)}`);
        sent.push(`${entry.label}: ${parts?.join(', ') ?? entry.path}`);
        return Promise.resolve({ kind: 'accepted', position: 5, revision: 2 });
      },
    });
    const select = async (): Promise<void> => {
      fireEvent.mouseDown(cell('p1', 'price'));
      await user.keyboard('{Shift>}{ArrowDown}{/Shift}');
      await user.click(await screen.findByRole('button', { name: 'Изменить…' }));
      await screen.findByRole('dialog', { name: 'Изменить: 2 размещения' });
    };
    await select();
    await user.selectOptions(screen.getByLabelText('Что изменить'), 'Приход');
    await user.type(screen.getByLabelText('Приход'), '=4*2');
    expect(screen.getByRole('dialog').textContent).toContain('Изменится: 2 размещения');
    await user.click(screen.getByRole('button', { name: 'Изменить' }));
    await waitFor(() =>
      expect(sent).toEqual([
        'Приход: 8, 2 размещения: PATCH /api/placements/p1 {"leads":8}, PATCH /api/placements/p2 {"leads":8}',
      ]),
    );
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await select();
    await user.click(screen.getByRole('button', { name: 'Удалить 2 размещения…' }));
    const question = await screen.findByRole('alertdialog');
    expect(question.textContent.replaceAll('\u00a0', ' ')).toContain('Удалить 2 размещения на 6 000,50 ₽?');
    await user.click(within(question).getByRole('button', { name: 'Удалить' }));
    await user.click(await screen.findByRole('button', { name: 'Вернуть' }));
    await waitFor(() =>
      expect(sent.slice(1).map((one) => one.replaceAll('\u00a0', ' '))).toEqual([
        'Удаление: 2 размещения: DELETE /api/placements/p1 {"deleted":true}, DELETE /api/placements/p2 {"deleted":true}',
        'Отмена: Удаление: 2 размещения: /api/undo',
      ]),
    );
  });

  it('GRD-2299 the menu of a cell goes by arrows, does what its keys do, and gives the keyboard back to the cell', async () => {
    const labels: string[] = [];
    const { user } = await setUp({
      send: (entry) => {
        labels.push(entry.label);
        return new Promise<never>(() => undefined);
      },
    });
    const ask = async (): Promise<void> => {
      fireEvent.mouseDown(cell('p2', 'price'));
      fireEvent.contextMenu(cell('p2', 'price'));
      await waitFor(() => expect(document.activeElement?.textContent).toContain('Копировать'));
    };
    await ask();
    expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
      'КопироватьCtrl C',
      'ВставитьCtrl V',
      'ОчиститьDelete',
      'Заполнить внизCtrl D',
      'Повторить строкуCtrl J',
      'Изменить…',
      'История',
      'Открыть контрагента',
      'Удалить…',
    ]);
    await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
    await waitFor(() => expect(labels).toEqual(['Цена: 0\u00a0₽']));
    expect(screen.queryByRole('menu')).toBeNull();
    expect(document.activeElement).toBe(cell('p2', 'price'));
    await ask();
    await user.keyboard('{End}{Enter}');
    const question = await screen.findByRole('alertdialog');
    await user.click(within(question).getByRole('button', { name: 'Отмена' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    await ask();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
    expect(document.activeElement).toBe(cell('p2', 'price'));
  });

  const historyOf = async (
    user: Awaited<ReturnType<typeof setUp>>['user'],
    row: string,
    column: string,
  ): Promise<string | null> => {
    fireEvent.mouseDown(cell(row, column));
    fireEvent.contextMenu(cell(row, column));
    await user.click(await screen.findByRole('menuitem', { name: 'История' }));
    const dialog = within(await screen.findByRole('dialog'));
    const title = dialog.getByRole('heading', { level: 2, name: /^История/u }).textContent;
    await user.click(dialog.getByRole('button', { name: 'Закрыть' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement).toBe(cell(row, column));
    return title;
  };
  const noHistory = () => ({ data: { entries: [] } });

  it('GRD-2378 the history in the menu of a cell is that of its field', async () => {
    const { user } = await setUp({ serve: noHistory });
    expect(await historyOf(user, 'p2', 'price')).toBe('История: Цена, @dacha');
    expect(await historyOf(user, 'p2', 'contractor')).toBe('История: Контрагент, @dacha');
    expect(await historyOf(user, 'p2', 'date')).toBe('История: Дата, @dacha');
    await user.click(screen.getByRole('button', { name: 'История размещения @dacha' }));
    expect(await screen.findByRole('dialog', { name: 'История: @dacha' })).toBeDefined();
  });

  it('GRD-2379 of CPL and the deletion it is the history of the row; a campaign that is only read has the same', async () => {
    const { user } = await setUp({ serve: noHistory, status: 'COMPLETED' });
    expect(await historyOf(user, 'p2', 'cpl')).toBe('История: @dacha');
    expect(await historyOf(user, 'p2', 'delete')).toBe('История: @dacha');
    expect(await historyOf(user, 'p2', 'payment')).toBe('История: Оплата, @dacha');
  });

  it('SHL-22 deleting a placement asks first, and nothing goes when it is refused', async () => {
    const sent: string[] = [];
    const { user } = await setUp({
      send: (entry) => {
        sent.push(entry.path);
        return new Promise<never>(() => undefined);
      },
    });
    await user.click(screen.getByRole('button', { name: 'Удалить размещение @dacha' }));
    const question = within(await screen.findByRole('alertdialog'));
    expect(question.getByText('Вы уверены, что хотите удалить это размещение?')).toBeDefined();
    const named = screen.getByRole('alertdialog').textContent.replaceAll('\u00a0', ' ');
    expect(named).toContain('Удалить @dacha, 5 000,50 ₽, 20 ноября?');
    await user.click(question.getByRole('button', { name: 'Отмена' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(sent).toEqual([]);
  });

  it('SHL-23 on a small screen each placement is a card with the same actions', async () => {
    vi.spyOn(window, 'matchMedia').mockImplementation(
      (query) =>
        ({
          matches: query.includes('768'),
          addEventListener: () => undefined,
          removeEventListener: () => undefined,
        }) as unknown as MediaQueryList,
    );
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    await setUp();
    const cards = await screen.findByRole('list', { name: 'Размещения' });
    expect(screen.queryByRole('grid')).toBeNull();
    const [first] = within(cards).getAllByRole('listitem');
    const names =
      first === undefined
        ? []
        : within(first)
            .getAllByRole('button')
            .map(({ textContent }) => textContent);
    expect(names).toEqual(expect.arrayContaining(['Изменить', 'Оплачено', 'Удалить']));
  });

  it('TBL-20 of a conflict the cell says who set what; Escape chooses nothing, each button chooses', async () => {
    const conflict = {
      field: 'price',
      base: 1000,
      theirs: 5200,
      mine: 5400,
      by: { userId: 'anna', name: 'Анна Соколова' },
      at: new Date().toISOString(),
    };
    const { user, outbox } = await setUp({
      send: () => Promise.resolve({ kind: 'conflict', conflicts: [conflict], revision: 2 } as never),
    });
    fireEvent.mouseDown(cell('p1', 'price'));
    await user.keyboard('5400{Enter}');
    const mine = await screen.findByRole('button', { name: 'Оставить моё' });
    expect(mine.parentElement?.textContent).toContain('Анна Соколова поставила 5\u00a0200\u00a0₽');
    expect(mine.parentElement?.textContent).toContain('У вас 5\u00a0400\u00a0₽, раньше было 1\u00a0000\u00a0₽');
    expect(cell('p1', 'price').textContent).toContain('5\u00a0400\u00a0₽');
    act(() => mine.focus());
    await user.keyboard('{Escape}');
    expect(outbox.entries()[0]?.state.kind).toBe('conflict');
    await user.click(screen.getByRole('button', { name: 'Взять новое' }));
    expect(outbox.entries()).toEqual([]);
  });

  it.each(['Оставить моё', 'Взять новое'])(
    'TBL-1120 after «%s» the keyboard stands in the cell again',
    async (name) => {
      const conflict = {
        field: 'price',
        base: 1000,
        theirs: 5200,
        mine: 5400,
        by: { userId: 'anna', name: 'Анна Соколова' },
        at: new Date().toISOString(),
      };
      let sent = 0;
      const { user } = await setUp({
        send: () =>
          (sent += 1) === 1
            ? Promise.resolve({ kind: 'conflict', conflicts: [conflict], revision: 2 } as never)
            : new Promise<never>(() => undefined),
      });
      fireEvent.mouseDown(cell('p1', 'price'));
      await user.keyboard('5400{Enter}');
      const button = await screen.findByRole('button', { name });
      act(() => button.focus());
      await user.keyboard('{Enter}');
      await waitFor(() => expect(screen.queryByRole('button', { name })).toBeNull());
      expect(document.activeElement).toBe(cell('p1', 'price'));
    },
  );

  it('TBL-1121 «Ждут вас» leads to the cell of the first change that waits, pressed again to the next, whatever filters and page', async () => {
    let sent = 0;
    const { user } = await setUp({
      placements: Array.from({ length: 60 }, (_, at) => placement(`p${at}`, { price: at + 1 })),
      kept: { sortBy: 'price', sortOrder: 'asc' },
      send: () => {
        sent += 1;
        const conflict = { field: 'leads', base: 1, theirs: 2, mine: 3, by: { userId: '', name: '' }, at: '' };
        return Promise.resolve(
          (sent === 1
            ? { kind: 'rejected', code: 'NOT_FOUND', reason: 'Кампания завершена' }
            : { kind: 'conflict', conflicts: [conflict], revision: 2 }) as never,
        );
      },
    });
    fireEvent.mouseDown(cell('p0', 'price'));
    await user.keyboard('5400{Enter}');
    fireEvent.mouseDown(cell('p2', 'leads'));
    await user.keyboard('3{Enter}');
    const waiting = await screen.findByRole('button', { name: 'Ждут вас: 2' });
    await user.click(screen.getByRole('button', { name: 'Следующая страница' }));
    await waitFor(() => expect(document.querySelector('[data-row="p2"]')).toBeNull());
    await user.click(waiting);
    await waitFor(() => expect(document.activeElement).toBe(cell('p0', 'price')));
    expect(screen.getByText(/Кампания завершена/u)).toBeTruthy();
    await user.click(waiting);
    await waitFor(() => expect(document.activeElement).toBe(cell('p2', 'leads')));
    act(() => waiting.focus());
    await user.keyboard('{Enter}');
    await waitFor(() => expect(document.activeElement).toBe(cell('p0', 'price')));
  });

  it('TBL-21 a completed campaign is read only and may still be taken along as a file', async () => {
    const { user } = await setUp({ status: 'COMPLETED' });
    expect(screen.getByRole('grid', { name: /Размещения/u }).getAttribute('aria-readonly')).toBe('true');
    expect(screen.queryByRole('button', { name: /Удалить/u })).toBeNull();
    await user.click(screen.getByRole('button', { name: /^Ещё/u }));
    expect(await screen.findByRole('menuitem', { name: 'Скачать XLSX' })).toBeDefined();
  });

  it('TBL-22 payment is a button that says its state, CPL without leads is a dash with a word', async () => {
    await setUp();
    const pay = within(cell('p1', 'payment')).getByRole('button');
    expect([pay.getAttribute('aria-pressed'), pay.textContent]).toEqual(['false', 'Не оплачено']);
    expect(within(cell('p2', 'cpl')).getByRole('button', { name: '—, лидов пока нет' })).toBeDefined();
  });

  it('WHY-19 no figure of a row is without its reason: only what was typed into it explains nothing', async () => {
    await setUp();
    expect(document.querySelectorAll('.z-row-cpl')).toHaveLength(2);
    expect(unexplained(document.body)).toEqual([]);
    for (const one of document.querySelectorAll('.z-row-cpl'))
      Reflect.deleteProperty((one as HTMLElement).dataset, 'figure');
    expect(unexplained(document.body), 'a row without it would be told').not.toEqual([]);
  });

  it('TBL-23 on paper: all rows in the shown order with a heading row, whatever is in sight', async () => {
    const many = Array.from({ length: 120 }, (_, index) => placement(`p${index}`, { price: index + 1 }));
    await setUp({ placements: many, kept: { sortBy: 'price', sortOrder: 'desc' } });
    act(() => void window.dispatchEvent(new Event('beforeprint')));
    const rows = document.querySelectorAll('.z-print tbody tr');
    expect(rows).toHaveLength(121);
    expect(rows[0]?.textContent).toContain('120\u00a0₽');
    expect(document.querySelector('.z-print thead')?.textContent).toContain('Контрагент');
    act(() => void window.dispatchEvent(new Event('afterprint')));
    expect(document.querySelector('.z-print')).toBeNull();
  });

  it('TBL-3382 what is printed stays in the order in which it was begun, though the paper is as narrow as a phone', async () => {
    let isNarrow = false;
    const lists = new EventTarget();
    vi.spyOn(window, 'matchMedia').mockImplementation(
      (query) =>
        ({
          get matches() {
            return isNarrow && query.includes('768');
          },
          media: query,
          addEventListener: lists.addEventListener.bind(lists),
          removeEventListener: lists.removeEventListener.bind(lists),
        }) as unknown as MediaQueryList,
    );
    onTestFinished(() => void vi.restoreAllMocks());
    const order = { sortBy: 'price', sortOrder: 'desc', cardSortBy: 'price', cardSortOrder: 'asc' };
    await setUp({ placements: [1, 2, 3].map((price) => placement(`p${price}`, { price })), kept: order });
    const printed = (): readonly (string | undefined)[] =>
      [...document.querySelectorAll('.z-print tbody tr')]
        .slice(0, 3)
        .map((row) => /\d\u00a0₽/u.exec(row.textContent)?.[0]);
    act(() => void window.dispatchEvent(new Event('beforeprint')));
    const begun = printed();
    expect(begun).toEqual(['3\u00a0₽', '2\u00a0₽', '1\u00a0₽']);
    isNarrow = true;
    act(() => void lists.dispatchEvent(new Event('change')));
    await waitFor(() => expect(screen.queryByRole('grid')).toBeNull());
    expect(printed()).toEqual(begun);
  });

  it('PRS-4 shows where one stands, and the others: in their cells and in the top bar, never oneself', async () => {
    const { user, shown, meet } = await setUp();
    expect(shown.at(-1)).toEqual({ scope: 'campaign:c', focus: null });
    fireEvent.mouseDown(cell('p1', 'price'));
    await user.keyboard('{Enter}');
    expect(shown.at(-1)?.focus).toEqual({ placementId: 'p1', field: 'price', mode: 'editing' });
    const ilya = { sessionId: 's', userId: 'ilya', name: 'Илья Кравцов' };
    const me = { sessionId: 'm', userId: 'me', name: 'Ольга Демидова', focus: null };
    act(() => meet('campaign:c', [me, { ...ilya, focus: { placementId: 'p2', field: 'leads', mode: 'editing' } }]));
    expect(cell('p2', 'leads').textContent).toContain('Илья правит');
    expect(await screen.findByText(/смотрят: 1/u)).toBeDefined();
    act(() => meet('campaign:c', [me]));
    expect(cell('p2', 'leads').textContent).toBe('0');
    expect(screen.queryByText(/смотрят/u)).toBeNull();
  });

  it("PRS-5 a colleague's change shows whose hand it was, and nobody asks the server for it", async () => {
    const { bring, calls } = await setUp();
    const ilya = { userId: 'ilya', name: 'Илья Кравцов' };
    act(() => bring('campaign:c', [['placement', placement('p1', { price: 9800, revision: 2 }), ilya]]));
    expect(cell('p1', 'price').textContent).toBe('1\u00a00009\u00a0800\u00a0₽Илья, 1 с');
    expect(calls).toEqual([]);
  });

  it('BY-10 two people in one message are told apart, and only in the cells that each changed', async () => {
    const { bring } = await setUp();
    act(() =>
      bring('campaign:c', [
        ['placement', placement('p1', { leads: 20, costPerLead: 50, revision: 2 }), { userId: 'ilya', name: 'Илья' }],
        ['placement', placement('p2', { ...two[1], price: 7000, revision: 2 }), { userId: 'anna', name: 'Анна' }],
      ]),
    );
    const flags = [...document.querySelectorAll('.z-flag-author')].map((flag) => [
      flag.closest<HTMLElement>('[data-row]')?.dataset['row'],
      flag.textContent,
    ]);
    expect(flags).toEqual([
      ['p1', 'Илья, 1 с'],
      ['p2', 'Анна, 1 с'],
    ]);
    expect(cell('p1', 'leads').textContent).toContain('Илья');
    expect(cell('p2', 'price').textContent).toContain('Анна');
  });

  it('BY-11 what one changed oneself in another window, and what nobody is named for, shows no name', async () => {
    const { bring } = await setUp();
    const me = { userId: 'me', name: 'Ольга Демидова' };
    act(() =>
      bring('campaign:c', [
        ['placement', placement('p1', { price: 9800, revision: 2 }), me],
        ['placement', placement('p2', { ...two[1], price: 7000, revision: 2 })],
      ]),
    );
    expect(cell('p1', 'price').textContent).toContain('9\u00a0800');
    expect(cell('p2', 'price').textContent).toContain('7\u00a0000');
    expect(document.querySelector('.z-flag-author')).toBeNull();
  });

  it('TBL-24 a table still on its way is not an empty one, and an empty one says what to do', async () => {
    await setUp({ placements: null });
    expect(screen.getByText('Загрузка размещений')).toBeDefined();
    expect(screen.queryByText(/ещё нет/u)).toBeNull();
    cleanup();
    await setUp({ placements: [] });
    expect(screen.getByText(/Размещений ещё нет\. Добавьте первое/u)).toBeDefined();
    expect(screen.queryByText('Загрузка размещений')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Фильтр' })).toBeNull();
  });

  it('TBL-25 on a narrow screen: cards with the same actions, who edits them, and the filter in a dialog', async () => {
    const narrow = (query: string): MediaQueryList =>
      Object.assign(new EventTarget(), { matches: query === '(width < 768px)', media: query }) as MediaQueryList;
    const wide = vi.spyOn(window, 'matchMedia').mockImplementation(narrow);
    try {
      const { user, meet } = await setUp();
      const cards = screen.getAllByRole('listitem').filter((item) => item.dataset['row'] !== undefined);
      expect(cards.map((card) => card.dataset['row'])).toEqual(['p2', 'p1']);
      const [, card = document.body] = cards;
      const actions = within(card)
        .getAllByRole('button')
        .map((button) => button.textContent);
      expect(actions).toEqual(['@kitchen_ads', '100,00\u00a0₽', 'Изменить', 'Оплачено', 'История', 'Удалить']);
      const focus = { placementId: 'p1', field: 'leads', mode: 'editing' } as const;
      act(() => meet('campaign:c', [{ sessionId: 's', userId: 'ilya', name: 'Илья Кравцов', focus }]));
      expect(card.textContent).toContain('правит приход');
      await user.click(screen.getByRole('button', { name: 'Фильтр' }));
      const dialog = await screen.findByRole('dialog', { name: 'Порядок и фильтр' });
      expect((await within(dialog).findByLabelText('Цена от, ₽')).getAttribute('inputmode')).toBe('decimal');
      await user.type(within(dialog).getByLabelText('Цена от, ₽'), '2 000,5');
      await user.click(within(dialog).getByRole('button', { name: 'Показать' }));
      expect(screen.getByText('показано 1 из 2', { selector: '.z-filter-chips *' })).toBeDefined();
      await user.click(screen.getByRole('button', { name: 'Ещё: скачать, печать' }));
      expect((await screen.findAllByRole('menuitem')).map((item) => item.textContent)).not.toContain('Клавиши?');
    } finally {
      wide.mockRestore();
    }
  });

  it('TBL-1684 a card says the comment in its lines and leads to the post; it is found by what the comment says', async () => {
    const narrow = (query: string): MediaQueryList =>
      Object.assign(new EventTarget(), { matches: query === '(width < 768px)', media: query }) as MediaQueryList;
    vi.spyOn(window, 'matchMedia').mockImplementation(narrow);
    onTestFinished(() => void vi.restoreAllMocks());
    const said = placement('p1', { comment: 'Первая\nвторая', postUrl: 'https://t.me/some/17' });
    await setUp({ placements: [said, placement('p2')] });
    expect(screen.getByText((_, element) => element?.className === 'z-card-comment').textContent).toBe(said.comment);
    expect(screen.getByRole('link', { name: 't.me/some/17' }).getAttribute('href')).toBe(said.postUrl);
  });

  it('WLO-31 2,309 cards on a narrow screen: only those in sight are drawn, and the one in use; each says which it is', async () => {
    const tall = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'offsetHeight');
    Object.defineProperty(HTMLElement.prototype, 'offsetHeight', { configurable: true, value: 183 });
    vi.spyOn(window, 'matchMedia').mockImplementation(
      (query) => Object.assign(new EventTarget(), { matches: query.includes('768'), media: query }) as MediaQueryList,
    );
    onTestFinished(() => {
      vi.restoreAllMocks();
      if (tall) Object.defineProperty(HTMLElement.prototype, 'offsetHeight', tall);
    });
    const many = Array.from({ length: 2309 }, (_, index) => placement(`p${index}`, { price: index + 1 }));
    const { user } = await setUp({
      placements: many,
      kept: { pagination: { page: 1, pageSize: 'all', campaignId: 'c' } },
    });
    const list = await screen.findByRole('list', { name: 'Размещения' });
    const cards = () => within(list).getAllByRole('listitem');
    expect(cards().length).toBeLessThan(20);
    expect(list.querySelectorAll('*').length).toBeLessThan(1000);
    expect(list.style.minHeight).toBe(`${2309 * 183 + 2308 * 8 + 72}px`);
    const [first = document.body] = cards();
    expect([first.getAttribute('aria-posinset'), first.getAttribute('aria-setsize')]).toEqual(['1', '2309']);

    const nick = within(first).getAllByRole('button')[0] ?? document.body;
    act(() => nick.focus());
    const page = document.documentElement;
    Object.defineProperty(page, 'scrollTop', { configurable: true, writable: true, value: 100_000 });
    fireEvent.scroll(page);
    await waitFor(() => expect(cards().at(-1)?.getAttribute('aria-posinset')).toBe('532'));
    expect(cards()[0]?.dataset['row']).toBe(first.dataset['row']);
    expect(document.activeElement).toBe(nick);
    expect(cards().length).toBeLessThan(20);
    await user.tab();
    expect(document.activeElement?.getAttribute('title')).toBe('CPL: почему эта цифра?');
    Reflect.deleteProperty(page, 'scrollTop');
  });

  const summary = {
    totalBudget: 100_000,
    spentBudget: 6000.5,
    remainingBudget: 93_999.5,
    averageCostPerLead: 600.05,
    totalLeads: 10,
    totalPlacements: 2,
    paidBudget: 0,
    unpaidBudget: 6000.5,
  };
  const analytics = [
    'analytics',
    { id: 'c', summary, byBuyer: [], byCreative: [], byDay: [] } as { id: string },
  ] as const;
  const asText = (text: string | null | undefined): string => (text ?? '').replaceAll('\u00a0', ' ');
  const totals = (): string => asText(screen.getByText('Итого').closest('tr')?.textContent);
  const setPrice = async (user: Awaited<ReturnType<typeof setUp>>['user'], price: string): Promise<void> => {
    fireEvent.mouseDown(cell('p1', 'price'));
    await user.keyboard(`{F2}${price}{Enter}`);
  };

  it('TBL-29 the cost per lead and the totals follow what was typed, before the server has answered', async () => {
    const { user } = await setUp({ campaignDocs: [['campaign', campaign], analytics] });
    expect(totals()).toContain('2 размещения6 000,50 ₽10600,05 ₽');
    await setPrice(user, '2000');
    expect(asText(cell('p1', 'cpl').textContent)).toContain('200,00 ₽');
    expect(totals()).toContain('2 размещения7 000,50 ₽10700,05 ₽');
    expect(totals()).toContain('не оплачено 7 000,50 ₽');
    expect(screen.queryAllByTitle('Пересчитаем, когда сервер примет изменение')).toEqual([]);
    await user.click(within(cell('p1', 'payment')).getByRole('button'));
    expect(totals()).toContain('оплачено 2 000 ₽ · не оплачено 5 000,50 ₽');
  });

  it('CTR-1194 on a narrow screen the count above the cards has its thousands apart, as everywhere', async () => {
    vi.spyOn(window, 'matchMedia').mockImplementation(
      (query) => Object.assign(new EventTarget(), { matches: query.includes('768'), media: query }) as MediaQueryList,
    );
    onTestFinished(() => void vi.restoreAllMocks());
    const large = { ...summary, totalPlacements: 2305, spentBudget: 1_234_567.5 };
    await setUp({ campaignDocs: [['analytics', { ...analytics[1], summary: large } as { id: string }]] });
    const head = screen.getByRole('heading', { name: 'Размещения' }).closest('header');
    expect(asText(head?.querySelector('.z-secondary')?.textContent)).toContain('2 305 · 1 234 567,50 ₽');
  });

  it('TBL-30 where a fact is missing the typed value stands alone: no figure follows it, and each says so', async () => {
    const { user, outbox } = await setUp({ campaignDocs: [analytics] });
    await setPrice(user, '2000');
    expect(asText(cell('p1', 'price').textContent)).toContain('2 000 ₽');
    expect(asText(cell('p1', 'cpl').textContent)).toContain('100,00 ₽');
    expect(within(cell('p1', 'cpl')).getByTitle('Пересчитаем, когда сервер примет изменение')).toBeDefined();
    expect(cell('p1', 'cpl').dataset['mark']).toBe('pending');
    expect(totals()).toContain('6 000,50 ₽');
    expect(within(screen.getByText('Итого').closest('tr') as HTMLElement).getAllByTitle(/^Пересчитаем/u)).toHaveLength(
      5,
    );
    expect(
      outbox.entries().map(({ state }) => state.kind),
      'the server has the last word',
    ).toEqual(['pending']);
  });

  /** Of long ago, so that what is added today comes after them. */
  const longAgo = (count: number): readonly PlacementWire[] =>
    Array.from({ length: count }, (_, index) =>
      placement(`p${String(index).padStart(3, '0')}`, { date: '2001-01-01', buyerId: 'ilya' }),
    );
  /** Adds one of Anna's in the dialog; answers its row as the table says who has the focus. */
  const added = async (user: Awaited<ReturnType<typeof setUp>>['user'], open = 'Новая строка'): Promise<string> => {
    const before = new Set(rowIds());
    await user.click(screen.getByRole('button', { name: open }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Добавить размещение' }));
    await user.type(dialog.getByLabelText('Ник контрагента'), 'new_nick');
    await user.selectOptions(dialog.getByLabelText('Байер'), 'anna');
    await user.type(dialog.getByLabelText('Тематика'), 'Кулинария{Enter}');
    await user.click(dialog.getByRole('button', { name: 'Добавить размещение' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const row = document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row'] ?? 'no row';
    expect(before.has(row)).toBe(false);
    return row;
  };
  const inPlace = 'Показать на своём месте';

  it('TBL-45 a new placement that stands on another page is on this one, focused and marked, and leads to its own', async () => {
    const { user } = await setUp({ placements: longAgo(60) });
    const row = await added(user);
    expect(rowIds()[0]).toBe(row);
    expect(document.querySelector('[data-revealed]')?.getAttribute('data-row')).toBe(row);
    expect(screen.getByText('1–50 из 61')).toBeDefined();
    expect(document.querySelector('[data-row="p000"] .z-grid-number')?.textContent).toBe('1');
    expect(screen.getByText('Показано сверху: стоит на другой странице')).toBeDefined();
    await user.click(screen.getByRole('button', { name: inPlace }));
    expect(screen.getByText('51–61 из 61')).toBeDefined();
    expect(rowIds().at(-1)).toBe(row);
    expect(document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row']).toBe(row);
    expect(screen.queryByRole('button', { name: inPlace })).toBeNull();
  });

  it('TBL-46 a new placement that the filters leave out is on screen and focused; its own place is without them', async () => {
    const { user } = await setUp({ placements: longAgo(3), kept: { filters: { buyerId: 'ilya' } } });
    const row = await added(user);
    expect(rowIds()).toEqual([row, 'p000', 'p001', 'p002']);
    expect(screen.getByText('Показано сверху: не подходит под фильтр')).toBeDefined();
    await user.click(screen.getByRole('button', { name: inPlace }));
    expect(rowIds()).toEqual(['p000', 'p001', 'p002', row]);
    expect(screen.queryByText(/^Байер: /u)).toBeNull();
    expect(document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row']).toBe(row);
  });

  it('TBL-3381 a placement that was taken down leads to its place too, among those of any status', async () => {
    const down = placement('down', { date: '2030-01-01', status: 'REMOVED_EARLY' });
    const { user } = await setUp({ placements: [...longAgo(60), down] });
    act(() => void requestReveal({ campaignId: 'c', placementId: 'down' }));
    expect(rowIds()[0]).toBe('down');
    await user.click(screen.getByRole('button', { name: inPlace }));
    expect(screen.getByText('51–61 из 61')).toBeDefined();
    expect(rowIds().at(-1)).toBe('down');
  });

  it('TBL-47 in its place at once where that is on screen; another order ends what stood out of it, and the toast calls the row back', async () => {
    const { user } = await setUp({
      placements: longAgo(60),
      kept: { sortBy: 'date', sortOrder: 'desc' },
      send: () => Promise.resolve({ kind: 'accepted', position: 5, revision: 1 }),
    });
    const row = await added(user);
    const toast = (await screen.findByText('Размещение добавлено')).closest<HTMLElement>('.z-toast') ?? document.body;
    // As under a pointer it stays: how long the rest takes depends on the machine.
    fireEvent.mouseEnter(toast);
    expect(rowIds()[0]).toBe(row);
    expect(document.querySelector(`[data-row="${row}"] .z-grid-number`)?.textContent).toBe('1');
    expect(screen.queryByRole('button', { name: inPlace })).toBeNull();
    await user.click(screen.getByRole('button', { name: /^Дата/u }));
    expect(rowIds()).not.toContain(row);
    await user.click(within(toast).getByRole('button', { name: 'Показать' }));
    expect(rowIds()[0]).toBe(row);
    expect(document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row']).toBe(row);
    expect(screen.getByRole('button', { name: inPlace })).toBeDefined();
  });

  it('TBL-48 on a narrow screen the card of a new placement is on screen and focused too', async () => {
    vi.spyOn(window, 'matchMedia').mockImplementation(
      (query) => Object.assign(new EventTarget(), { matches: query.includes('768'), media: query }) as MediaQueryList,
    );
    onTestFinished(() => void vi.restoreAllMocks());
    const { user } = await setUp({ placements: longAgo(3), kept: { filters: { buyerId: 'ilya' } } });
    const row = await added(user, 'Добавить');
    expect(rowIds()[0]).toBe(row);
    expect(document.activeElement?.tagName).toBe('ARTICLE');
    await user.click(screen.getByRole('button', { name: inPlace }));
    expect(rowIds()).toEqual([row, 'p002', 'p001', 'p000']);
    expect(screen.queryByRole('button', { name: inPlace })).toBeNull();
  });
});
