import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EditableGrid } from './editable-grid.tsx';
import type { GridColumn } from './grid-column.ts';
import { type CellBlock, columnsOf, type FillDirection, rowsOf } from './grid-range.ts';
import type { PastedClip } from '../ui/single-value-paste.ts';
import { useSight } from './use-sight.ts';

interface Row {
  readonly id: string;
  readonly price: number;
  readonly comment: string;
}

const rowsFrom = (count: number): readonly Row[] =>
  Array.from({ length: count }, (_, index) => ({ id: `r${index}`, price: 1000.5 + index, comment: '' }));
const every = (): boolean => true;
const byId = (a: Row, b: Row): number => Number(a.id.slice(1)) - Number(b.id.slice(1));
const sorting = { columnId: 'price', order: 'asc' } as const;

const sizes = { clientHeight: 600, clientWidth: 900 };
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

const told = (block: CellBlock<Row>): string =>
  `${rowsOf(block)
    .map(({ id }) => id)
    .join(' ')} × ${columnsOf(block)
    .map(({ id }) => id)
    .join(' ')}`;

const setUp = (first: readonly Row[] = rowsFrom(5), readOnly = false) => {
  const cleared: string[] = [];
  const duplicated: string[] = [];
  const saved: string[] = [];
  const acted: string[] = [];
  const switched: [string, string][] = [];
  const menus: [string, string][] = [];
  /** Columns of the cells that menus were asked in. */
  const menuColumns: (string | undefined)[] = [];
  const filled: [string, FillDirection][] = [];
  const pasted: [string, PastedClip][] = [];
  const selected: (string | null)[] = [];
  const onSelect = (block: CellBlock<Row> | null): void =>
    void selected.push(block && (block.rows.length > 100 ? `${rowsOf(block).length} rows` : told(block)));
  let change: (next: (rows: readonly Row[]) => readonly Row[]) => void = () => undefined;
  const columns: readonly GridColumn<Row>[] = [
    {
      id: 'day',
      header: 'Дата',
      width: 80,
      cell: () => '3 НОЯБРЯ',
      value: () => '2026-11-03',
      copied: () => ({ kind: 'day', day: '2026-11-03' }),
    },
    {
      id: 'price',
      header: 'Цена',
      width: 80,
      sortBy: ({ price }) => price,
      cell: ({ price }) => `${price} ₽`,
      value: ({ price }) => price,
      copied: ({ price }) => ({ kind: 'number', value: price }),
    },
    {
      id: 'comment',
      header: 'Комментарий',
      width: 80,
      cell: ({ comment }) => comment,
      value: ({ comment }) => comment,
      editor: ({ comment }) => ({ kind: 'text', initial: comment, parse: (text) => ({ ok: true, value: text }) }),
      copied: ({ comment }) => ({ kind: 'text', text: comment }),
    },
    {
      id: 'paid',
      header: 'Оплата',
      width: 80,
      cell: () => (
        <button type="button" tabIndex={-1} aria-pressed="false">
          Не оплачено
        </button>
      ),
      value: () => false,
      act: ({ id }) => void acted.push(id),
      isSwitch: true,
    },
  ];
  const Table = () => {
    const [rows, setRows] = useState(first);
    change = setRows;
    const { ordered } = useSight({ rows, columns, tie: byId, sorting, fits: every });
    return (
      <EditableGrid
        label="Размещения"
        rows={ordered}
        rowId={({ id }) => id}
        columns={columns}
        sorting={sorting}
        onSortingChange={() => undefined}
        readOnly={readOnly}
        onSave={({ id }, columnId) => void saved.push(`${id} ${columnId}`)}
        onSelect={onSelect}
        onClear={(block) => void cleared.push(told(block))}
        onFill={(block, direction) => void filled.push([told(block), direction])}
        onSwitch={(block, row) => void switched.push([row.id, told(block)])}
        onDuplicate={(block) => void duplicated.push(told(block))}
        onMenu={({ block, row, columnId }) => {
          menus.push([row.id, told(block)]);
          menuColumns.push(columnId);
        }}
        onPaste={(clip, at) => void pasted.push([told(at), clip])}
      />
    );
  };
  render(<Table />);
  return {
    user: userEvent.setup(),
    cleared,
    saved,
    acted,
    switched,
    duplicated,
    menus,
    menuColumns,
    filled,
    pasted,
    selected,
    change: (next: Parameters<typeof change>[0]): void => act(() => change(next)),
  };
};

