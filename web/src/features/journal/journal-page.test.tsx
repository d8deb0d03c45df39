import { cleanup, screen, waitFor, within } from '@testing-library/react';
import type { HistoryEntry } from '@zakup/contracts/history';
import { messages } from '@zakup/domain/messages';
import { nbsp } from '@zakup/domain/russian';
import { useLocation } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, type Call, stage } from '../../shared/testing/stage.tsx';
import { goneOf } from './use-gone.ts';
import { journalEvents, journalTable, withoutChannel } from './journal-events.ts';
import { JournalPage } from './journal-page.tsx';
import type { Moves } from './move-labels.ts';

const entry = (position: number, over: Partial<HistoryEntry> = {}): HistoryEntry => ({
  position,
  revision: 3,
  at: '2026-11-21T11:41:52.000Z',
  actor: { userId: 'anna', name: 'Анна Соколова' },
  commandId: `00000000-0000-4000-8000-${String(position).padStart(12, '0')}`,
  source: 'screen',
  reason: null,
  causedBy: null,
  event: 'PlacementPriceChanged',
  entity: { kind: 'placement', id: 'p1', name: '@kitchen_ads' },
  campaign: { id: 'c1', name: 'Ноябрь | Подписчики' },
  changes: [{ field: 'price', from: 5100, to: 5200 }],
  ...over,
});
const priced = entry(20);
const deleted = entry(10, {
  at: '2026-11-20T16:02:55.000Z',
  event: 'PlacementRemoved',
  entity: { kind: 'placement', id: 'p2', name: '@dacha_reklama' },
  changes: [{ field: 'deleted', from: false, to: true }],
});
const noted = entry(15, {
  actor: { userId: 'me', name: 'Ольга Демидова' },
  event: 'ContractorNoteAdded',
  entity: { kind: 'contractor', id: 'k1', name: '@zozh_pr' },
  campaign: null,
  changes: [{ field: 'notes/n1', from: null, to: 'Просит предоплату' }],
});
const switchedOff = entry(12, {
  event: 'EmployeeDeactivated',
  entity: { kind: 'user', id: 'u9', name: 'Олег Шубин' },
  campaign: null,
  changes: [{ field: 'isActive', from: true, to: false }],
});

const Address = () => {
  const { pathname, search } = useLocation();
  return <output data-testid="address">{decodeURIComponent(pathname + search)}</output>;
};
const query = ({ path }: Call): URLSearchParams => new URLSearchParams(path.split('?')[1] ?? '');
const isOfMoves = ({ path }: Call): boolean => /^\/api\/audit\/\d+\/moves$/u.test(path);
const nothingMoved = {
  outcome: 'told',
  campaigns: [],
  campaignsLeftOut: 0,
  othersBetween: false,
  licenceWide: false,
} satisfies Moves;
/** A look for what came since, rather than a page. */
const isFresh = (call: Call): boolean => query(call).has('from') && !query(call).has('cursor');

const pages =
  (entries: readonly HistoryEntry[], change: (call: Call) => Answer = () => ({ data: {} })) =>
  (call: Call): Answer => {
    if (call.method !== 'GET') return change(call);
    if (!call.path.startsWith('/api/audit')) return 'no answer';
    if (isOfMoves(call)) return { data: nothingMoved };
    return { data: { entries: isFresh(call) ? [] : entries, nextCursor: null } };
  };
const open = (serve: (call: Call) => Answer, address = '/journal') =>
  stage({
    address,
    element: (
      <>
        <JournalPage />
        <Address />
      </>
    ),
    docs: { workspace: [['user', { id: 'anna', name: 'Анна Соколова' } as never]] },
    serve,
  });
const rows = async (): Promise<readonly string[]> =>
  (await screen.findAllByRole('row'))
    .slice(1)
    .map((row) => [...row.children].map((cell) => cell.textContent?.replaceAll(/\s/gu, ' ')).join('|'));

