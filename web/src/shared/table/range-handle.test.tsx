import { act, cleanup, fireEvent, render, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { EditableGrid } from './editable-grid.tsx';
import type { GridColumn } from './grid-column.ts';
import { type CellBlock, columnsOf, rowsOf } from './grid-range.ts';

interface Row {
  readonly id: string;
}

const rows: readonly Row[] = Array.from({ length: 100 }, (_, index) => ({ id: `r${index}` }));
const columns = ['a', 'b', 'c', 'd'].map(
  (id): GridColumn<Row> => ({ id, header: id, width: 80, cell: (row) => `${id} ${row.id}`, value: (row) => row.id }),
);
const sorting = { columnId: 'a', order: 'asc' } as const;
const [headHeight, rowHeight, width, height] = [30, 32, 400, 300];

/** There is no layout here: each column is 80 px wide behind the numbers, and the table scrolls up and down only. */
const layout = (element: HTMLElement): DOMRect => {
  const scrolled = document.querySelector('.z-grid')?.scrollTop ?? 0;
  const row = element.closest<HTMLElement>('[data-row]');
  const at = element.dataset['column'];
  const top = row === null ? 0 : headHeight + rowHeight * Number(row.dataset['row']?.slice(1)) - scrolled;
  if (at !== undefined) return new DOMRect(34 + 80 * Number(at), top, 80, row === null ? headHeight : rowHeight);
  if (element.classList.contains('z-grid-number')) return new DOMRect(0, 0, 34, headHeight);
  if (element.classList.contains('z-grid-head')) return new DOMRect(0, 0, width, headHeight);
  if (element.classList.contains('z-grid-body')) return new DOMRect(0, headHeight - scrolled, width, 3200);
  return new DOMRect(0, 0, width, height);
};

let frames: FrameRequestCallback[] = [];
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function rect(this: HTMLElement) {
    return layout(this);
  });
  for (const [name, value] of [
    ['clientHeight', height],
    ['clientWidth', width],
    ['scrollWidth', width],
  ] as const)
    vi.spyOn(HTMLElement.prototype, name, 'get').mockReturnValue(value);
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => frames.push(callback));
  vi.stubGlobal('cancelAnimationFrame', () => {
    frames = [];
  });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const pointer = (target: Element, type: string, x: number, y: number, pointerType = 'touch'): void => {
  const event = new MouseEvent(type, { bubbles: true, cancelable: true, clientX: x, clientY: y });
  Object.defineProperties(event, { pointerType: { value: pointerType }, isPrimary: { value: true } });
  act(() => void target.dispatchEvent(event));
};

const cell = (row: number, column: number): HTMLElement => {
  const found = document.querySelector<HTMLElement>(`[data-row="r${row}"] [data-column="${column}"]`);
  if (!found) throw new Error(`no cell ${row} ${column}`);
  return found;
};
/** The middle of a cell, in px of the window. */
const middle = (row: number, column: number): readonly [number, number] => [
  34 + 80 * column + 40,
  headHeight + rowHeight * row + 16,
];
const tap = (row: number, column: number): void => {
  pointer(cell(row, column), 'pointerdown', ...middle(row, column));
  pointer(cell(row, column), 'pointerup', ...middle(row, column));
  fireEvent.mouseDown(cell(row, column));
  fireEvent.mouseUp(cell(row, column));
};
const handle = (): HTMLElement | null => document.querySelector<HTMLElement>('.z-range-handle');
const shownHandle = async (): Promise<HTMLElement> =>
  waitFor(() => {
    const found = handle();
    if (found === null) throw new Error('no handle');
    return found;
  });

const setUp = () => {
  const selected: (string | null)[] = [];
  const menus: string[] = [];
  const onSelect = (block: CellBlock<Row> | null): void => {
    const [first, last] = block ? [rowsOf(block)[0], rowsOf(block).at(-1)] : [];
    const ids = block ? columnsOf(block).map(({ id }) => id) : [];
    selected.push(block && `${first?.id}–${last?.id} × ${ids.join('')}`);
  };
  const rowId = ({ id }: Row): string => id;
  render(
    <EditableGrid
      label="Размещения"
      rows={rows}
      rowId={rowId}
      columns={columns}
      sorting={sorting}
      onSortingChange={() => undefined}
      onSave={() => undefined}
      onSelect={onSelect}
      onMenu={({ row, columnId }) => void menus.push(`${row.id} ${columnId}`)}
    />,
  );
  return { selected, menus };
};

