import { expect, it } from 'vitest';
import { columnLayout } from './column-layout.ts';
import type { GridColumn } from './grid-column.ts';

const column = (id: string, width: number, more: Partial<GridColumn<object>> = {}): GridColumn<object> => ({
  id,
  header: id,
  width,
  value: () => null,
  cell: () => null,
  ...more,
});

it('TB-1122 where room lacks columns give of theirs down to their least, and only then the table scrolls', () => {
  const { template, least, cells } = columnLayout([
    column('date', 189, { least: 142, pinned: true }),
    column('contractor', 137, { pinned: true }),
    column('price', 106),
  ]);
  expect(template).toBe('34px minmax(142px, 189fr) minmax(137px, 137fr) minmax(106px, 106fr)');
  expect(least).toBe(34 + 142 + 137 + 106);
  // By then the first ones are as narrow as they get: what stays is beside them.
  expect(cells.map(({ style }) => style?.left)).toEqual([34, 34 + 142, undefined]);
});

it('TB-1311 in a wide window a column is no wider than what it shows wants, and names have what that leaves', () => {
  const { template, wide } = columnLayout([
    column('date', 189, { least: 142, most: 236 }),
    column('creative', 119, { least: 92, grows: 170 }),
    column('price', 106),
  ]);
  expect(template).toBe('34px minmax(142px, 189fr) minmax(92px, 119fr) minmax(106px, 106fr)');
  expect(wide).toBe('34px minmax(142px, 236px) minmax(92px, 170fr) minmax(106px, 106fr)');
});
