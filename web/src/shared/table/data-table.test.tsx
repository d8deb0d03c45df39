import { render, screen, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { type DataColumn, DataTable } from './data-table.tsx';

interface Line {
  readonly id: string;
  readonly name: string;
  /** Null = not told. */
  readonly spent: number | null;
  readonly leads: number;
}

const lines: readonly Line[] = [
  { id: 'a', name: 'Альфа', spent: 10, leads: 1 },
  { id: 'b', name: 'Бета', spent: null, leads: 2 },
];

const columns: readonly DataColumn<Line>[] = [
  { id: 'name', header: 'Кто', isName: true, sum: 'Итого', cell: ({ name }) => name },
  {
    id: 'spent',
    header: 'Расход',
    align: 'right',
    cardLabel: 'Расход',
    sum: '10',
    span: ({ spent }) => (spent === null ? 2 : 1),
    cell: ({ spent }) => spent ?? 'не показывается',
  },
  {
    id: 'leads',
    header: 'Приход',
    isWideOnly: true,
    sum: '3',
    span: ({ spent }) => (spent === null ? 0 : 1),
    cell: ({ leads }) => leads,
  },
];
const lineId = ({ id }: Line): string => id;
const table = <DataTable label="Итоги" columns={columns} rows={lines} rowId={lineId} />;
const textsOf = (row: Element): readonly (string | null)[] => [...row.children].map(({ textContent }) => textContent);

describe('a table that is only read', () => {
  test('TBL-1775 draws headings, a row for each, and a wide cell in the place of those that it covers', () => {
    render(table);
    const rows = screen.getAllByRole('row');
    expect(rows.map(textsOf)).toEqual([
      ['Кто', 'Расход', 'Приход'],
      ['Альфа', '10', '1'],
      ['Бета', 'не показывается'],
    ]);
    expect(screen.getByRole('rowheader', { name: 'Бета' })).toBeTruthy();
    const [wide] = within(rows[2] as HTMLElement).getAllByRole<HTMLTableCellElement>('cell');
    expect(wide?.colSpan).toBe(2);
    expect(wide?.className).toBe('z-right');
    expect(wide?.dataset['label']).toBe('Расход');
  });

  test('TBL-1776 leaves out what has no room, in the head, the rows and the sums', () => {
    render(<DataTable label="Итоги" columns={columns} rows={lines.slice(0, 1)} rowId={lineId} narrow hasSums />);
    expect(screen.getAllByRole('row').map(textsOf)).toEqual([
      ['Кто', 'Расход'],
      ['Альфа', '10'],
      ['Итого', '10'],
    ]);
  });

  test('TBL-1777 shows what stands behind a row below it, over all columns', () => {
    render(
      <DataTable
        label="Итоги"
        columns={columns}
        rows={lines}
        rowId={lineId}
        detail={({ id }) => (id === 'a' ? 'по дням' : null)}
      />,
    );
    expect(screen.getAllByRole('row').map(textsOf).slice(1)).toEqual([
      ['Альфа', '10', '1'],
      ['по дням'],
      ['Бета', 'не показывается'],
    ]);
    expect(screen.getByRole<HTMLTableCellElement>('cell', { name: 'по дням' }).colSpan).toBe(3);
  });

  test('TBL-1778 says how its rows stand, and a press on a heading is told', () => {
    const onToggle = vi.fn<(event: unknown) => void>();
    const ordered: readonly DataColumn<Line>[] = [
      { id: 'name', header: 'Кто', order: { direction: null, onToggle }, cell: ({ name }) => name },
      { id: 'leads', header: 'Приход', order: { direction: 'descending', onToggle }, cell: ({ leads }) => leads },
    ];
    render(<DataTable label="Итоги" columns={ordered} rows={lines} rowId={lineId} />);
    expect(screen.getByRole('columnheader', { name: 'Кто' }).getAttribute('aria-sort')).toBeNull();
    expect(screen.getByRole('columnheader', { name: 'Приход' }).getAttribute('aria-sort')).toBe('descending');
    screen.getByRole('button', { name: 'Кто' }).click();
    expect(onToggle).toHaveBeenCalledOnce();
  });

  test('TBL-1779 without rows it is what it was given instead, without headings it has no head', () => {
    const { rerender, container } = render(
      <DataTable label="Итоги" columns={columns} rows={[]} rowId={lineId} empty="Пусто" />,
    );
    expect(container.textContent).toBe('Пусто');
    rerender(<DataTable label="Итоги" columns={columns} rows={[]} rowId={lineId} />);
    expect(screen.getAllByRole('columnheader')).toHaveLength(3);
    const bare: readonly DataColumn<Line>[] = [{ id: 'name', cell: ({ name }) => name }];
    rerender(<DataTable label="Итоги" columns={bare} rows={lines} rowId={lineId} />);
    expect(container.querySelector('thead')).toBeNull();
  });
});