it('GRD-2560 a finger draws the corner of the active cell to a range, and the corner of that on; the mouse has no such corner', async () => {
  const { selected } = setUp();
  pointer(cell(1, 1), 'pointerdown', ...middle(1, 1), 'mouse');
  fireEvent.mouseDown(cell(1, 1));
  fireEvent.mouseUp(cell(1, 1));
  expect(handle()).toBeNull();
  tap(1, 1);
  const corner = await shownHandle();
  expect(corner.style.transform).toBe('translate(160px, 60px)');
  pointer(corner, 'pointerdown', ...middle(1, 1));
  pointer(corner, 'pointermove', ...middle(3, 2));
  expect(selected.at(-1)).toBe('r1–r3 × bc');
  pointer(corner, 'pointerup', ...middle(3, 2));
  expect(document.activeElement).toBe(cell(1, 1));
  pointer(corner, 'pointermove', ...middle(6, 3));
  expect(selected.at(-1), 'it was let go').toBe('r1–r3 × bc');
  pointer(corner, 'pointerdown', ...middle(3, 2));
  pointer(corner, 'pointermove', ...middle(0, 0));
  pointer(corner, 'pointerup', ...middle(0, 0));
  expect(selected.at(-1), 'beyond the corner that stays').toBe('r0–r1 × ab');
  pointer(corner, 'pointerdown', ...middle(1, 1));
  pointer(corner, 'pointermove', ...middle(2, 3));
  expect(selected.at(-1), 'what is selected begins where it stands').toBe('r0–r2 × abcd');
});

it('GRD-2561 at an edge the table scrolls on under the finger, and stops where it is let go', async () => {
  const { selected } = setUp();
  tap(1, 1);
  const corner = await shownHandle();
  pointer(corner, 'pointerdown', ...middle(1, 1));
  pointer(corner, 'pointermove', 114, 298);
  const grid = document.querySelector('.z-grid');
  for (let count = 0; count < 40; count += 1) act(() => frames.shift()?.(0));
  expect(grid?.scrollTop).toBeGreaterThan(500);
  expect(selected.at(-1)).toMatch(/^r1–r2\d × b$/u);
  pointer(corner, 'pointerup', 114, 298);
  expect(frames).toEqual([]);
});

it('GRD-2575 where the table is at its end the page scrolls on under the finger', async () => {
  setUp();
  tap(1, 1);
  const corner = await shownHandle();
  const grid = document.querySelector<HTMLElement>('.z-grid');
  const page = grid?.parentElement;
  if (!grid || !page) throw new Error('no table in a page');
  page.style.overflowY = 'auto';
  let asked = 0;
  Object.defineProperty(grid, 'scrollTop', {
    get: () => 0,
    set: (top: number) => {
      asked = top;
    },
  });
  pointer(corner, 'pointerdown', ...middle(1, 1));
  pointer(corner, 'pointermove', 114, 298);
  for (let count = 0; count < 5; count += 1) act(() => frames.shift()?.(0));
  expect([asked > 0, page.scrollTop > 20]).toEqual([true, true]);
});

it('GRD-2562 a tap on the corner is one on the cell below it, and a finger that hardly moves selects nothing', async () => {
  const { selected } = setUp();
  tap(1, 1);
  const corner = await shownHandle();
  document.elementsFromPoint = () => [corner, cell(2, 2)];
  pointer(corner, 'pointerdown', 196, 96);
  pointer(corner, 'pointermove', 198, 97);
  pointer(corner, 'pointerup', 198, 97);
  expect(selected.filter(Boolean)).toEqual([]);
  expect(fireEvent.mouseDown(corner), 'the keyboard stays in the table').toBe(false);
  fireEvent.mouseUp(corner);
  expect(document.activeElement).toBe(cell(2, 2));
});

it('GRD-2563 a finger that rests on a cell asks for its menu once, one that moves does not', async () => {
  const { menus } = setUp();
  tap(1, 1);
  await shownHandle();
  vi.useFakeTimers();
  pointer(cell(2, 2), 'pointerdown', ...middle(2, 2));
  act(() => void vi.advanceTimersByTime(1000));
  expect(menus).toEqual(['r2 c']);
  expect(fireEvent.contextMenu(cell(2, 2)), 'a browser that asks as well').toBe(false);
  expect(fireEvent.touchEnd(cell(2, 2)), 'nothing is pressed by the finger that goes').toBe(false);
  expect(menus).toEqual(['r2 c']);
  pointer(cell(3, 2), 'pointerdown', ...middle(3, 2));
  pointer(cell(3, 2), 'pointermove', 200, 200);
  act(() => void vi.advanceTimersByTime(1000));
  pointer(cell(3, 2), 'pointerdown', ...middle(3, 2));
  pointer(cell(3, 2), 'pointerup', ...middle(3, 2));
  act(() => void vi.advanceTimersByTime(1000));
  expect(menus).toEqual(['r2 c']);
});
