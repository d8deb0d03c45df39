import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useEffect } from 'react';
import { expect, it, onTestFinished } from 'vitest';
import type { Entry } from '../outbox/entry.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { useOutbox } from '../outbox/outbox-context.tsx';
import { forgetSession } from '../session/session-store.ts';
import { licence, person, stage } from '../testing/stage.tsx';
import { placementDocument } from '../testing/placement-document.ts';
import { ownActionsKey } from '../session/local-data.ts';
import { ToastHost } from '../toasts/toast-host.tsx';
import { UndoHost } from './undo-host.tsx';
import { tellImportBegun } from '../import/begun-imports.ts';
import { importDocument, undoOfImport } from '../testing/import-document.ts';
import { openOwnActions } from './undo-requests.ts';

let given: Outbox | null = null;
const Given = () => {
  const outbox = useOutbox();
  useEffect(() => {
    given = outbox;
  }, [outbox]);
  return null;
};

const conflict = {
  field: 'price',
  base: 5400,
  mine: 5000,
  theirs: 5200,
  by: { userId: 'ilya', name: 'Илья Кравцов' },
  at: '2026-11-21T11:00:00.000Z',
};

const setUp = async ({
  isTaken = false,
  refused = null as object | null,
  under = <input aria-label="Поле" />,
} = {}) => {
  const set = stage({
    element: (
      <>
        <Given />
        <UndoHost />
        <ToastHost />
        {under}
      </>
    ),
    me: person('me', { role: 'CBDO' }),
    docs: {
      workspace: [['contractor', { id: 'k1', adminUsername: '@kitchen' }] as never],
      'campaign:c': [['placement', placementDocument({ id: 'p1', revision: 1, contractorId: 'k1', price: 5000 })]],
    },
    serve: ({ path }) =>
      refused !== null && path === '/api/undo'
        ? { problem: { code: 'CONFLICT', message: 'Данные изменились', ...refused } }
        : isTaken && path === '/api/undo'
          ? { problem: { code: 'CONFLICT', message: 'Данные изменились', conflicts: [conflict], revision: 3 } }
          : {
              data: {
                placement: { revision: 2 },
                undone: 'x',
                changed: [{ kind: 'placement', id: 'p1', revision: 3 }],
              },
              position: 90,
            },
    withOutbox: true,
  });
  await waitFor(() => expect(given).not.toBeNull());
  const issue = (): void =>
    void given?.issue({
      target: { kind: 'placement', id: 'p1' },
      method: 'PATCH',
      path: '/api/placements/p1',
      body: { price: 5400 },
      baseRevision: 1,
      label: 'Цена: 5 400 ₽',
      scope: 'campaign:c',
    });
  const sent = (): readonly string[] => set.calls.map(({ path }) => path);
  const isSettled = (): boolean => given?.entries().every(({ state }: Entry) => state.kind !== 'pending') === true;
  /** One change, carried out. */
  const changed = async (): Promise<void> => {
    openOwnActions();
    await screen.findByText('Здесь будут ваши изменения размещений');
    fireEvent.click(screen.getByRole('button', { name: 'Закрыть' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Мои последние действия' })).toBeNull());
    issue();
    await waitFor(() => expect(sent()).toContain('/api/placements/p1'));
    await waitFor(() => expect(isSettled()).toBe(true));
  };
  return { ...set, sent, changed };
};

const pressed = (target: Element) => fireEvent.keyDown(target, { key: 'я', code: 'KeyZ', ctrlKey: true });

it('UND-2252 the list says what was done and its state, undoes and repeats, keeps the focus, and is empty at first', async () => {
  const { user, sent, changed } = await setUp();
  await changed();
  openOwnActions();
  const list = within(await screen.findByRole('dialog', { name: 'Мои последние действия' }));
  const item = list.getByRole('listitem');
  expect(item.textContent.replaceAll('\u00a0', ' ')).toContain('@kitchen, цена 5 000 ₽ → 5 400 ₽');
  expect(item.textContent).toContain('сделано');
  await user.click(list.getByRole('button', { name: /^Отменить: @kitchen/u }));
  const repeat = await list.findByRole('button', { name: /^Повторить: @kitchen/u });
  expect(document.activeElement).toBe(repeat);
  expect(item.textContent).toContain('отменено');
  await user.click(repeat);
  await list.findByRole('button', { name: /^Отменить: @kitchen/u });
  expect(sent().filter((path) => path === '/api/undo')).toHaveLength(2);
});

it('UND-2253 the keys belong to the text in a field, and do nothing under a dialog and in the past', async () => {
  const { sent, changed, user } = await setUp();
  await changed();
  const undos = (): number => sent().filter((path) => path === '/api/undo').length;
  pressed(screen.getByLabelText('Поле'));
  document.documentElement.dataset['past'] = '';
  onTestFinished(() => void delete document.documentElement.dataset['past']);
  pressed(document.body);
  delete document.documentElement.dataset['past'];
  openOwnActions();
  pressed(await screen.findByRole('dialog', { name: 'Мои последние действия' }));
  await user.click(screen.getByRole('button', { name: 'Закрыть' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  pressed(document.body);
  await waitFor(() => expect(undos()).toBe(1));
  expect(await screen.findByText(/^Отменено: @kitchen/u)).toBeDefined();
});

it('UND-2254 what was done is kept under licence and person, and goes with the session', async () => {
  const { changed } = await setUp();
  await changed();
  const key = ownActionsKey(licence.id, 'me');
  await waitFor(() => expect(localStorage.getItem(key)).toContain('Цена: 5 400'));
  localStorage.setItem('theme', 'dark');
  forgetSession(localStorage, { clear: () => undefined } as never);
  expect(localStorage.getItem(key)).toBeNull();
  expect(localStorage.getItem('theme')).toBe('dark');
});

it('UND-2255 a conflict shows three values with who set the last, and «Вернуть прежнее» sends the old one', async () => {
  const { calls, user, changed } = await setUp({ isTaken: true });
  await changed();
  pressed(document.body);
  const dialog = await screen.findByRole('dialog', { name: 'Отменить: значение уже другое' });
  const said = dialog.textContent.replaceAll('\u00a0', ' ');
  expect(said).toContain('Было5 000 ₽');
  expect(said).toContain('Вы поставили5 400 ₽');
  expect(said).toContain('Сейчас5 200 ₽ Илья Кравцов');
  await user.click(within(dialog).getByRole('button', { name: 'Вернуть прежнее' }));
  await waitFor(() => expect(calls.at(-1)).toMatchObject({ method: 'PATCH', body: { price: 5000 } }));
});

/** An import that ended is undone, and the server refuses that: the choice that is offered. */
const importRefused = async (refused: NonNullable<Parameters<typeof setUp>[0]>['refused']) => {
  const { bring, calls, user, changed } = await setUp({ refused });
  await changed();
  tellImportBegun(importDocument({ status: 'running', position: null }));
  bring('me', [['import', importDocument()]]);
  await waitFor(() => expect(localStorage.getItem(ownActionsKey(licence.id, 'me'))).toContain('"running":false'));
  pressed(document.body);
  const question = within(await screen.findByRole('alertdialog', { name: 'Отменить импорт?' }));
  await user.click(question.getByRole('button', { name: 'Отменить импорт' }));
  const dialog = await screen.findByRole('dialog', { name: 'Отменить: часть изменили позже' });
  const said = dialog.textContent.replaceAll('\u00a0', ' ');
  return { calls, user, dialog, said };
};

it('UND-3473 of an import that others changed since it tells how much can go back, three values of the first, and counts the rest', async () => {
  const many = Array.from({ length: 12 }, (_, index) => ({
    ...conflict,
    entity: `placement:${index === 0 ? 'p1' : `x${index}`}`,
    base: 123_456_789.5,
    mine: null,
    theirs: 987_654_321,
  }));
  const { calls, user, dialog, said } = await importRefused({
    conflicts: many,
    undo: { placements: 1200, changed: 12 },
  });
  expect(said).toContain('Вернуть без потерь можно 1 188 из 1 200; изменили позже: 12 размещений.');
  expect(said).toContain('@kitchen, ценаСтало123 456 789,50 ₽Сейчас987 654 321 ₽ Илья Кравцов');
  expect(said).toContain('И ещё 7 изменений.');
  expect(within(dialog).getAllByRole('listitem')).toHaveLength(5);
  await user.click(within(dialog).getByRole('button', { name: 'Вернуть остальные' }));
  await waitFor(() => expect(calls.at(-1)?.body).toEqual({ commandId: 'i1', onConflict: 'skip' }));
});

it('UND-3533 what others took from the person is said, stays, and cannot be overwritten; all conflicts are counted', async () => {
  const refused = {
    conflicts: [{ ...conflict, entity: 'placement:p1', field: 'buyerId', base: 'me', mine: null, theirs: 'ilya' }],
    undo: { placements: 1200, changed: 1100, denied: 2, conflicts: 3000 },
  };
  const { calls, user, dialog, said } = await importRefused(refused);
  expect(said).toContain('2 размещения теперь у другого байера: вы их менять не можете.');
  expect(said).toContain('И ещё 2 995 изменений.');
  expect(within(dialog).queryByRole('button', { name: 'Вернуть всё равно' })).toBeNull();
  expect(within(dialog).queryByRole('checkbox')).toBeNull();
  await user.click(within(dialog).getByRole('button', { name: 'Вернуть остальные' }));
  await waitFor(() => expect(calls.at(-1)?.body).toEqual({ commandId: 'i1', onConflict: 'skip' }));
});

it('UND-2687 Ctrl+Z asks before an import goes back, and the list tells how far that has come', async () => {
  const { bring, user, sent, changed } = await setUp();
  await changed();
  tellImportBegun(importDocument({ status: 'running', position: null }));
  bring('me', [['import', importDocument()]]);
  await waitFor(() => expect(localStorage.getItem(ownActionsKey(licence.id, 'me'))).toContain('"running":false'));
  pressed(document.body);
  const question = within(await screen.findByRole('alertdialog', { name: 'Отменить импорт?' }));
  expect(sent()).not.toContain('/api/undo');
  await user.click(question.getByRole('button', { name: 'Отменить импорт' }));
  await waitFor(() => expect(sent()).toContain('/api/undo'));
  bring('me', [['import', importDocument({ position: null, undo: undoOfImport() })]]);
  openOwnActions();
  const list = within(await screen.findByRole('dialog', { name: 'Мои последние действия' }));
  const [item] = list.getAllByRole('listitem');
  expect(item?.textContent.replaceAll('\u00a0', ' ')).toContain('Импорт: 1 200 строк, файл закуп.csv');
  expect(list.getByRole('meter').getAttribute('aria-valuetext')?.replaceAll('\u00a0', ' ')).toBe(
    'Отменяется: 250 из 1 200',
  );
  expect(list.getByRole('button', { name: /^Выполняется: Импорт/u })).toBeDefined();
});
