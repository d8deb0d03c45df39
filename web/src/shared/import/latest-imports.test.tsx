import { act, screen, waitFor, within } from '@testing-library/react';
import type { ImportReport, ImportWire } from '@zakup/contracts/imports';
import { expect, it } from 'vitest';
import { person, stage } from '../testing/stage.tsx';
import { LatestImports } from './latest-imports.tsx';

const report: ImportReport = {
  rows: 1,
  columns: [],
  encoding: 'utf-8',
  separator: ';',
  dateOrder: 'dmy',
  willAdd: 1,
  willChange: 0,
  willSkip: 0,
  errors: [],
  errorCount: 0,
  newContractors: 0,
  duplicates: [],
};
const one = (id: string, over: Partial<ImportWire> = {}): ImportWire => ({
  id,
  revision: 0,
  createdAt: '2026-11-21T11:00:00.000Z',
  updatedAt: '2026-11-21T11:00:00.000Z',
  campaignId: 'c1',
  name: `${id}.csv`,
  by: 'me',
  status: 'done',
  code: null,
  total: 1,
  done: 1,
  added: 1,
  changed: 0,
  skipped: 0,
  failed: 0,
  report,
  position: 9,
  ...over,
});

it('IMUI-11 earlier imports come page by page, more are offered only while there are more, and each step brings all of them anew', async () => {
  let revision = 0;
  const { user, calls, bring } = stage({
    element: <LatestImports />,
    me: person('me'),
    serve: ({ path }) =>
      path.includes('cursor=5-last')
        ? { data: { imports: [one('third')], next: null } }
        : { data: { imports: [one('first', { revision, added: revision + 1 }), one('second')], next: '5-last' } },
  });
  const names = (): readonly (string | null | undefined)[] =>
    within(screen.getByRole('table', { name: 'Прежние импорты' }))
      .getAllByRole('rowheader')
      .map(({ textContent }) => textContent);
  const more = await screen.findByRole('button', { name: 'Показать ещё' });
  expect(names()).toEqual(['first.csv', 'second.csv']);
  await user.click(more);
  await waitFor(() => expect(names()).toEqual(['first.csv', 'second.csv', 'third.csv']));
  expect(screen.queryByRole('button', { name: 'Показать ещё' })).toBeNull();
  expect(calls.map(({ path }) => path)).toEqual(['/api/imports?limit=10', '/api/imports?limit=10&cursor=5-last']);

  revision = 4;
  act(() => bring('me', [['import', one('first', { revision })]]));
  expect(await screen.findByText('Готово: добавлено 5')).toBeTruthy();
  expect(names()).toEqual(['first.csv', 'second.csv', 'third.csv']);
});

it('IMUI-2530 an own import is taken back from the list, and how far that has come stands there', async () => {
  let undone = false;
  const undo = {
    commandId: 'u1',
    by: 'me',
    restores: false,
    status: 'running',
    code: null,
    total: 500,
    done: 250,
    kept: 0,
  } as const;
  const own = () =>
    undone ? one('mine', { revision: 5, undo: { ...undo, status: 'done', done: 500, kept: 2 } }) : one('mine');
  const { user, calls, bring } = stage({
    element: <LatestImports />,
    me: person('me'),
    serve: ({ method }) =>
      method === 'POST'
        ? { data: { changed: [] } }
        : { data: { imports: [own(), one('theirs', { by: 'else' })], next: null } },
  });
  const button = await screen.findByRole('button', { name: 'Отменить импорт' });
  await user.click(button);
  const question = await screen.findByRole('alertdialog', { name: 'Отменить импорт?' });
  await user.click(within(question).getByRole('button', { name: 'Отменить импорт' }));
  await waitFor(() =>
    expect(calls).toContainEqual(expect.objectContaining({ path: '/api/undo', body: { commandId: 'mine' } })),
  );
  act(() => bring('me', [['import', one('mine', { revision: 4, position: null, undo })]]));
  expect(await screen.findByText('Отменяется: 250 из 500')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Отменить импорт' })).toBeNull();
  undone = true;
  act(() => bring('me', [['import', own()]]));
  expect(await screen.findByText('Импорт отменён. Остались как есть: 2')).toBeTruthy();
});

it('IMUI-3470 of an own import in the list of which others changed rows since it is chosen what becomes of those', async () => {
  const refused = {
    code: 'CONFLICT',
    message: 'Данные изменились',
    conflicts: [
      {
        entity: 'placement:p1',
        field: 'leads',
        base: 1,
        mine: null,
        theirs: 7,
        by: { userId: 'anna', name: 'Анна' },
        at: '2026-11-21T11:00:00.000Z',
      },
    ],
    undo: { placements: 500, changed: 500 },
  } as const;
  const { user, calls } = stage({
    element: <LatestImports />,
    me: person('me'),
    serve: ({ method, body }) =>
      method !== 'POST'
        ? { data: { imports: [one('mine')], next: null } }
        : Object.hasOwn(body as object, 'onConflict')
          ? { data: { changed: [] }, position: 12 }
          : { problem: refused },
  });
  await user.click(await screen.findByRole('button', { name: 'Отменить импорт' }));
  const question = await screen.findByRole('alertdialog', { name: 'Отменить импорт?' });
  await user.click(within(question).getByRole('button', { name: 'Отменить импорт' }));
  const choice = within(await screen.findByRole('dialog', { name: 'Отменить: часть изменили позже' }));
  expect(choice.getByText(/Вернуть без потерь можно 0 из 500/u)).toBeTruthy();
  expect(choice.queryByRole('button', { name: 'Вернуть остальные' })).toBeNull();
  await user.click(choice.getByRole('button', { name: 'Вернуть всё равно' }));
  await waitFor(() =>
    expect(calls.findLast(({ method }) => method === 'POST')?.body).toEqual({
      commandId: 'mine',
      onConflict: 'overwrite',
    }),
  );
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