describe('journal', () => {
  const sizes = { clientHeight: 600, clientWidth: 900, offsetHeight: 600, offsetWidth: 900 };
  const originals = new Map<string, PropertyDescriptor | undefined>();
  // There is no layout here; the window over the rows needs one.
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

  it('JRN-1 tells by days who changed what, where, from what to what and through which door', async () => {
    open(pages([priced, noted, deleted]));
    await screen.findByText('Это начало журнала.');
    expect(await rows()).toEqual([
      '21 НОЯБРЯ | СУББОТА2 события',
      '14:41:52|АСАнна|@kitchen_ads Ноябрь - Подписчики|Цена 5 100 ₽ →, стало 5 200 ₽|экран|20',
      '14:41:52|ОДОльга|Контрагент @zozh_pr|Заметка «Просит предоплату»|экран|15',
      '20 НОЯБРЯ | ПЯТНИЦА1 событие',
      '19:02:55|АСАнна|@dacha_reklama Ноябрь - Подписчики|Удалено|экран|10',
    ]);
  });

  it('JRN-1313 where room is short a campaign is named without its channel; what was created has no column of what was before', async () => {
    expect(withoutChannel('Кухня - Подписчики - май', ['Дача', 'Кухня'])).toBe('Подписчики - май');
    expect(withoutChannel('Кухня', ['Кухня'])).toBe('Кухня');
    expect(withoutChannel('Ноябрь - Подписчики', ['Кухня'])).toBe('Ноябрь - Подписчики');
    const changes = [
      { field: 'price', from: null, to: 1500 },
      { field: 'format', from: null, to: '1/72' },
    ];
    const { user } = open(pages([entry(30, { event: 'PlacementAdded', revision: 0, changes })]));
    await user.click(await screen.findByText('@kitchen_ads'));
    const panel = within(await screen.findByRole('dialog', { name: 'Событие' }));
    expect(panel.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['Поле', 'Стало']);
    expect(panel.getByRole('cell', { name: '1/72' })).toBeDefined();
    expect(panel.queryByRole('cell', { name: '—' })).toBeNull();
  });

  it('JRN-2 one command is one row: several fields beside each other, many things as counts', async () => {
    const commandId = priced.commandId;
    const counted = entry(19, { commandId, revision: 2, changes: [{ field: 'leads', from: 0, to: 48 }] });
    const pasted = [3, 2, 1].map((at) =>
      entry(at, {
        commandId: 'paste',
        source: 'paste',
        revision: at === 1 ? 4 : 0,
        entity: { kind: 'placement', id: `n${at}`, name: `@n${at}` },
        changes: [{ field: 'price', from: at === 1 ? 1 : null, to: 2 }],
      }),
    );
    open(pages([priced, counted, ...pasted]));
    await screen.findByText('Это начало журнала.');
    expect((await rows()).slice(1)).toEqual([
      '14:41:52|АСАнна|@kitchen_ads Ноябрь - Подписчики|Приход 0 →, стало 48 · Цена 5 100 ₽ →, стало 5 200 ₽|экран|20',
      '14:41:52|АСАнна|Ноябрь - Подписчики|Размещения: создано 2, изменено 1|вставка|3',
    ]);
    expect(journalEvents([priced, counted]).map(({ entries }) => entries.length)).toEqual([2]);
  });

  it('JRN-3 filters stand in the address, go to the server, and are taken away at once', async () => {
    const { user, calls } = open(pages([priced]), '/journal?person=anna');
    await screen.findByText(/Это начало журнала с такими/u);
    expect(query(calls[0] as Call).get('person')).toBe('anna');
    await user.selectOptions(screen.getByLabelText('Откуда'), 'paste');
    await user.type(screen.getByRole('searchbox'), 'кухня');
    await waitFor(() => expect(screen.getByTestId('address').textContent).toContain('search=кухня'));
    expect(screen.getByTestId('address').textContent).toBe('/journal?person=anna&source=paste&search=кухня');
    await waitFor(() =>
      expect(calls.some((call) => query(call).get('search') === 'кухня' && query(call).get('source') === 'paste')).toBe(
        true,
      ),
    );
    // Not one call for each letter.
    expect(calls.filter((call) => query(call).get('search') === 'ку')).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Сбросить фильтры' }));
    expect(screen.getByTestId('address').textContent).toBe('/journal');
  });

  it('JRN-4 goes on by itself where a look found nothing and more may follow', async () => {
    open((call) => {
      const cursor = query(call).get('cursor');
      if (isFresh(call)) return { data: { entries: [], nextCursor: null } };
      if (cursor === null) return { data: { entries: [], nextCursor: '1' } };
      if (cursor === '1') return { data: { entries: [], nextCursor: '2' } };
      return { data: { entries: [priced], nextCursor: null } };
    }, '/journal?search=x');
    expect(await screen.findByText('@kitchen_ads')).toBeDefined();
  });

  it('JRN-5 nothing there and nothing found are two things', async () => {
    open(pages([]));
    expect(await screen.findByText('Журнал пуст')).toBeDefined();
    cleanup();
    const { user } = open(pages([]), '/journal?search=x');
    expect(await screen.findByText('Ничего не найдено')).toBeDefined();
    await user.click(
      within(screen.getByRole('tabpanel')).getAllByRole('button', { name: 'Сбросить фильтры' })[1] as never,
    );
    expect(await screen.findByText('Журнал пуст')).toBeDefined();
  });

  it('JRN-6 says why it did not load, and tries again; a later page that fails leaves what is there', async () => {
    let fails = true;
    const { user } = open((call) => {
      if (isFresh(call)) return { data: { entries: [], nextCursor: null } };
      if (query(call).has('cursor')) return fails ? 'no answer' : { data: { entries: [deleted], nextCursor: null } };
      return { data: { entries: [priced], nextCursor: '1' } };
    });
    expect((await screen.findByRole('alert')).textContent).toContain('Ошибка соединения с сервером');
    expect(screen.getByText('@kitchen_ads')).toBeDefined();
    fails = false;
    await user.click(screen.getByRole('button', { name: 'Повторить' }));
    expect(await screen.findByText('@dacha_reklama')).toBeDefined();
    cleanup();
    open(() => 'no answer');
    expect(await screen.findByText('Не загрузилось')).toBeDefined();
  });

  it('JRN-7 what came since waits behind a chip and moves no row before it is asked for', async () => {
    const { user } = open((call) =>
      isFresh(call)
        ? {
            data: {
              entries: [entry(30, { entity: { kind: 'placement', id: 'p3', name: '@new_one' } }), priced],
              nextCursor: null,
            },
          }
        : { data: { entries: [priced], nextCursor: null } },
    );
    const chip = await screen.findByRole('button', { name: 'Новых событий: 1' });
    expect(screen.queryByText('@new_one')).toBeNull();
    await user.click(chip);
    expect((await rows())[1]).toContain('@new_one');
    expect(screen.queryByRole('button', { name: /Новых событий/u })).toBeNull();
  });

  it('JRN-8 a row opens all that is known of it: old and new, the field’s past, the way to that moment', async () => {
    const older = entry(5, { at: '2026-11-19T09:20:00.000Z', changes: [{ field: 'price', from: null, to: 5100 }] });
    const { user, calls } = open((call) =>
      query(call).get('entity') === 'placement:p1'
        ? { data: { entries: [priced, older], nextCursor: null } }
        : pages([priced])(call),
    );
    await user.click(await screen.findByText('@kitchen_ads'));
    const panel = within(await screen.findByRole('dialog', { name: 'Событие' }));
    expect(panel.getByRole('row', { name: /^Цена 5.100.₽ 5.200.₽$/u })).toBeDefined();
    expect(await panel.findByText('История поля «Цена»')).toBeDefined();
    expect(await panel.findByText('Цифры не сдвинулись')).toBeDefined();
    expect(panel.getByRole('link', { name: 'Как было' }).getAttribute('href')).toBe('/dashboard?campaign=c1&at=20');
    expect(calls.some((call) => query(call).get('field') === 'price')).toBe(true);
    await user.click(panel.getByRole('button', { name: 'Вся история' }));
    expect(screen.getByTestId('address').textContent).toBe('/journal?entity=placement:p1');
  });

  it('JRN-9 gives back the old value on the revision of its change', async () => {
    const { user, calls } = open(pages([priced]));
    await user.click(await screen.findByText('@kitchen_ads'));
    await user.click(await screen.findByRole('button', { name: /^Вернуть 5.100.₽$/u }));
    const dialog = within(await screen.findByRole('dialog', { name: /^Вернуть 5.100.₽$/u }));
    await user.click(dialog.getByRole('button', { name: /^Вернуть 5.100.₽$/u }));
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'PATCH')).toMatchObject({
        path: '/api/placements/p1',
        body: { price: 5100, baseRevision: 3 },
      }),
    );
  });

  it('JRN-10 undoes a colleague’s command only with a reason, and shows what stands against it', async () => {
    const by = { userId: 'ilya', name: 'Илья Ким' };
    const conflict = {
      entity: 'contractor:k1',
      field: 'notes/n1',
      base: null,
      theirs: 'Другое',
      mine: null,
      by,
      at: priced.at,
    };
    const foreign = { ...noted, actor: { userId: 'anna', name: 'Анна Соколова' } };
    const { user, calls } = open(
      pages([foreign], () => ({ problem: { code: 'CONFLICT', message: messages.conflict, conflicts: [conflict] } })),
    );
    await user.click(await screen.findByText('Контрагент @zozh_pr'));
    await user.click(await screen.findByRole('button', { name: 'Отменить изменение' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Отменить изменение' }));
    await user.click(dialog.getByRole('button', { name: 'Отменить изменение' }));
    expect(dialog.getByText(messages.undoReasonRequired)).toBeDefined();
    await user.type(dialog.getByLabelText('Причина'), 'Не тот контрагент');
    await user.click(dialog.getByRole('button', { name: 'Отменить изменение' }));
    expect((await dialog.findByRole('alert')).textContent).toContain('Илья Ким, 21 ноября, 14:41: «Другое»');
    expect(calls.find(({ path }) => path === '/api/undo')?.body).toEqual({
      commandId: foreign.commandId,
      actorId: 'anna',
      reason: 'Не тот контрагент',
    });
  });

  it('JRN-3470 of a command on placements of which others changed some since it is chosen what becomes of those, with the reason', async () => {
    const by = { userId: 'ilya', name: 'Илья Ким' };
    const conflict = { entity: 'placement:p1', field: 'price', base: 5, theirs: 7, mine: 3, by, at: priced.at };
    const refused = { code: 'CONFLICT', message: messages.conflict, conflicts: [conflict] } as const;
    const foreign = { ...noted, actor: { userId: 'anna', name: 'Анна Соколова' } };
    const { user, calls } = open(
      pages([foreign], ({ body }) =>
        Object.hasOwn(body as object, 'onConflict')
          ? { data: { undone: 'x', changed: [] }, position: 90 }
          : { problem: { ...refused, undo: { placements: 3, changed: 1 } } },
      ),
    );
    await user.click(await screen.findByText('Контрагент @zozh_pr'));
    await user.click(await screen.findByRole('button', { name: 'Отменить изменение' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Отменить изменение' }));
    await user.type(dialog.getByLabelText('Причина'), 'Не та неделя');
    await user.click(dialog.getByRole('button', { name: 'Отменить изменение' }));
    const choice = within(await screen.findByRole('dialog', { name: 'Отменить: часть изменили позже' }));
    await user.click(choice.getByRole('button', { name: 'Вернуть остальные' }));
    await waitFor(() =>
      expect(calls.findLast(({ path }) => path === '/api/undo')?.body).toEqual({
        commandId: foreign.commandId,
        actorId: 'anna',
        reason: 'Не та неделя',
        onConflict: 'skip',
      }),
    );
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Отменить: часть изменили позже' })).toBeNull());
  });

  it('JRN-11 arrows move between rows, Enter opens', async () => {
    const { user } = open(pages([priced, noted, deleted]));
    await screen.findByText('Это начало журнала.');
    document.querySelector<HTMLElement>('[data-event="20"]')?.focus();
    await user.keyboard('{ArrowDown}{ArrowDown}');
    await waitFor(() => expect(document.activeElement?.getAttribute('data-event')).toBe('10'));
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('dialog', { name: 'Событие' })).toBeDefined();
  });

  it('JRN-12 lists what is gone by its last word, and brings it back', async () => {
    const back = entry(11, { ...switchedOff, position: 11, changes: [{ field: 'isActive', from: false, to: true }] });
    const backAgain = { ...back, entity: { ...back.entity, id: 'u8' } };
    expect(goneOf([switchedOff, back, backAgain]).map(({ position }) => position)).toEqual([12]);
    const { user, calls } = open((call) => {
      if (call.method !== 'GET') return { data: {} };
      if (isFresh(call)) return { data: { entries: [], nextCursor: null } };
      const entries = query(call).get('field') === 'deleted' ? [deleted] : [switchedOff];
      return { data: { entries, nextCursor: null } };
    }, '/journal?tab=deleted');
    const table = within(await screen.findByRole('table', { name: 'Удалённое' }));
    await table.findByText('@dacha_reklama');
    await user.click(await table.findByRole('button', { name: 'Вернуть: размещение @dacha_reklama' }));
    await waitFor(() => expect(calls.find(({ method }) => method === 'POST')?.path).toBe('/api/placements/p2/restore'));
    await user.click(table.getByRole('button', { name: 'Вернуть: сотрудник Олег Шубин' }));
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'PUT')).toMatchObject({
        path: '/api/users/u9',
        body: { isActive: true },
      }),
    );
  });

  it('JRN-13 a restoration that is refused says why in its row', async () => {
    const { user } = open(
      pages([deleted], () => ({ problem: { code: 'CAMPAIGN_COMPLETED', message: messages.campaignCompleted } })),
      '/journal?tab=deleted',
    );
    await user.click(await screen.findByRole('button', { name: 'Вернуть: размещение @dacha_reklama' }));
    expect((await screen.findByRole('alert')).textContent).toBe(messages.campaignCompleted);
    cleanup();
    open(pages([]), '/journal?tab=deleted');
    expect(await screen.findByText('Ничего не удалено')).toBeDefined();
  });

  const line = {
    placementId: 'p1',
    campaignId: 'c1',
    campaignName: 'Ноябрь',
    date: '2026-11-20',
    price: 5000,
    leads: 60,
    costPerLead: 83.33,
  };
  const salary = {
    userId: 'anna',
    name: 'Анна Соколова',
    role: 'MEDIA_BUYER',
    isActive: true,
    salaryType: 'performance',
    threshold: 100,
    salaryReportBonus: 500,
    formula: '5 000 ₽ × 10 ÷ 100',
    countedTotal: { count: 1, price: 5000 },
    leftOutTotal: { count: 1, price: 900 },
    counted: [line],
    leftOut: [{ ...line, placementId: 'p2', price: 900, reason: 'CPL не ниже порога' }],
  };

  it('JRN-14 the salary report shows the bonus, and on opening what counted and why the rest did not', async () => {
    const { user, calls } = open(
      (call) => (call.path.startsWith('/api/reports/salary') ? { data: { rows: [salary] } } : pages([])(call)),
      '/journal?tab=salary&from=2026-11-01',
    );
    const table = within(await screen.findByRole('table', { name: 'Отчёт по зарплате' }));
    expect(table.getByText(/^500,00/u)).toBeDefined();
    await user.click(table.getByRole('button', { name: /Анна Соколова/u }));
    expect(await table.findByText('CPL не ниже порога')).toBeDefined();
    expect(table.getByText(/^Засчитано: 1/u)).toBeDefined();
    expect(calls.map((call) => [query(call).get('from'), query(call).get('userId')])).toEqual([
      ['2026-11-01', null],
      ['2026-11-01', 'anna'],
    ]);
  });

  it('SCR-1646 no placements and no sum are quieter than sums, in the rows and in the total', async () => {
    const none = { ...salary, leftOutTotal: { count: 0, price: 0 }, leftOut: [] };
    open(
      (call) =>
        call.path.startsWith('/api/reports/salary')
          ? { data: { rows: [none, { ...none, userId: 'ilya' }] } }
          : pages([])(call),
      '/journal?tab=salary',
    );
    const table = await screen.findByRole('table', { name: 'Отчёт по зарплате' });
    const cells = [...table.querySelectorAll('td:is([data-label="Засчитано"], [data-label="Не засчитано"]) > span')];
    const quiet = cells.map((cell) => [cell.textContent?.slice(0, 1), cell.classList.contains('z-quiet')]);
    expect(quiet).toEqual([
      ['1', false],
      ['0', true],
      ['1', false],
      ['0', true],
      ['2', false],
      ['0', true],
    ]);
  });

  it('JRN-1160 the salary report ends with all rows together, to the kopeck; each figure tells what is in it', async () => {
    const other = {
      ...salary,
      userId: 'ilya',
      name: 'Илья Кравцов',
      salaryReportBonus: 0.1,
      leftOutTotal: { count: 2, price: 0.2 },
    };
    const { user } = open(
      (call) => (call.path.startsWith('/api/reports/salary') ? { data: { rows: [salary, other] } } : pages([])(call)),
      '/journal?tab=salary',
    );
    const table = within(await screen.findByRole('table', { name: 'Отчёт по зарплате' }));
    const total = table.getByRole('row', { name: /^Итого/u });
    expect(total.textContent?.replaceAll(nbsp, ' ')).toContain('500,10 ₽');
    await user.click(within(total).getByTitle(/^Бонус, итого/u));
    const parts = await screen.findByRole('table', { name: 'Бонус по сотрудникам' });
    expect(
      within(parts)
        .getAllByRole('row')
        .map((row) => row.textContent?.replaceAll(nbsp, ' ')),
    ).toEqual([`${salary.name}500,00 ₽`, 'Илья Кравцов0,10 ₽']);
  });

  it('JRN-15 the salary report says when there is nobody, and why it did not load', async () => {
    open(() => ({ data: { rows: [] } }), '/journal?tab=salary');
    expect(await screen.findByText('Сотрудников ещё нет')).toBeDefined();
    cleanup();
    open(() => 'no answer', '/journal?tab=salary');
    expect(await screen.findByText('Не загрузилось')).toBeDefined();
  });

  it('JRN-16 the loaded entries are a table, one line for each change', () => {
    const [first] = journalTable([priced]);
    expect(first?.map((cell) => (typeof cell === 'string' ? cell.replaceAll(/\s/gu, ' ') : cell))).toEqual([
      '21 ноября, 14:41',
      'Анна Соколова',
      'Размещение',
      '@kitchen_ads',
      'Ноябрь | Подписчики',
      'Цена',
      '5 100 ₽',
      '5 200 ₽',
      'экран',
      '',
      20,
    ]);
  });

  it('JRN-17 offers the signed history and the events of a campaign, and says when a file does not come', async () => {
    const { user, calls } = open(pages([priced]));
    await screen.findByText('@kitchen_ads');
    await user.click(screen.getByRole('button', { name: 'Выгрузить' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Подписанная история, NDJSON' }));
    await waitFor(() => expect(calls.some(({ path }) => path === '/api/license/history-bundle')).toBe(true));
  });
});