const cell = (row: string, column: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(`[data-row="${row}"] .z-grid-${column}`);
  if (!found) throw new Error(`no cell ${row} ${column}`);
  return found;
};
const seen = (): readonly string[] =>
  [...document.querySelectorAll<HTMLElement>('[aria-selected="true"]')].map(
    (one) => `${one.closest<HTMLElement>('[data-row]')?.dataset['row']}.${one.dataset['column']}`,
  );
const clip = (type: 'copy' | 'paste', given: Readonly<Record<string, string>> = {}) => {
  const held = new Map(Object.entries(given));
  const event = new Event(type, { bubbles: true, cancelable: true });
  Object.assign(event, {
    clipboardData: {
      setData: (kind: string, text: string) => held.set(kind, text),
      getData: (kind: string) => held.get(kind) ?? '',
    },
  });
  act(() => void document.dispatchEvent(event));
  return { text: held.get('text/plain'), html: held.get('text/html'), isTaken: event.defaultPrevented };
};

it('GRD-1906 Shift with arrows, Home and End selects from the active cell, which keeps the focus, and an arrow alone ends it', async () => {
  const { user, selected } = setUp();
  expect(screen.getByRole('grid').getAttribute('aria-multiselectable')).toBe('true');
  fireEvent.mouseDown(cell('r1', 'price'));
  await user.keyboard('{Shift>}{ArrowDown}{ArrowRight}{/Shift}');
  expect(seen()).toEqual(['r1.1', 'r1.2', 'r2.1', 'r2.2']);
  expect(document.activeElement).toBe(cell('r1', 'price'));
  await user.keyboard('{Shift>}{ArrowUp}{ArrowUp}{Home}{/Shift}');
  expect(selected.at(-1)).toBe('r0 r1 × day price');
  await user.keyboard('{Shift>}{ArrowUp}{/Shift}');
  expect(selected.at(-1), 'never into the header').toBe('r0 r1 × day price');
  await user.keyboard('{Shift>}{Control>}{End}{/Control}{/Shift}');
  expect(selected.at(-1)).toBe('r1 r2 r3 r4 × price comment paid');
  await user.keyboard('{ArrowDown}');
  expect([seen(), selected.at(-1)]).toEqual([[], null]);
  expect(document.activeElement).toBe(cell('r2', 'price'));
});

it('GRD-1907 a row, a column and all are selected by keys, in every layout, and Escape ends it', async () => {
  const { user, selected } = setUp();
  fireEvent.mouseDown(cell('r1', 'price'));
  await user.keyboard('{Shift>} {/Shift}');
  expect(selected.at(-1)).toBe('r1 × day price comment paid');
  await user.keyboard('{Control>} {/Control}');
  expect(selected.at(-1)).toBe('r0 r1 r2 r3 r4 × price');
  fireEvent.keyDown(cell('r1', 'price'), { key: 'ф', code: 'KeyA', ctrlKey: true });
  expect(selected.at(-1)).toBe('r0 r1 r2 r3 r4 × day price comment paid');
  await user.keyboard('{Escape}');
  expect(selected.at(-1)).toBeNull();
});

it('GRD-1908 Shift+click and a drag select; what is pressed in a cell makes it the active one', () => {
  const { selected } = setUp();
  fireEvent.mouseDown(cell('r1', 'price'));
  fireEvent.mouseUp(cell('r1', 'price'));
  fireEvent.mouseOver(cell('r3', 'comment'));
  expect(selected.at(-1), 'no drag').toBeNull();
  fireEvent.mouseDown(cell('r3', 'comment'), { shiftKey: true });
  expect(selected.at(-1)).toBe('r1 r2 r3 × price comment');
  fireEvent.mouseDown(cell('r0', 'day'));
  expect(selected.at(-1)).toBeNull();
  fireEvent.mouseOver(cell('r2', 'price'));
  expect(selected.at(-1)).toBe('r0 r1 r2 × day price');
  fireEvent.mouseUp(window);
  fireEvent.mouseOver(cell('r4', 'price'));
  expect(selected.at(-1)).toBe('r0 r1 r2 × day price');
  fireEvent.click(cell('r2', 'paid').querySelector('button') ?? cell('r2', 'paid'));
  expect([seen(), document.activeElement]).toEqual([[], cell('r2', 'paid')]);
});

