import { expect, it } from 'vitest';
import { arrangedColumns, type ColumnArrangement, usualArrangement } from './arranged-columns.ts';
import { isMovable, widthWithin, withPin, withPlace, withWidth } from './column-changes.ts';
import { columnLayout } from './column-layout.ts';
import type { GridColumn } from './grid-column.ts';

const column = (id: string, more: Partial<GridColumn<never>> = {}): GridColumn<never> => ({
  id,
  header: id,
  width: 100,
  value: () => null,
  cell: () => null,
  ...more,
});
const date = column('date', { pinned: true, least: 142 });
const price = column('price', { align: 'end' });
const topic = column('topic', { least: 90 });
const buyer = column('buyer', { most: 150 });
const trash = column('delete', { fixed: true });
const all = [date, price, topic, buyer, trash];

const orderOf = (arrangement: ColumnArrangement): string =>
  arrangedColumns(all, arrangement)
    .map(({ id }) => id)
    .join(' ');

it('GRD-2361 columns stand as they were laid, those that stay first and the fixed one last, and what is unknown changes nothing', () => {
  expect(orderOf(usualArrangement)).toBe('date price topic buyer delete');
  const laid = { widths: {}, order: ['gone', 'buyer', 'delete', 'price', 'date', 'topic'], pinned: [] };
  expect(orderOf(laid)).toBe('date buyer price topic delete');
  expect(orderOf({ ...laid, pinned: ['topic', 'gone', 'price'] })).toBe('date topic price buyer delete');
  // A column that came later stands after those that were laid.
  expect(orderOf({ ...laid, order: ['buyer', 'price'] })).toBe('date buyer price topic delete');
});

it('GRD-2362 a column takes the place of another of its part, on the side from which it came', () => {
  const later = withPlace(usualArrangement, all, price, buyer);
  expect(later && orderOf(later)).toBe('date topic buyer price delete');
  const earlier = later && withPlace(later, all, price, topic);
  expect(earlier && orderOf(earlier)).toBe('date price topic buyer delete');
  const pinned = withPin(withPin(usualArrangement, buyer), topic);
  expect(orderOf(pinned)).toBe('date buyer topic price delete');
  const swapped = withPlace(pinned, all, topic, buyer);
  expect(swapped && orderOf(swapped)).toBe('date topic buyer price delete');
  expect(orderOf(withPin(pinned, buyer))).toBe('date topic price buyer delete');
  expect([
    withPlace(pinned, all, price, buyer),
    withPlace(pinned, all, price, date),
    withPlace(pinned, all, date, price),
    withPlace(pinned, all, price, trash),
    withPlace(pinned, all, price, price),
  ]).toEqual([null, null, null, null, null]);
  expect(all.filter((one) => isMovable(one, usualArrangement)).map(({ id }) => id)).toEqual([
    'price',
    'topic',
    'buyer',
  ]);
});

it('GRD-2363 a width lies within its bounds, and no column of figures is narrower than they need', () => {
  expect([widthWithin(topic, 7), widthWithin(price, 7), widthWithin(topic, 123.4), widthWithin(topic, 9000)]).toEqual([
    48, 100, 123, 480,
  ]);
  expect(withWidth(usualArrangement, topic, 200).widths).toEqual({ topic: 200 });
});

it('GRD-2364 a chosen width holds in every window, and what is pinned stays beside what was', () => {
  const laid = withPin(withWidth(usualArrangement, buyer, 210), buyer);
  const { template, wide, least, cells } = columnLayout(arrangedColumns(all, laid));
  expect(template).toBe(
    '34px minmax(142px, 100fr) 210px minmax(100px, 100fr) minmax(90px, 100fr) minmax(100px, 100fr)',
  );
  expect(wide).toBe(template);
  expect(least).toBe(34 + 142 + 210 + 100 + 90 + 100);
  // In a window that is too narrow for both the later one gives way to what scrolls.
  expect(cells.map(({ style }) => style?.left)).toEqual([
    34,
    'min(176px, calc(60% - 210px))',
    undefined,
    undefined,
    undefined,
  ]);
});
