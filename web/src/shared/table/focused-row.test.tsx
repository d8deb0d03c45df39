import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parsePrice } from '../form/number-input.ts';
import { keepFocus } from '../ui/focus-place.ts';
import { EditableGrid } from './editable-grid.tsx';
import type { GridColumn, GridPlace } from './grid-column.ts';
import { useSight } from './use-sight.ts';

interface Row {
  readonly id: string;
  readonly price: number;
}

const rowsOf = (...ids: readonly string[]): readonly Row[] => ids.map((id) => ({ id, price: 100 }));
const every = (): boolean => true;
const byId = (a: Row, b: Row): number => a.id.localeCompare(b.id);
const sorting = { columnId: 'price', order: 'asc' } as const;

const sizes = { clientHeight: 600, clientWidth: 900 };
const originals = new Map<string, PropertyDescriptor | undefined>();
let stop: () => void = () => undefined;
// There is no layout here; the window over the rows needs one.
beforeEach(() => {
  for (const [name, value] of Object.entries(sizes)) {
    originals.set(name, Object.getOwnPropertyDescriptor(HTMLElement.prototype, name));
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, value });
  }
  stop = keepFocus(document);
});
afterEach(() => {
  stop();
  cleanup();
  for (const [name, descriptor] of originals)
    if (descriptor) Object.defineProperty(HTMLElement.prototype, name, descriptor);
});

/** A price that is typed, a payment and a deletion that are pressed; `change` plays the colleague. */
const setUp = (...ids: readonly string[]) => {
  const saved: string[] = [];
  const paid: string[] = [];
  const deleted: string[] = [];
  const places: (GridPlace | null)[] = [];
  const onPlaceChange = (place: GridPlace | null): void => void places.push(place);
  let change: (next: (rows: readonly Row[]) => readonly Row[]) => void = () => undefined;
  const columns: readonly GridColumn<Row>[] = [
    {
      id: 'price',
      header: 'Цена',
      width: 80,
      cell: (row) => row.price,
      value: (row) => row.price,
      editor: (row) => ({
        kind: 'text',
        initial: String(row.price),
        parse: parsePrice,
        inputMode: 'decimal',
      }),
    },
    {
      id: 'paid',
      header: 'Оплата',
      width: 80,
      cell: () => 'Не оплачено',
      value: () => false,
      act: (row) => paid.push(row.id),
    },
    {
      id: 'delete',
      header: 'Удаление',
      width: 80,
      cell: () => 'Удалить',
      value: () => null,
      act: ({ id }) => {
        deleted.push(id);
        change((rows) => rows.filter((row) => row.id !== id));
      },
    },
  ];
  const Table = () => {
    const [rows, setRows] = useState(rowsOf(...ids));
    change = setRows;
    const { ordered } = useSight({ rows, columns, tie: byId, sorting, fits: every });
    return (
      <EditableGrid
        label="Размещения"
        rows={ordered}
        rowId={(row) => row.id}
        columns={columns}
        sorting={sorting}
        onSortingChange={() => undefined}
        onPlaceChange={onPlaceChange}
        onSave={(row, columnId, value) => void saved.push(`${row.id}.${columnId} ${String(value)}`)}
      />
    );
  };
  render(<Table />);
  return {
    user: userEvent.setup(),
    saved,
    paid,
    deleted,
    places,
    /** The table with these rows, in this order. */
    show: (...next: readonly string[]): void => act(() => change(() => rowsOf(...next))),
  };
};

const focusedRow = (): string | undefined => document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row'];
const ringed = (): readonly (string | undefined)[] =>
  [...document.querySelectorAll<HTMLElement>('.z-grid-row-active')].map((row) => row.dataset['row']);

const cellOf = (row: string, column: number): HTMLElement => {
  const found = document.querySelector<HTMLElement>(`[data-row="${row}"] [data-column="${column}"]`);
  if (!found) throw new Error(`no cell ${row} ${column}`);
  return found;
};