it('GRD-1909 a range goes with its rows when these are sorted anew, and is no more when an end of it goes', async () => {
  const { user, selected, change } = setUp();
  fireEvent.mouseDown(cell('r1', 'price'));
  await user.keyboard('{Shift>}{ArrowDown}{/Shift}');
  expect(selected.at(-1)).toBe('r1 r2 × price');
  change((rows) => rows.map((row) => (row.id === 'r2' ? { ...row, price: 9000 } : row)));
  expect(selected.at(-1)).toBe('r1 r3 r4 r2 × price');
  change((rows) => rows.filter(({ id }) => id !== 'r3'));
  expect(selected.at(-1)).toBe('r1 r4 r2 × price');
  change((rows) => rows.filter(({ id }) => id !== 'r2'));
  expect(selected.at(-1)).toBeNull();
});

it('GRD-1910 a range is copied as TSV and as a table: numbers and days as a Russian spreadsheet reads them, texts safe and whole', async () => {
  const comments = ['раз\t"два"\nтри', '=1+1', '@nick_one', '@sum(1)', '<b>&'];
  const { user } = setUp(rowsFrom(5).map((row, index) => ({ ...row, comment: comments[index] ?? '' })));
  expect(clip('copy').isTaken, 'not while the focus is elsewhere').toBe(false);
  fireEvent.mouseDown(cell('r0', 'day'));
  await user.keyboard('{Control>}{Shift>}{End}{/Shift}{/Control}');
  const { text, html, isTaken } = clip('copy');
  expect(isTaken).toBe(true);
  expect(text).toBe(
    [
      '03.11.2026\t1000,5\t"раз\t""два""\nтри"',
      "03.11.2026\t1001,5\t'=1+1",
      '03.11.2026\t1002,5\t@nick_one',
      "03.11.2026\t1003,5\t'@sum(1)",
      '03.11.2026\t1004,5\t<b>&',
    ].join('\n'),
  );
  expect(html).toContain('<tr><td>03.11.2026</td><td>1000,5</td><td>раз\t&quot;два&quot;<br>три</td></tr>');
  expect(html).toContain('<td>&lt;b&gt;&amp;</td></tr></table>');
  await user.keyboard('{ArrowRight}');
  expect(clip('copy').text).toBe('1000,5');
  fireEvent.mouseDown(cell('r0', 'paid'));
  expect(clip('copy').isTaken, 'what has nothing to give leaves the clipboard').toBe(false);
});

it('GRD-1911 the owner is asked to clear, fill and paste at the range; a read-only table copies and selects alone, and its owner says that nothing is pasted', async () => {
  const { user, cleared, filled, pasted } = setUp();
  fireEvent.mouseDown(cell('r1', 'price'));
  await user.keyboard('{Delete}');
  fireEvent.keyDown(cell('r1', 'price'), { key: 'в', code: 'KeyD', ctrlKey: true });
  await user.keyboard('{Shift>}{ArrowDown}{ArrowRight}{/Shift}{Backspace}');
  fireEvent.keyDown(cell('r1', 'price'), { key: 'в', code: 'KeyD', ctrlKey: true });
  fireEvent.keyDown(cell('r1', 'price'), { key: 'к', code: 'KeyR', ctrlKey: true });
  expect(cleared).toEqual(['r1 × price', 'r1 r2 × price comment']);
  expect(filled).toEqual([
    ['r0 r1 × price', 'down'],
    ['r1 r2 × price comment', 'down'],
    ['r1 r2 × price comment', 'right'],
  ]);
  expect(clip('paste', { 'text/plain': '5\t6' }).isTaken).toBe(true);
  expect(pasted).toEqual([['r1 r2 × price comment', { text: '5\t6', html: null }]]);
  cleanup();

  const closed = setUp(rowsFrom(3), true);
  fireEvent.mouseDown(cell('r0', 'price'));
  await closed.user.keyboard('{Shift>}{ArrowDown}{/Shift}{Delete}');
  fireEvent.keyDown(cell('r0', 'price'), { key: 'd', code: 'KeyD', ctrlKey: true });
  expect(clip('paste', { 'text/plain': '5' }).isTaken).toBe(true);
  expect(clip('copy').text).toBe('1000,5\n1001,5');
  expect([closed.cleared, closed.filled]).toEqual([[], []]);
  expect(closed.pasted).toEqual([['r0 r1 × price', { text: '5', html: null }]]);
});

