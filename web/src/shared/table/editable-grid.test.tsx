import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EditableGrid } from './editable-grid.tsx';
import type { CellColleague, GridColumn, GridPage, GridPlace, GridSorting } from './grid-column.ts';
import { parsePrice } from '../form/number-input.ts';
import { useSight } from './use-sight.ts';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly price: number;
  readonly topic: string;
  readonly paid: boolean;
}

const makeRows = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `r${index}`,
    name: `nick${String(index).padStart(4, '0')}`,
    price: 1000 + index,
    topic: 'Юмор',
    paid: false,
  }));

const every = (): boolean => true;
/** As `makeRows` has them. */
const byId = (a: Row, b: Row): number => Number(a.id.slice(1)) - Number(b.id.slice(1));

const topics = ['Юмор', 'Сад и дача', 'Ёлки', 'Сад'].map((value) => ({ value, label: value }));

const authorOf = () => ({ userId: 'u', name: 'Мария Белова', age: 1200 });

interface Saved {
  readonly id: string;
  readonly columnId: string;
  readonly value: unknown;
}

/** A table with everything the real one has; `change` plays the colleague. */
const setUp = (first: readonly Row[] = makeRows(5), readOnly = false, firstPage?: GridPage) => {
  const saved: Saved[] = [];
  const savedRows: Row[] = [];
  const acted: string[] = [];
  const opened: string[] = [];
  const places: (GridPlace | null)[] = [];
  const onPlaceChange = (place: GridPlace | null): void => void places.push(place);
  const columns: readonly GridColumn<Row>[] = [
    {
      id: 'name',
      header: 'Контрагент',
      width: 100,
      sortBy: (row) => row.name,
      dictionary: true,
      cell: (row) => row.name,
      value: (row) => row.name,
      open: (row) => opened.push(row.id),
    },
    {
      id: 'price',
      header: 'Цена',
      width: 80,
      sortBy: (row) => row.price,
      cell: (row) => row.price,
      value: (row) => row.price,
      figure: { of: ({ price }) => `${price}`, was: (price) => `${price as number} ₽` },
      editor: (row) => ({
        kind: 'text',
        initial: String(row.price),
        parse: parsePrice,
        inputMode: 'decimal',
      }),
    },
    {
      id: 'topic',
      header: 'Тематика',
      width: 80,
      cell: (row) => row.topic,
      value: (row) => row.topic,
      editor: (row) => ({ kind: 'choice', value: row.topic, options: topics }),
    },
    {
      id: 'paid',
      header: 'Оплата',
      width: 80,
      cell: (row) => (row.paid ? 'Оплачено' : 'Не оплачено'),
      value: (row) => row.paid,
      act: (row) => acted.push(row.id),
    },
  ];
  let change: (next: (rows: readonly Row[]) => readonly Row[]) => void = () => undefined;
  let meet: (who: ReadonlyMap<string, readonly CellColleague[]>) => void = () => undefined;
  let turn: (page: GridPage) => void = () => undefined;
  const Table = () => {
    const [colleagues, setColleagues] = useState<ReadonlyMap<string, readonly CellColleague[]>>(new Map());
    const [page, setPage] = useState(firstPage);
    meet = setColleagues;
    turn = setPage;
    const [rows, setRows] = useState(first);
    const [sorting, setSorting] = useState<GridSorting>({ columnId: 'name', order: 'asc' });
    change = setRows;
    const { ordered } = useSight({ rows, columns, tie: byId, sorting, fits: every });
    return (
      <>
        <button type="button">до</button>
        <EditableGrid
          label="Размещения"
          rows={ordered}
          rowId={(row) => row.id}
          columns={columns}
          sorting={sorting}
          onSortingChange={setSorting}
          readOnly={readOnly}
          page={page}
          colleagues={colleagues}
          authorOf={authorOf}
          onPlaceChange={onPlaceChange}
          onSave={(row, columnId, value) => {
            saved.push({ id: row.id, columnId, value });
            savedRows.push(row);
            setRows((now) => now.map((one) => (one.id === row.id ? { ...one, [columnId]: value } : one)));
          }}
        />
        <button type="button">после</button>
      </>
    );
  };
  render(<Table />);
  return {
    user: userEvent.setup(),
    saved,
    savedRows,
    acted,
    opened,
    places,
    change: (next: Parameters<typeof change>[0]) => change(next),
    meet: (who: ReadonlyMap<string, readonly CellColleague[]>) => meet(who),
    turn: (page: GridPage) => turn(page),
  };
};

