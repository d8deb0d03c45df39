import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, it, onTestFinished } from 'vitest';
import { importDocument, undoOfImport } from '../testing/import-document.ts';
import { person, stage } from '../testing/stage.tsx';
import { ImportReportHost } from './import-report-host.tsx';
import { closeImportReport, openImportReport } from './import-report-opener.ts';

it('IMUI-3471 what a notification leads to tells what became of the rows, live or asked for, with its bad rows', async () => {
  const error = { row: 2, column: 0, field: 'price', text: 'много', detail: 'Некорректная цена' } as const;
  const { report } = importDocument();
  const bad = { ...report, errors: [error], errorCount: 1 };
  const { bring } = stage({
    element: <ImportReportHost />,
    me: person('me'),
    serve: () => ({ data: { import: importDocument({ added: 400, changed: 0, failed: 1, report: bad }) } }),
  });
  act(() => openImportReport('i1'));
  onTestFinished(closeImportReport);
  const dialog = within(await screen.findByRole('dialog', { name: 'Импорт размещений' }));
  expect(await dialog.findByText('Готово: добавлено 400, с ошибками 1')).toBeTruthy();
  expect(dialog.getByText('Некорректная цена')).toBeTruthy();
  act(() =>
    bring('me', [['import', importDocument({ revision: 9, undo: undoOfImport({ status: 'done', kept: 0 }) })]]),
  );
  expect(await dialog.findByText('Импорт отменён: всё стало как было')).toBeTruthy();
});

it('IMUI-3473 an import that a later one has replaced is asked for anew once its undo has begun', async () => {
  let isUndone = false;
  const { calls, user } = stage({
    element: <ImportReportHost />,
    me: person('me'),
    serve: ({ path }) => {
      if (path === '/api/undo') {
        isUndone = true;
        return { data: { undone: 'i1', changed: [] }, position: 90 };
      }
      const undo = isUndone ? { undo: undoOfImport({ status: 'done', kept: 0 }) } : {};
      return { data: { import: importDocument({ added: 400, changed: 0, failed: 0, ...undo }) } };
    },
  });
  act(() => openImportReport('i1'));
  onTestFinished(closeImportReport);
  const dialog = within(await screen.findByRole('dialog', { name: 'Импорт размещений' }));
  await user.click(await dialog.findByRole('button', { name: 'Отменить импорт' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'Отменить импорт?' }));
  await user.click(question.getByRole('button', { name: 'Отменить импорт' }));
  expect(await dialog.findByText('Импорт отменён: всё стало как было')).toBeTruthy();
  await waitFor(() => expect(calls.at(-1)?.path).toBe('/api/imports/i1?after=90'));
});