it('PST-2450 several cells pasted into an open editor are pasted from its cell on, and the editor closes without a change; one value stays in it', async () => {
  const { user, pasted, saved } = setUp();
  fireEvent.mouseDown(cell('r1', 'comment'));
  await user.keyboard('набрано');
  const field = screen.getByRole('textbox', { name: 'Комментарий' });
  fireEvent.paste(field, { clipboardData: { getData: (type: string) => (type === 'text/plain' ? 'один\r\n' : '') } });
  expect([pasted, field.isConnected]).toEqual([[], true]);
  fireEvent.paste(field, {
    clipboardData: { getData: (type: string) => (type === 'text/plain' ? '5\t6\r\n7\t8' : '<table></table>') },
  });
  expect(pasted).toEqual([['r1 × comment', { text: '5\t6\r\n7\t8', html: '<table></table>' }]]);
  expect([field.isConnected, saved]).toEqual([false, []]);
  expect(document.activeElement).toBe(cell('r1', 'comment'));
});

it('PST-2226 a paste on the heading, which is all there is of an empty table, is one below all rows', () => {
  const { pasted } = setUp([]);
  act(() => screen.getByRole('columnheader', { name: /^Цена/u }).focus());
  expect(clip('paste', { 'text/plain': '5' }).isTaken).toBe(true);
  expect(pasted).toEqual([[' × price', { text: '5', html: null }]]);
});

it('GRD-1912 Ctrl with an arrow leads to the edge; a range of 20,000 rows is one, though few of them are in the document', async () => {
  const { user, selected } = setUp(rowsFrom(20_000));
  fireEvent.mouseDown(cell('r3', 'price'));
  await user.keyboard('{Control>}{ArrowUp}{/Control}');
  expect(document.activeElement).toBe(cell('r0', 'price'));
  await user.keyboard('{Control>}{Shift>}{ArrowDown}{/Shift}{/Control}');
  expect(selected.at(-1)).toBe('20000 rows');
  expect(document.activeElement).toBe(cell('r0', 'price'));
  expect(document.querySelectorAll('[data-row]').length).toBeLessThan(80);
});

it('GRD-2292 Ctrl+J asks for the rows once more, in every layout, and never opens what the browser has there', () => {
  const { duplicated } = setUp();
  const press = (): boolean => fireEvent.keyDown(cell('r1', 'price'), { key: 'о', code: 'KeyJ', ctrlKey: true });
  fireEvent.mouseDown(cell('r1', 'price'));
  expect(press(), 'prevented').toBe(false);
  fireEvent.mouseDown(cell('r3', 'comment'), { shiftKey: true });
  press();
  expect(duplicated).toEqual(['r1 × price', 'r1 r2 r3 × price comment']);
  cleanup();
  const completed = setUp(rowsFrom(3), true);
  fireEvent.mouseDown(cell('r1', 'price'));
  expect(press(), 'prevented').toBe(false);
  expect(completed.duplicated).toEqual([]);
});

it('GRD-2381 Space on a selection within a switch turns its rows as one, elsewhere and on a single cell the active one', async () => {
  const { user, acted, switched } = setUp();
  fireEvent.mouseDown(cell('r1', 'paid'));
  await user.keyboard(' ');
  await user.keyboard('{Shift>}{ArrowDown}{ArrowDown}{/Shift} ');
  expect([acted, switched]).toEqual([['r1'], [['r1', 'r1 r2 r3 × paid']]]);
  await user.keyboard('{Shift>}{ArrowLeft}{/Shift} ');
  expect([acted, switched.length]).toEqual([['r1', 'r1'], 1]);
  cleanup();
  const closed = setUp(rowsFrom(3), true);
  fireEvent.mouseDown(cell('r0', 'paid'));
  await closed.user.keyboard('{Shift>}{ArrowDown}{/Shift} ');
  expect([closed.acted, closed.switched]).toEqual([[], []]);
});

it('ATT-2463 Space, Enter and Ctrl+J that are held down do it once', () => {
  const { acted, switched, duplicated } = setUp();
  const hold = (target: HTMLElement, of: Parameters<typeof fireEvent.keyDown>[1]): void => {
    for (const repeat of [false, true, true]) fireEvent.keyDown(target, { ...of, repeat });
  };
  fireEvent.mouseDown(cell('r1', 'paid'));
  hold(cell('r1', 'paid'), { key: ' ', code: 'Space' });
  hold(cell('r1', 'paid'), { key: 'Enter', code: 'Enter' });
  expect(acted).toEqual(['r1', 'r1']);
  fireEvent.mouseDown(cell('r3', 'paid'), { shiftKey: true });
  hold(cell('r1', 'paid'), { key: ' ', code: 'Space' });
  hold(cell('r1', 'paid'), { key: 'j', code: 'KeyJ', ctrlKey: true });
  expect([switched.length, duplicated]).toEqual([1, ['r1 r2 r3 × paid']]);
});