const cell = (row: string, column: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(`[data-row="${row}"] .z-grid-${column}`);
  if (!found) throw new Error(`no cell ${row} ${column}`);
  return found;
};
const at = (): string => {
  const focused = document.activeElement;
  const row = focused?.closest<HTMLElement>('[data-row]')?.dataset['row'] ?? 'head';
  return `${row}.${focused?.getAttribute('data-column') ?? '-'}`;
};
const field = (name: string): HTMLInputElement => {
  const input = screen.getByLabelText(name, { selector: 'input' });
  if (!(input instanceof HTMLInputElement)) throw new Error(`${name} is no field`);
  return input;
};
const order = (): readonly (string | undefined)[] =>
  [...document.querySelectorAll<HTMLElement>('[data-row]')].map((row) => row.dataset['row']);

describe('editable grid', () => {
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

  it('TB-1 is one Tab stop and comes back to the last active cell', async () => {
    const { user } = setUp();
    await user.click(screen.getByText('до'));
    await user.tab();
    expect(at()).toBe('r0.0');
    await user.keyboard('{ArrowRight}{ArrowDown}');
    expect(at()).toBe('r1.1');
    await user.tab();
    expect(document.activeElement).toBe(screen.getByText('после'));
    await user.tab({ shift: true });
    expect(at()).toBe('r1.1');
  });

  it('TB-2 moves by arrows, Home, End and pages without wrapping, and through the header', async () => {
    const { user } = setUp();
    fireEvent.mouseDown(cell('r0', 'name'));
    await user.keyboard('{ArrowLeft}');
    expect(at()).toBe('r0.0');
    await user.keyboard('{End}');
    expect(at()).toBe('r0.3');
    await user.keyboard('{Control>}{End}{/Control}');
    expect(at()).toBe('r4.3');
    await user.keyboard('{ArrowDown}{Home}');
    expect(at()).toBe('r4.0');
    await user.keyboard('{PageUp}');
    expect(at()).toBe('r0.0');
    await user.keyboard('{ArrowUp}');
    expect(at()).toBe('head.0');
    await user.keyboard('{Enter}');
    expect(order()).toEqual(['r4', 'r3', 'r2', 'r1', 'r0']);
    expect(screen.getAllByRole('columnheader')[0]?.getAttribute('aria-sort')).toBe('descending');
  });

  it('TB-3 Enter edits with the old value selected, Enter saves and goes down, Shift+Enter up, and neither into the header', async () => {
    const { user, saved } = setUp();
    fireEvent.mouseDown(cell('r2', 'price'));
    await user.keyboard('{Enter}');
    const input = field('Цена');
    expect([input.value, input.selectionStart, input.selectionEnd]).toEqual(['1002', 0, 4]);
    await user.keyboard('52,5{Enter}');
    expect(saved).toEqual([{ id: 'r2', columnId: 'price', value: 52.5 }]);
    expect(at()).toBe('r3.1');
    await user.keyboard('7{Shift>}{Enter}{/Shift}');
    expect([saved.at(-1)?.id, at()]).toEqual(['r3', 'r2.1']);
    fireEvent.mouseDown(cell('r0', 'price'));
    await user.keyboard('7{Shift>}{Enter}{/Shift}');
    expect([saved.at(-1)?.id, at()]).toEqual(['r0', 'r0.1']);
    fireEvent.mouseDown(cell('r4', 'price'));
    await user.keyboard('7{Enter}');
    expect([saved.at(-1)?.id, at()]).toEqual(['r4', 'r4.1']);
  });

  it('TB-4 F2 and a double click edit; a printed character replaces the value', async () => {
    const { user, saved } = setUp();
    fireEvent.mouseDown(cell('r0', 'price'));
    await user.keyboard('{F2}');
    expect(field('Цена').value).toBe('1000');
    await user.keyboard('{Escape}');
    fireEvent.doubleClick(cell('r0', 'price'));
    expect(field('Цена').value).toBe('1000');
    await user.keyboard('{Escape}7');
    expect(field('Цена').value).toBe('7');
    await user.keyboard('0{Enter}');
    expect(saved).toEqual([{ id: 'r0', columnId: 'price', value: 70 }]);
  });

  it('TB-5 Escape restores the old value, sends nothing and goes no further', async () => {
    const { user, saved } = setUp();
    let outside = 0;
    const count = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') outside += 1;
    };
    document.body.addEventListener('keydown', count);
    fireEvent.mouseDown(cell('r0', 'price'));
    await user.keyboard('9{Escape}');
    document.body.removeEventListener('keydown', count);
    expect(saved).toEqual([]);
    expect(cell('r0', 'price').textContent).toBe('1000');
    expect(at()).toBe('r0.1');
    expect(outside).toBe(0);
  });

  it('TB-6 an unchanged value is not sent', async () => {
    const { user, saved } = setUp();
    fireEvent.mouseDown(cell('r0', 'price'));
    await user.keyboard('{Enter}{Enter}');
    expect(saved).toEqual([]);
  });

  it('TB-7 Tab saves and goes to the next editable cell, wrapping to the next row; Shift+Tab goes back', async () => {
    const { user, saved } = setUp();
    fireEvent.mouseDown(cell('r0', 'price'));
    await user.keyboard('5{Tab}');
    expect(saved).toEqual([{ id: 'r0', columnId: 'price', value: 5 }]);
    expect(at()).toBe('r0.2');
    await user.keyboard('{Enter}{Tab}');
    expect(at()).toBe('r1.1');
    await user.keyboard('6{Shift>}{Tab}{/Shift}');
    expect(at()).toBe('r0.2');
  });

  it('TB-8 number cells take pasted roubles, thousands, sums and products as they are typed', async () => {
    const { user, saved } = setUp();
    const typed = [
      ['5,2к', 5200],
      ['=500*2', 1000],
      ['5400+300', 5700],
    ] as const;
    for (const [text, value] of typed) {
      fireEvent.mouseDown(cell('r0', 'price'));
      await user.keyboard(`${text}{Enter}`);
      expect(saved.at(-1)).toEqual({ id: 'r0', columnId: 'price', value });
    }
    fireEvent.mouseDown(cell('r0', 'price'));
    await user.keyboard('{Enter}');
    await user.paste('1\u00a0000,50 ₽');
    expect(field('Цена').value).toBe('1\u00a0000,50 ₽');
    await user.keyboard('{Enter}');
    expect(saved.at(-1)).toEqual({ id: 'r0', columnId: 'price', value: 1000.5 });
    expect(saved).toHaveLength(4);
  });

  it('TB-19 what is no number stays as it was typed, from the first sign on, is marked with its refusal, and is not saved', async () => {
    const { user, saved } = setUp();
    for (const text of ['-300', 'abc', '5к5', '5400 64', '1.234', '1000000001']) {
      fireEvent.mouseDown(cell('r1', 'price'));
      await user.keyboard(`${text}{Enter}`);
      expect(field('Цена').value).toBe(text);
      expect(screen.getByRole('alert').textContent).toBe('Некорректная цена');
      expect(field('Цена').getAttribute('aria-invalid')).toBe('true');
      await user.tab();
      expect(field('Цена').value, 'leaving changes nothing').toBe(text);
      await user.keyboard('{Escape}');
    }
    expect(saved).toEqual([]);
    expect(cell('r1', 'price').textContent).toBe('1001');
  });

  it('TB-27 several cells pasted or dropped into an editor are neither glued nor put in, and what stood there stays', async () => {
    const { user, saved } = setUp();
    fireEvent.mouseDown(cell('r0', 'price'));
    await user.keyboard('7');
    for (const text of ['5400\t64', '5400\n64\n', '5400\r\n64', '5400\t']) {
      await user.paste(text);
      expect(field('Цена').value).toBe('7');
      expect(screen.getByRole('alert').textContent).toContain('несколько ячеек');
      await user.keyboard('0{Backspace}');
      expect(screen.queryByRole('alert')).toBeNull();
    }
    fireEvent.drop(field('Цена'), { dataTransfer: { getData: () => '5400\n64' } });
    expect(screen.getByRole('alert').textContent).toContain('несколько ячеек');
    expect(saved).toEqual([]);
    await user.clear(field('Цена'));
    await user.paste('5400\r\n');
    await user.keyboard('{Enter}');
    expect(saved).toEqual([{ id: 'r0', columnId: 'price', value: 5400 }]);
    fireEvent.mouseDown(cell('r0', 'topic'));
    await user.keyboard('{Enter}');
    await user.paste('Ёл\tки');
    expect(field('Тематика').value).toBe('');
    expect(screen.getByRole('alert').textContent).toContain('несколько ячеек');
    await user.keyboard('{Enter}');
    expect(saved).toHaveLength(1);
  });

  it('TB-9 leaving by mouse saves what is valid; what is not stays open with its message', async () => {
    const { user, saved } = setUp();
    fireEvent.mouseDown(cell('r0', 'price'));
    await user.keyboard('8');
    fireEvent.mouseDown(cell('r3', 'name'));
    await waitFor(() => expect(saved).toEqual([{ id: 'r0', columnId: 'price', value: 8 }]));
    expect(at()).toBe('r3.0');
    fireEvent.mouseDown(cell('r1', 'price'));
    await user.keyboard('1.234');
    fireEvent.mouseDown(cell('r3', 'name'));
    expect(screen.getByRole('alert').textContent).toBe('Некорректная цена');
    expect(field('Цена').getAttribute('aria-invalid')).toBe('true');
    expect(saved).toHaveLength(1);
  });

  it('TB-10 a choice shrinks while typing, «ё» is «е», Enter takes it', async () => {
    const { user, saved } = setUp();
    fireEvent.mouseDown(cell('r0', 'topic'));
    await user.keyboard('е');
    const options = within(screen.getByRole('listbox')).getAllByRole('option');
    expect(options.map((option) => option.textContent)).toEqual(['Ёлки']);
    await user.keyboard('{Enter}');
    expect(saved).toEqual([{ id: 'r0', columnId: 'topic', value: 'Ёлки' }]);
  });

  it('TB-11 Enter and Space press what is a button, Space opens what the cell names', async () => {
    const { user, acted, opened } = setUp();
    fireEvent.mouseDown(cell('r1', 'paid'));
    await user.keyboard('{Enter} ');
    expect(acted).toEqual(['r1', 'r1']);
    fireEvent.mouseDown(cell('r1', 'name'));
    await user.keyboard(' ');
    expect(opened).toEqual(['r1']);
  });

  it('TB-12 the row under edit keeps its place until the edit ends, and nothing touches its editor', async () => {
    const { user, saved, change } = setUp();
    await user.click(screen.getByRole('button', { name: /Цена/u }));
    fireEvent.mouseDown(cell('r2', 'price'));
    await user.keyboard('7');
    fireEvent.mouseEnter(cell('r2', 'price'));
    act(() => change((rows) => rows.map((row) => (row.id === 'r2' ? { ...row, price: 1 } : row))));
    expect(order()).toEqual(['r0', 'r1', 'r2', 'r3', 'r4']);
    expect(field('Цена').value).toBe('7');
    act(() => change((rows) => rows.filter((row) => row.id !== 'r2')));
    expect(order()).toEqual(['r0', 'r1', 'r2', 'r3', 'r4']);
    act(() => change((rows) => [...rows, { id: 'r2', name: 'nick0002', price: 2, topic: 'Юмор', paid: false }]));
    await user.keyboard('7{Enter}');
    expect(saved).toEqual([{ id: 'r2', columnId: 'price', value: 77 }]);
    expect(order()).toEqual(['r2', 'r0', 'r1', 'r3', 'r4']);
    expect(at()).toBe('r3.1');
  });

  it('TB-18 a cell that another changed during the edit is saved on the row that the person saw, any other on the row of now', async () => {
    const { user, savedRows, change } = setUp();
    const set = (values: Partial<Row>): void =>
      act(() => change((rows) => rows.map((row) => (row.id === 'r2' ? { ...row, ...values } : row))));
    fireEvent.mouseDown(cell('r2', 'price'));
    await user.keyboard('7');
    set({ price: 1 });
    await user.keyboard('7{Enter}');
    expect(savedRows.at(-1)?.price).toBe(1002);
    fireEvent.mouseDown(cell('r2', 'price'));
    await user.keyboard('8');
    set({ topic: 'Ёлки' });
    await user.keyboard('8{Enter}');
    expect(savedRows.at(-1)).toMatchObject({ price: 77, topic: 'Ёлки' });
  });

  it('GRD-1904 arrows save and leave a cell whose editing was begun by typing, and move the caret in one that was opened', async () => {
    const { user, saved } = setUp();
    fireEvent.mouseDown(cell('r1', 'price'));
    await user.keyboard('5{ArrowDown}');
    expect([saved.at(-1), at()]).toEqual([{ id: 'r1', columnId: 'price', value: 5 }, 'r2.1']);
    await user.keyboard('6{ArrowRight}');
    expect([saved.at(-1), at()]).toEqual([{ id: 'r2', columnId: 'price', value: 6 }, 'r2.2']);
    fireEvent.mouseDown(cell('r3', 'price'));
    await user.keyboard('{F2}{End}{ArrowLeft}{ArrowUp}');
    expect(field('Цена').value).toBe('1003');
    await user.keyboard('{Escape}8{F2}{ArrowLeft}');
    expect(field('Цена').value).toBe('8');
    await user.keyboard('{Escape}abc{ArrowDown}');
    expect(field('Цена').value).toBe('abc');
    expect(screen.getByRole('alert').textContent).toBe('Некорректная цена');
    expect(saved).toHaveLength(2);
  });

  it('GRD-1905 in a list up and down choose, and the sides leave it where it was begun by typing', async () => {
    const { user, saved } = setUp();
    fireEvent.mouseDown(cell('r1', 'topic'));
    await user.keyboard('{Enter}{ArrowDown}{Enter}');
    expect([saved.at(-1), at()]).toEqual([{ id: 'r1', columnId: 'topic', value: 'Сад и дача' }, 'r2.2']);
    await user.keyboard('ёл{ArrowLeft}');
    expect([saved.at(-1), at()]).toEqual([{ id: 'r2', columnId: 'topic', value: 'Ёлки' }, 'r2.1']);
  });

  it('GRD-1919 a typed choice that names nothing stays to be mended; the one of exactly that name goes first', async () => {
    const { user, saved } = setUp();
    fireEvent.mouseDown(cell('r1', 'topic'));
    await user.keyboard('рыбалка{Enter}');
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Тематика' }).value).toBe('рыбалка');
    expect(screen.getByRole('alert').textContent).toBe('Ничего не найдено');
    expect(saved).toEqual([]);
    await user.keyboard('{Escape}{Enter}сад{Enter}');
    expect(saved).toEqual([{ id: 'r1', columnId: 'topic', value: 'Сад' }]);
  });

  it('TB-13 a deleted active row hands the focus to the next one', async () => {
    const { change } = setUp();
    fireEvent.mouseDown(cell('r2', 'price'));
    act(() => change((rows) => rows.filter((row) => row.id !== 'r2')));
    expect(document.querySelector('[data-row="r3"] [tabindex="0"]')).not.toBeNull();
  });

  it('TB-14 only the rows in sight are in the document, and all of them are counted', async () => {
    const { user } = setUp(makeRows(10_000));
    expect(order().length).toBeLessThan(60);
    expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('10001');
    fireEvent.mouseDown(cell('r0', 'price'));
    await user.keyboard('{Control>}{End}{/Control}');
    await waitFor(() => expect(at()).toBe('r9999.3'));
    expect(document.activeElement?.closest('[data-row]')?.getAttribute('aria-rowindex')).toBe('10001');
  });

  it('TB-15 a read-only table says so and does not edit', async () => {
    const { user, acted } = setUp(makeRows(2), true);
    expect(screen.getByRole('grid').getAttribute('aria-readonly')).toBe('true');
    fireEvent.mouseDown(cell('r0', 'price'));
    await user.keyboard('{Enter}5');
    expect(screen.queryByLabelText('Цена', { selector: 'input' })).toBeNull();
    fireEvent.mouseDown(cell('r0', 'paid'));
    await user.keyboard('{Enter}');
    expect(acted).toEqual([]);
  });

  it('TB-16 a change by others flashes, an own one does not', async () => {
    const { user, change } = setUp();
    act(() => change((rows) => rows.map((row) => (row.id === 'r1' ? { ...row, price: 9 } : row))));
    expect(cell('r1', 'price').dataset['flash']).toBe('on');
    fireEvent.mouseDown(cell('r0', 'price'));
    await user.keyboard('3{Enter}');
    expect(cell('r0', 'price').dataset['flash']).toBeUndefined();
  });

  it('TB-17 focus given by other means than key or mouse makes the cell the active one, for F2 and Enter', async () => {
    const { user, saved } = setUp();
    act(() => cell('r3', 'price').focus());
    expect(at()).toBe('r3.1');
    expect(cell('r3', 'price').tabIndex).toBe(0);
    expect(cell('r0', 'name').tabIndex).toBe(-1);
    await user.keyboard('{F2}');
    await user.keyboard('7{Enter}');
    expect(saved).toEqual([{ id: 'r3', columnId: 'price', value: 7 }]);
    await user.dblClick(cell('r3', 'price'));
    await user.keyboard('8');
    act(() => cell('r1', 'paid').focus());
    expect(saved.at(-1)).toEqual({ id: 'r3', columnId: 'price', value: 8 });
    expect(at()).toBe('r1.3');
  });

  it('TBL-1 says where the person stands, and when an edit begins and ends', async () => {
    const { user, places } = setUp();
    expect(places).toEqual([null]);
    fireEvent.mouseDown(cell('r1', 'price'));
    expect(places.at(-1)).toEqual({ rowId: 'r1', columnId: 'price', editing: false });
    await user.keyboard('{Enter}');
    expect(places.at(-1)).toEqual({ rowId: 'r1', columnId: 'price', editing: true });
    await user.keyboard('{Escape}{ArrowRight}');
    expect(places.at(-1)).toEqual({ rowId: 'r1', columnId: 'topic', editing: false });
    await user.keyboard('{Enter}');
    await user.click(screen.getByRole('option', { name: 'Ёлки' }));
    expect(places.at(-1)).toEqual({ rowId: 'r1', columnId: 'topic', editing: false });
    await user.tab();
    expect(places.at(-1)).toBeNull();
  });

  it('TBL-2 shows who edits and who looks at a cell, without touching its value', () => {
    const { meet } = setUp();
    const ilya: CellColleague = { columnId: 'topic', userId: 'i', name: 'Илья Кравцов', mode: 'editing' };
    const maria: CellColleague = { columnId: 'topic', userId: 'm', name: 'Мария Белова', mode: 'viewing' };
    act(() => meet(new Map([['r1', [maria]]])));
    expect(cell('r1', 'topic').textContent).toBe('ЮморМария смотрит');
    expect(cell('r1', 'topic').querySelector('[data-mode="viewing"]')).not.toBeNull();
    act(() => meet(new Map([['r1', [maria, ilya]]])));
    expect(cell('r1', 'topic').textContent).toBe('ЮморИлья правит +1');
    expect(cell('r1', 'price').textContent).toBe('1001');
    act(() => meet(new Map()));
    expect(cell('r1', 'topic').textContent).toBe('Юмор');
  });

  it("TBL-3 a colleague's change says who and what was there before, for three seconds", async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { change } = setUp();
      await act(async () => change((rows) => rows.map((row) => (row.id === 'r1' ? { ...row, price: 9 } : row))));
      expect(cell('r1', 'price').textContent).toBe('1001 ₽9Мария, 1 с');
      act(() => void vi.advanceTimersByTime(2900));
      expect(cell('r1', 'price').textContent).toBe('1001 ₽9Мария, 1 с');
      act(() => void vi.advanceTimersByTime(200));
      expect(cell('r1', 'price').textContent).toBe('9');
      expect(cell('r1', 'price').dataset['flash']).toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });

  it('TBL-4 shows one page of the sorted rows, numbered and counted among all; the row under edit stays on it', async () => {
    const { user, turn, saved } = setUp(makeRows(5), false, { number: 2, size: 2 });
    expect(order()).toEqual(['r2', 'r3']);
    expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('6');
    expect(cell('r3', 'name').closest('[data-row]')?.getAttribute('aria-rowindex')).toBe('5');
    await user.click(screen.getByRole('button', { name: /Цена/u }));
    fireEvent.mouseDown(cell('r2', 'price'));
    await user.keyboard('9999');
    expect(order()).toEqual(['r2', 'r3']);
    await user.keyboard('{Enter}');
    expect(saved).toEqual([{ id: 'r2', columnId: 'price', value: 9999 }]);
    expect(order()).toEqual(['r3', 'r4']);
    act(() => turn({ number: 3, size: 2 }));
    expect(order()).toEqual(['r2']);
  });
});
