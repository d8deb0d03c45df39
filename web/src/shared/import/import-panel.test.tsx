import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import type { ImportReport, ImportWire } from '@zakup/contracts/imports';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Answer, type Call, person, stage, stageNow, type StageOptions } from '../testing/stage.tsx';
import { ImportPanel } from './import-panel.tsx';

const report = (over: Partial<ImportReport> = {}): ImportReport => ({
  rows: 4,
  columns: [
    { index: 0, header: 'Канал', field: 'contractor', samples: ['@anna'] },
    { index: 1, header: 'Сумма', field: 'price', samples: ['5400', '300'] },
  ],
  encoding: 'utf-8',
  separator: ';',
  dateOrder: 'dmy',
  willAdd: 2,
  willChange: 1,
  willSkip: 0,
  errors: [{ row: 4, column: 1, field: 'price', text: 'много', detail: 'Некорректная цена' }],
  errorCount: 1,
  newContractors: 2,
  duplicates: [],
  ...over,
});
const running = (over: Partial<ImportWire> = {}): ImportWire => ({
  id: 'i1',
  revision: 0,
  createdAt: '2026-11-21T11:00:00.000Z',
  updatedAt: '2026-11-21T11:00:00.000Z',
  campaignId: 'c1',
  name: 'ноябрь.csv',
  by: 'me',
  status: 'running',
  code: null,
  total: 4,
  done: 0,
  added: 0,
  changed: 0,
  skipped: 0,
  failed: 0,
  report: report(),
  position: null,
  ...over,
});
const file = new File(['x'], 'ноябрь.csv', { type: 'text/csv' });

const mappingOf = ({ path }: Call): unknown =>
  JSON.parse(new URL(path, 'http://x').searchParams.get('mapping') ?? 'null');
const isDry = ({ path }: Call): boolean => path.includes('dryRun=true');

const shown = (
  serve: (call: Call) => Answer | Promise<Answer>,
  kept: Readonly<Record<string, string>> = {},
  docs: NonNullable<StageOptions['docs']> = {},
) => {
  const staged = stage({ element: <ImportPanel campaignId="c1" />, me: person('me'), serve, kept, docs });
  const give = async (): Promise<void> =>
    staged.user.upload(await screen.findByLabelText<HTMLInputElement>('Файл с размещениями'), file);
  return { ...staged, give };
};