const numberOf = (row: string): Element => {
  const found = document.querySelector(`[data-row="${row}"] [data-number]`);
  if (!found) throw new Error(`no number ${row}`);
  return found;
};
const ticked = (): readonly (string | undefined)[] =>
  [...document.querySelectorAll<HTMLElement>('[data-row][aria-selected="true"]')].map((row) => row.dataset['row']);

it('GRD-2296 rows are ticked at their numbers one by one and through, count as the selection, and go on with a key', async () => {
  const { user, selected, duplicated } = setUp();
  fireEvent.click(numberOf('r0'));
  fireEvent.click(numberOf('r2'));
  expect(ticked()).toEqual(['r0', 'r2']);
  expect(selected.at(-1)).toBe('r0 r2 × day price comment paid');
  expect(clip('copy').text).toBe('03.11.2026\t1000,5\t\n03.11.2026\t1002,5\t');
  fireEvent.click(numberOf('r4'), { shiftKey: true });
  expect(ticked()).toEqual(['r0', 'r2', 'r3', 'r4']);
  fireEvent.click(numberOf('r3'));
  fireEvent.keyDown(cell('r3', 'day'), { key: 'о', code: 'KeyJ', ctrlKey: true });
  expect(duplicated).toEqual(['r0 r2 r4 × day price comment paid']);
  await user.keyboard('{Shift>}{ArrowRight}{/Shift}');
  expect(selected.at(-1), 'a range before ticks').toBe('r3 × day price');
  await user.keyboard('{Escape}');
  expect(selected.at(-1)).toBe('r0 r2 r4 × day price comment paid');
  await user.keyboard('{Control>}{Shift>} {/Shift}{/Control}');
  expect(ticked()).toEqual(['r0', 'r2', 'r3', 'r4']);
  await user.keyboard('{Escape}');
  expect([ticked(), selected.at(-1)]).toEqual([[], null]);
});

it('GRD-2297 the sign above the numbers ticks all and none; a row that goes is not among the ticked ones, and is again when it is back', () => {
  const { selected, change } = setUp(rowsFrom(3));
  const head = document.querySelector('thead [data-number]') ?? document.body;
  fireEvent.click(head);
  expect(selected.at(-1)).toBe('r0 r1 r2 × day price comment paid');
  change((rows) => rows.filter(({ id }) => id !== 'r1'));
  expect(selected.at(-1)).toBe('r0 r2 × day price comment paid');
  change(() => rowsFrom(3));
  expect(selected.at(-1)).toBe('r0 r1 r2 × day price comment paid');
  fireEvent.click(head);
  expect([ticked(), selected.at(-1)]).toEqual([[], null]);
});

it('GRD-2298 a menu is asked for the selection where the cell is in it, else for the cell, which becomes the active one', () => {
  const { menus } = setUp();
  const ask = (target: Element): boolean => {
    fireEvent.mouseDown(target, { button: 2 });
    return fireEvent.contextMenu(target, { button: 2 });
  };
  fireEvent.mouseDown(cell('r1', 'price'));
  fireEvent.mouseDown(cell('r2', 'comment'), { shiftKey: true });
  expect(ask(cell('r2', 'price')), 'prevented').toBe(false);
  expect(seen()).toHaveLength(4);
  ask(cell('r4', 'price'));
  expect([seen(), document.activeElement]).toEqual([[], cell('r4', 'price')]);
  fireEvent.click(numberOf('r0'));
  fireEvent.click(numberOf('r3'));
  ask(cell('r3', 'day'));
  ask(cell('r1', 'day'));
  expect(menus).toEqual([
    ['r2', 'r1 r2 × price comment'],
    ['r4', 'r4 × price'],
    ['r3', 'r0 r3 × day price comment paid'],
    ['r1', 'r1 × day'],
  ]);
});

it('GRD-2377 a menu knows the column of its own cell, by mouse and by key, alone and in what is selected', () => {
  const { menuColumns } = setUp();
  const ask = (target: Element): void => {
    fireEvent.mouseDown(target, { button: 2 });
    fireEvent.contextMenu(target, { button: 2 });
  };
  ask(cell('r1', 'comment'));
  fireEvent.contextMenu(cell('r1', 'comment'));
  fireEvent.mouseDown(cell('r1', 'price'));
  fireEvent.mouseDown(cell('r2', 'comment'), { shiftKey: true });
  ask(cell('r2', 'comment'));
  ask(cell('r1', 'price'));
  fireEvent.click(numberOf('r0'));
  fireEvent.click(numberOf('r3'));
  ask(cell('r3', 'price'));
  expect(menuColumns).toEqual(['comment', 'comment', 'comment', 'price', 'price']);
});
