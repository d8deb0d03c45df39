import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useMemo, useState } from 'react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EditableGrid } from './editable-grid.tsx';
import type { GridColumn } from './grid-column.ts';
import { rowGroups } from './arranged-groups.ts';
import { type CellBlock, rowsOf } from './grid-range.ts';

interface Row {
  readonly id: string;
  readonly buyer: string;
  readonly price: number;
}

const rowsFrom = (count: number): readonly Row[] =>
  Array.from({ length: count }, (_, index) => ({ id: `r${index}`, buyer: index % 2 ? 'Анна' : 'Илья', price: index }));
const columns: readonly GridColumn<Row>[] = [
  { id: 'buyer', header: 'Байер', width: 80, cell: ({ buyer }) => buyer, value: ({ buyer }) => buyer },
  {
    id: 'price',
    header: 'Цена',
    width: 80,
    sortBy: ({ price }) => price,
    cell: ({ price }) => `${price} ₽`,
    value: ({ price }) => price,
    copied: ({ price }) => ({ kind: 'number', value: price }),
    editor: ({ price }) => ({
      kind: 'text',
      initial: String(price),
      parse: (text) => ({ ok: true, value: Number(text) }) as never,
    }),
  },
];

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

const setUp = async (count: number) => {
  const told: string[] = [];
  const tell = (what: string) => (block: CellBlock<Row>) =>
    void told.push(
      `${what} ${rowsOf(block)
        .map(({ id }) => id)
        .join(' ')}`,
    );
  const selected: (string | null)[] = [];
  const dearestFirst = rowsFrom(count).toReversed();
  const Table = () => {
    const [closed, setClosed] = useState<readonly string[]>([]);
    const groups = useMemo(
      () =>
        rowGroups<Row>({
          keyOf: ({ buyer }) => buyer,
          labelOf: ({ buyer }) => buyer,
          compare: ([a], [b]) => a.localeCompare(b, 'ru'),
          sayOf: (members) => `${members.length} шт.`,
          isOpen: (key) => !closed.includes(key),
          toggle: (key) =>
            setClosed((before) => (before.includes(key) ? before.filter((one) => one !== key) : [...before, key])),
        }),
      [closed],
    );
    return (
      <EditableGrid
        label="Размещения"
        rows={dearestFirst}
        rowId={({ id }) => id}
        columns={columns}
        groups={groups}
        sorting={{ columnId: 'price', order: 'desc' }}
        onSortingChange={() => undefined}
        onSave={() => undefined}
        onSelect={(block) => void selected.push(block && `${rowsOf(block).length}`)}
        onClear={tell('clear')}
        onFill={tell('fill')}
        onDuplicate={tell('again')}
        onPaste={(_, at) => void told.push(`paste ${at.rows[at.top]?.id ?? 'below'}`)}
        onMenu={({ block }) => tell('menu')(block)}
      />
    );
  };
  render(<Table />);
  await screen.findByText('Анна', { selector: 'b' });
  return { told, selected, user: userEvent.setup() };
};

const lines = (): readonly string[] =>
  [...document.querySelectorAll('[data-row]')].map((row) => (row as HTMLElement).dataset['row'] ?? '');
const line = (id: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(`[data-row="${id}"]`);
  if (!found) throw new Error(`no line ${id}`);
  return found;
};
const cellOf = (id: string, column = 1): HTMLElement => {
  const found = line(id).querySelectorAll<HTMLElement>('[data-column]')[column];
  if (!found) throw new Error(`no cell of ${id}`);
  return found;
};
const anna = 'group:Анна';
const ilya = 'group:Илья';

it('VIW-2334 rows stand in their groups, sorted in each, below a line with its sums; a tree for those who listen', async () => {
  await setUp(5);
  expect(lines()).toEqual([anna, 'r3', 'r1', ilya, 'r4', 'r2', 'r0']);
  expect(screen.getByRole('treegrid').getAttribute('aria-rowcount')).toBe('8');
  expect(line(anna).textContent).toBe('Анна2 шт.');
  expect(line(anna).getAttribute('aria-level')).toBe('1');
  expect(line(anna).getAttribute('aria-expanded')).toBe('true');
  expect(line('r4').getAttribute('aria-level')).toBe('2');
  expect(line('r2').querySelector('[data-number]')?.textContent).toBe('2');
});

it('VIW-2335 a group closes and opens by the mouse, by Left and Right, Enter and Space, the keyboard stays and keeps its column', async () => {
  const { user } = await setUp(5);
  await user.click(cellOf('r1'));
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(cellOf(ilya, 0));
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(cellOf('r4'));
  await user.keyboard('{ArrowUp}{ArrowLeft}');
  expect(lines()).toEqual([anna, 'r3', 'r1', ilya]);
  expect(line(ilya).getAttribute('aria-expanded')).toBe('false');
  expect(document.activeElement).toBe(cellOf(ilya, 0));
  await user.keyboard('{ArrowRight}');
  expect(lines()).toHaveLength(7);
  for (const key of ['{Enter}', ' ']) await user.keyboard(key);
  expect(lines()).toHaveLength(7);
  await user.click(cellOf(anna, 0));
  expect(lines()).toEqual([anna, ilya, 'r4', 'r2', 'r0']);
});

it('VIW-2336 what is done to blocks goes over rows only, and nothing is done to a line of a group', async () => {
  const { told, selected, user } = await setUp(5);
  await user.click(cellOf('r1'));
  await user.keyboard('{Shift>}{ArrowDown}{ArrowDown}{/Shift}{Delete}{Control>}d{/Control}');
  expect(told).toEqual(['clear r1 r4', 'fill r1 r4']);
  expect(selected.at(-1)).toBe('2');
  await user.click(cellOf('r4'));
  await user.keyboard('{ArrowUp}{Delete}{Control>}dj{/Control}7{F2}');
  fireEvent.paste(document, { clipboardData: { getData: () => '1\t2' } });
  fireEvent.contextMenu(cellOf(ilya, 0));
  expect(told).toHaveLength(2);
  expect(screen.queryByRole('textbox')).toBeNull();
  await user.click(cellOf('r4'));
  fireEvent.paste(document, { clipboardData: { getData: () => '1\t2' } });
  fireEvent.contextMenu(cellOf('r2'));
  await user.keyboard('{Control>}a{/Control}');
  expect(told.slice(2)).toEqual(['paste r4', 'menu r2']);
  expect(selected.at(-1)).toBe('5');
});

it('VIW-2337 of 20,000 rows in groups only those in sight are drawn, all of them counted', async () => {
  const { selected, user } = await setUp(20_000);
  expect(lines().length).toBeLessThan(60);
  expect(screen.getByRole('treegrid').getAttribute('aria-rowcount')).toBe('20003');
  await user.click(cellOf(anna, 0));
  expect(lines().slice(0, 3)).toEqual([anna, ilya, 'r19998']);
  expect(screen.getByRole('treegrid').getAttribute('aria-rowcount')).toBe('10003');
  await user.keyboard('{Control>}a{/Control}');
  expect(selected.at(-1)).toBe('10000');
});