describe('placements from a file', () => {
  afterEach(() => void vi.useRealTimers());

  it('IMUI-1 it is told what would be written before anything is, then begun once, followed to its end and taken back', async () => {
    const { user, give, calls, bring } = shown((call) => {
      if (isDry(call)) return { data: { report: report() } };
      return call.path.includes('/import?') ? { data: { import: running() } } : { data: { changed: [] } };
    });
    await give();
    expect(await screen.findByText('4 строки: добавится 2, изменится 1, с ошибками 1')).toBeTruthy();
    const errors = screen.getByRole('table', { name: 'Ошибки файла' });
    expect(within(errors).getAllByRole('row')[1]?.textContent).toBe('4СуммаНекорректная цена');
    expect(within(errors).getByRole('textbox', { name: 'Сумма, строка 4' })).toHaveProperty('value', 'много');
    expect(calls.every(isDry)).toBe(true);

    await user.click(screen.getByRole('button', { name: 'Импортировать: 3 строки' }));
    expect(await screen.findByText('Записано 0 из 4')).toBeTruthy();
    const begun = calls.filter((call) => call.path.includes('/import?') && !isDry(call));
    expect(begun).toHaveLength(1);
    expect(begun[0]?.commandId).toMatch(/^[0-9a-f-]{36}$/u);

    act(() => bring('me', [['import', running({ revision: 1, added: 2, done: 2 })]]));
    expect(await screen.findByText('Записано 2 из 4')).toBeTruthy();
    act(() =>
      bring('me', [
        ['import', running({ revision: 2, added: 2, changed: 1, failed: 1, done: 4, status: 'done', position: 9 })],
      ]),
    );
    expect(await screen.findByText('Готово: добавлено 2, изменено 1, с ошибками 1')).toBeTruthy();

    await user.click(screen.getByRole('button', { name: 'Отменить импорт' }));
    const question = await screen.findByRole('alertdialog', { name: 'Отменить импорт?' });
    await user.click(within(question).getByRole('button', { name: 'Отменить импорт' }));
    const undo = {
      commandId: 'u1',
      by: 'me',
      restores: false,
      status: 'running',
      code: null,
      total: 3,
      done: 1,
      kept: 0,
    } as const;
    const written = { added: 2, changed: 1, failed: 1, done: 4, status: 'done' } as const;
    act(() => bring('me', [['import', running({ ...written, revision: 3, undo })]]));
    expect(await screen.findByText('Отменяется: 1 из 3')).toBeTruthy();
    expect(screen.getByLabelText('Ход отмены')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Отменить импорт' })).toBeNull();
    const ended = { ...undo, status: 'done', done: 3 } as const;
    act(() => bring('me', [['import', running({ ...written, revision: 4, undo: ended })]]));
    expect(await screen.findByText('Импорт отменён: всё стало как было')).toBeTruthy();
    expect(calls.at(-1)).toMatchObject({ method: 'POST', path: '/api/undo', body: { commandId: 'i1' } });
  });

  it('IMUI-2 a column is read as the person says, whatever held it before is left, and files of that layout are read so again', async () => {
    const serve = (call: Call): Answer =>
      isDry(call) ? { data: { report: report() } } : { data: { import: running() } };
    const { user, give, calls } = shown(serve);
    await give();
    await user.selectOptions(await screen.findByLabelText('Сумма'), 'contractor');
    await waitFor(() => expect(calls).toHaveLength(2));
    const chosen = { columns: { 0: null, 1: 'contractor' } };
    expect(calls.map(mappingOf)).toEqual([{}, chosen]);
    await user.click(await screen.findByRole('button', { name: 'Импортировать: 3 строки' }));
    await screen.findByText('Записано 0 из 4');
    const kept = localStorage.getItem('importMappings.me') ?? '';
    cleanup();

    const again = shown(serve, { 'importMappings.me': kept });
    await again.give();
    await waitFor(() => expect(again.calls.map(mappingOf)).toEqual([{}, chosen]));
  });

  it('IMUI-3 dates that can be read in two ways are asked about first', async () => {
    const { user, give, calls } = shown((call) => ({
      data: { report: report({ dateOrder: call.path.includes('dateOrder') ? 'mdy' : 'ambiguous' }) },
    }));
    await give();
    const start = await screen.findByRole('button', { name: /^Импортировать/u });
    expect(start).toHaveProperty('disabled', true);
    await user.selectOptions(screen.getByLabelText('Даты вроде 03/04/2026'), 'mdy');
    await waitFor(() =>
      expect(screen.getByRole('button', { name: /^Импортировать/u })).toHaveProperty('disabled', false),
    );
    expect(mappingOf(calls.at(-1) as Call)).toEqual({ dateOrder: 'mdy' });
  });

  it('IMUI-4 a file that is none is said so at its place, and an answer that was lost is asked for under the same id', async () => {
    let isBroken = true;
    const { user, give, calls } = shown((call) => {
      if (!isDry(call)) return 'no answer';
      return isBroken
        ? { problem: { code: 'UNSUPPORTED_FILE', message: 'Файл не читается' } }
        : { data: { report: report() } };
    });
    await give();
    expect((await screen.findByRole('alert')).textContent).toBe('Файл не читается');
    isBroken = false;
    await give();
    const start = await screen.findByRole('button', { name: 'Импортировать: 3 строки' });
    await user.click(start);
    expect((await screen.findByRole('alert')).textContent).toBe('Ошибка соединения с сервером');
    await user.click(screen.getByRole('button', { name: 'Импортировать: 3 строки' }));
    await waitFor(() => expect(calls.filter((call) => !isDry(call))).toHaveLength(2));
    const [first, second] = calls.filter((call) => !isDry(call));
    expect(second?.commandId).toBe(first?.commandId);
  });

  it('IMUI-2500 a file of 1 GB is refused where it is chosen, and not a byte of it is sent', async () => {
    const { user, calls } = shown(() => 'no answer');
    const large = new File(['x'], 'всё.csv', { type: 'text/csv' });
    Object.defineProperty(large, 'size', { value: 1024 ** 3 });
    await user.upload(await screen.findByLabelText<HTMLInputElement>('Файл с размещениями'), large);
    expect((await screen.findByRole('alert')).textContent).toBe('Файл больше 20 МБ');
    expect(calls.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('IMUI-5 an import that runs is shown to who comes, and stopped when asked', async () => {
    const { user, calls, bring } = shown(() => ({ data: {} }));
    await screen.findByRole('button', { name: 'Выбрать файл' });
    act(() => bring('me', [['import', running({ done: 1, added: 1 })]]));
    expect(await screen.findByText('Записано 1 из 4')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Остановить' }));
    await waitFor(() => expect(calls.at(-1)).toMatchObject({ method: 'DELETE', path: '/api/imports/i1' }));
    act(() => bring('me', [['import', running({ revision: 3, done: 1, added: 1, status: 'cancelled', position: 5 })]]));
    expect(await screen.findByText('Остановлен: добавлено 1')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Хорошо' }));
    expect(await screen.findByRole('button', { name: 'Выбрать файл' })).toBeTruthy();
  });

  it('IMUI-6 nothing begins while the file is read in another way', async () => {
    let answer: () => void = () => undefined;
    const { user, give, calls } = shown(() => {
      const found: Answer = { data: { report: report({ willAdd: calls.length > 1 ? 3 : 2 }) } };
      return calls.length > 1 ? new Promise((resolve) => (answer = () => resolve(found))) : found;
    });
    await give();
    await user.selectOptions(await screen.findByLabelText('Сумма'), 'contractor');
    expect(screen.getByRole('button', { name: 'Файл читается…' })).toHaveProperty('disabled', true);
    await waitFor(() => expect(calls).toHaveLength(2));
    act(() => answer());
    expect(await screen.findByRole('button', { name: 'Импортировать: 4 строки' })).toHaveProperty('disabled', false);
  });

  it('IMUI-7 a wrong cell is mended in its place, the file is read anew with it, and begun with it', async () => {
    const second = { row: 5, column: 0, field: 'contractor', text: '??', detail: 'Некорректный ник' } as const;
    const { errors } = report();
    const { user, give, calls } = shown((call) => {
      if (!isDry(call)) return { data: { import: running() } };
      const { cells = {} } = mappingOf(call) as { cells?: Record<string, Record<string, string>> };
      const left = [...errors, second].filter(({ row, column }) => cells[row]?.[column ?? 0] === undefined);
      return { data: { report: report({ errors: left, errorCount: left.length }) } };
    });
    await give();
    await user.clear(await screen.findByRole('textbox', { name: 'Сумма, строка 4' }));
    await user.keyboard('5400{Enter}');
    // The next one is at hand at once, and stays so when the new answer comes.
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Канал, строка 5' }));
    expect(await screen.findByText('Исправлено здесь: 1')).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Сумма, строка 4' })).toBeNull());
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Канал, строка 5' }));

    await user.keyboard('@bad{Escape}{Enter}');
    expect(calls).toHaveLength(2);
    await user.clear(screen.getByRole('textbox', { name: 'Канал, строка 5' }));
    await user.keyboard('@vera{Enter}');
    expect(await screen.findByText('Ошибок нет')).toBeTruthy();
    await user.click(await screen.findByRole('button', { name: 'Импортировать: 3 строки' }));
    await screen.findByText('Записано 0 из 4');
    const cells = { 4: { 1: '5400' }, 5: { 0: '@vera' } };
    expect(mappingOf(calls.at(-1) as Call)).toEqual({ cells });
    expect(localStorage.getItem('importMappings.me')).not.toContain('5400');
  });

  it('IMUI-8 what was mended is left again, and too much of it is refused with a word', async () => {
    const { user, give, calls } = shown(() => ({ data: { report: report() } }));
    await give();
    const field = await screen.findByRole('textbox', { name: 'Сумма, строка 4' });
    await user.clear(field);
    await user.keyboard('5{Enter}');
    await user.click(await screen.findByRole('button', { name: 'Вернуть как в файле' }));
    await waitFor(() => expect(calls.map(mappingOf)).toEqual([{}, { cells: { 4: { 1: '5' } } }, {}]));
    const again = await screen.findByRole('textbox', { name: 'Сумма, строка 4' });
    await user.clear(again);
    await user.paste('ж'.repeat(1100));
    await user.keyboard('{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Столько исправлений за раз не внести: исправьте остальное в файле',
    );
    await user.clear(again);
    await user.paste('5'.repeat(1001));
    await user.keyboard('{Enter}');
    expect(calls).toHaveLength(3);
  });

  it('IMUI-9 what was mended stays when the file cannot be read anew, and it is read with it again before anything begins', async () => {
    const { user, give, calls } = shown(() =>
      calls.length === 2 ? 'no answer' : { data: { report: report({ willAdd: calls.length }) } },
    );
    await give();
    await user.clear(await screen.findByRole('textbox', { name: 'Сумма, строка 4' }));
    await user.keyboard('5400{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe('Ошибка соединения с сервером');
    expect(screen.getByText('Исправлено здесь: 1')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Импортировать/u })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Прочесть ещё раз' }));
    expect(await screen.findByRole('button', { name: 'Импортировать: 4 строки' })).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(calls.map(mappingOf).slice(1)).toEqual([{ cells: { 4: { 1: '5400' } } }, { cells: { 4: { 1: '5400' } } }]);
  });

  it('IMUI-10 who is on the black list, and what somebody else bought, is told with the rows before anything is written', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: stageNow });
    const noted = {
      contractorId: 'k1',
      nick: '@anna',
      rows: 3,
      blackListed: 'Не вернул предоплату',
      boughtByAnother: [{ buyerId: 'ilya', date: '2026-11-18', rows: 2 }],
    };
    const others = Array.from({ length: 10 }, (_, at) => ({
      contractorId: `o${at}`,
      nick: `@other${at}`,
      rows: 1,
      blackListed: null,
      boughtByAnother: [{ buyerId: 'gone', date: '2026-11-20', rows: 1 }],
    }));
    const contractors = { known: 140, blackListedRows: 3, boughtByAnotherRows: 12, noted: [noted, ...others] };
    const { user, give } = shown(
      () => ({ data: { report: report({ contractors }) } }),
      {},
      {
        workspace: [['user', person('ilya', { name: 'Илья' })]],
      },
    );
    await give();
    expect(await screen.findByText('В чёрном списке: 3 строки · Куплено другим байером: 12 строк')).toBeTruthy();
    expect(screen.getByText('Кто покупал, проверено у первых контрагентов файла: 100 из 140.')).toBeTruthy();
    const table = screen.getByRole('table', { name: 'Что известно о контрагентах' });
    const rows = within(table).getAllByRole('row').slice(1);
    expect(rows.map(({ textContent }) => textContent).slice(0, 2)).toEqual([
      '@anna3Чёрный список Не вернул предоплатуКуплено другим байером 3 дня назад: Илья (2 строки)',
      '@other01Куплено другим байером вчера: Неизвестный байер',
    ]);
    expect(rows).toHaveLength(10);
    await user.click(screen.getByRole('button', { name: 'Показать ещё: 1' }));
    expect(within(table).getAllByRole('row')).toHaveLength(12);
    expect(screen.getByRole('button', { name: 'Импортировать: 3 строки' })).toHaveProperty('disabled', false);
  });
});