it('TB-21 after a row was deleted by keyboard, keys act on the row with the focus wherever rows come and go above', async () => {
  const { user, show, saved, paid, deleted, places } = setUp('b', 'c', 'd', 'e');
  act(() => cellOf('c', 2).focus());
  await user.keyboard('{Enter}');
  await expect.poll(focusedRow).toBe('d');
  show('a', 'b', 'd', 'e');
  expect([focusedRow(), ringed(), places.at(-1)?.rowId]).toEqual(['d', ['d'], 'd']);
  await user.keyboard('{ArrowRight} ');
  expect(paid).toEqual(['d']);
  show('d', 'e');
  await user.keyboard('{ArrowLeft}7{Enter}');
  expect(saved).toEqual(['d.price 7']);
  show('a', 'b', 'd', 'e');
  await user.keyboard('{ArrowUp}{End}{Enter}');
  expect(deleted).toEqual(['c', 'd']);
});

it('TB-22 a deleted row that is restored does not take the active cell from the row with the focus', async () => {
  const { user, show, saved, places } = setUp('a', 'b', 'c');
  act(() => cellOf('b', 0).focus());
  show('a', 'c');
  await expect.poll(focusedRow).toBe('c');
  show('a', 'b', 'c');
  expect([focusedRow(), ringed(), places.at(-1)?.rowId]).toEqual(['c', ['c'], 'c']);
  await user.keyboard('7{Enter}');
  expect(saved).toEqual(['c.price 7']);
});

it('TB-23 who came in by Tab stays on that row when another one comes above it', async () => {
  const { user, show, saved, places } = setUp('b', 'c');
  await user.tab();
  show('a', 'b', 'c');
  expect([focusedRow(), ringed(), places.at(-1)?.rowId]).toEqual(['b', ['b'], 'b']);
  await user.keyboard('7{Enter}');
  expect(saved).toEqual(['b.price 7']);
});

it('TB-24 who came into the header of a table without rows stays there when rows come', async () => {
  const { user, show, places } = setUp();
  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole('columnheader', { name: 'Цена' }));
  show('a', 'b');
  expect([ringed(), places.at(-1)]).toEqual([[], null]);
  await user.keyboard('{ArrowDown}');
  expect(focusedRow()).toBe('a');
});

it('TB-25 Enter that is held deletes one row and does nothing to the one that gets the focus after it', async () => {
  const { deleted } = setUp('a', 'b', 'c');
  const hold = (repeat: boolean): void => {
    if (document.activeElement) fireEvent.keyDown(document.activeElement, { key: 'Enter', repeat });
  };
  act(() => cellOf('a', 2).focus());
  hold(false);
  await expect.poll(focusedRow).toBe('b');
  hold(true);
  hold(true);
  expect(deleted).toEqual(['a']);
  expect(screen.queryByRole('textbox')).toBeNull();
  hold(false);
  expect(screen.queryByRole('textbox')).not.toBeNull();
});

it('TB-26 the keyboard does not stand on an action of the row that took the place of another, but keeps its column elsewhere', async () => {
  const { user, show, deleted, paid, places } = setUp('a', 'b', 'c', 'd');
  act(() => cellOf('a', 2).focus());
  await user.keyboard('{Enter}');
  await expect.poll(focusedRow).toBe('b');
  expect(places.at(-1)).toMatchObject({ rowId: 'b', columnId: 'price' });
  await user.keyboard('{Enter}{Escape}');
  expect(deleted).toEqual(['a']);
  act(() => cellOf('b', 1).focus());
  show('c', 'd');
  await expect.poll(focusedRow).toBe('c');
  await user.keyboard(' {Escape}');
  expect(paid).toEqual([]);
  // An action on a row that stays is still where the keyboard was.
  act(() => cellOf('c', 1).focus());
  show('b', 'c', 'd');
  await user.keyboard(' ');
  expect(paid).toEqual(['c']);
});
