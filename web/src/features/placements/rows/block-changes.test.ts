import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { expect, it } from 'vitest';
import type { CellBlock } from '../../../shared/table/grid-range.ts';
import { placementDocument } from '../../../shared/testing/placement-document.ts';
import { placementColumns } from '../columns/placement-columns.tsx';
import { describeSelection } from '../totals/describe-selection.ts';
import { type BlockChange, clearedBlock, filledBlock, oneCommand } from './block-changes.ts';
import type { Names, PlacementRow } from './placement-row.ts';

const names: Names = { contractors: new Map(), users: new Map(), creatives: new Map() };
const locked = 'p9';
const deps = { names, editable: ({ id }: PlacementRow) => id !== locked };
const nothing = (): void => undefined;
const columns = placementColumns({
  choices: { creatives: [], topics: [], formats: [], buyers: [], nicks: [] },
  editable: deps.editable,
  onOpenContractor: nothing,
  onEditNick: nothing,
  onEditComment: nothing,
  onTogglePayment: nothing,
  onHistory: nothing,
  onWhy: nothing,
  onRemove: nothing,
});

const rowOf = (of: Partial<PlacementWire>): PlacementRow => {
  const placement = placementDocument(of);
  const row = { kind: 'stored', id: placement.id, placement, decided: placement, stored: placement, counted: true };
  return { ...row, nick: `@${placement.contractorId}`, entries: [] } as unknown as PlacementRow;
};
const rows = [
  rowOf({ id: 'p1', price: 500, leads: 5, contractorId: 'k1', paymentStatus: 'paid', comment: 'пост' }),
  rowOf({ id: 'p2', price: 700, leads: 0, contractorId: 'k2', paymentStatus: 'unpaid' }),
  rowOf({ id: 'p3', price: 500, leads: 10, contractorId: 'k1', paymentStatus: 'paid' }),
];

const blockOf = (from: string, to: string, all = rows): CellBlock<PlacementRow> => ({
  rows: all,
  columns,
  top: 0,
  bottom: all.length - 1,
  left: columns.findIndex(({ id }) => id === from),
  right: columns.findIndex(({ id }) => id === to),
});
const bodies = ({ drafts }: BlockChange) => drafts.map(({ target, body }) => [target.id, body]);

it('GRD-1913 a fill sets what differs, all fields of a row together, payment by its own call, as one command', () => {
  const { left } = blockOf('contractor', 'contractor');
  const change = filledBlock({ ...blockOf('contractor', 'leads'), left }, 'down', deps);
  expect(bodies(change)).toEqual([
    ['p2', { contractor: '@k1', price: 500, leads: 5 }],
    ['p3', { leads: 5 }],
  ]);
  expect([change.cells, change.skipped]).toEqual([4, 0]);
  const command = oneCommand(change.drafts, 'Заполнение');
  expect([command?.path, command?.parts?.length]).toEqual(['/api/placements/batch', 2]);
  const paid = filledBlock(blockOf('payment', 'payment'), 'down', deps);
  expect(paid.drafts).toMatchObject([{ path: '/api/placements/p2/payment', body: { paymentStatus: 'paid' } }]);
  expect(oneCommand(paid.drafts, '')?.parts).toBeUndefined();
});

it('GRD-1914 a fill to the right sets what the other column reads, and says what it does not', () => {
  const { left } = blockOf('price', 'price');
  const change = filledBlock({ ...blockOf('price', 'creative'), left }, 'right', deps);
  expect(bodies(change)).toEqual([
    ['p1', { leads: 500 }],
    ['p2', { leads: 700 }],
    ['p3', { leads: 500 }],
  ]);
  expect(change.reasons).toEqual(['«Цена» не подходит для поля «Креатив»']);
  expect([change.cells, change.skipped]).toEqual([3, 3]);
});

it('GRD-1915 a row that this person may not change is left out, and counted', () => {
  const all = [...rows, rowOf({ id: locked, price: 1 })];
  const change = filledBlock(blockOf('price', 'price', all), 'down', deps);
  expect(bodies(change)).toEqual([['p2', { price: 500 }]]);
  expect([change.skipped, change.reasons]).toEqual([1, ['эту строку нельзя править']]);
});

it('GRD-1916 Delete empties what may be empty, leaves the rest and says which, and does nothing to what is empty', () => {
  expect(bodies(clearedBlock(blockOf('price', 'leads'), deps))).toEqual([
    ['p1', { price: 0, leads: 0 }],
    ['p2', { price: 0 }],
    ['p3', { price: 0, leads: 0 }],
  ]);
  expect(bodies(clearedBlock(blockOf('comment', 'post'), deps))).toEqual([['p1', { comment: '' }]]);
  const date = clearedBlock(blockOf('date', 'date'), deps);
  expect([date.drafts, date.reasons]).toEqual([[], ['Поле «Дата» не бывает пустым']]);
});

it('GRD-1917 the selection says how many cells, and the figures of the columns that are in it', () => {
  const plain = (text: string): string => text.replaceAll('\u00a0', ' ');
  expect(plain(describeSelection(blockOf('price', 'price')).whole)).toBe(
    'Выбрано: 3 ячейки · Сумма: 1 700 ₽ · Среднее: 566,67 ₽',
  );
  expect(plain(describeSelection(blockOf('price', 'cpl')).whole)).toBe(
    'Выбрано: 9 ячеек в 3 строках · Сумма: 1 700 ₽ · Среднее: 566,67 ₽ · Приход: 15 · CPL: 113,33 ₽',
  );
  expect(plain(describeSelection(blockOf('topic', 'topic')).whole)).toBe('Выбрано: 3 ячейки');
  expect(plain(describeSelection(blockOf('price', 'cpl')).short)).toBe(
    'Выбрано 9 · 1 700 ₽ · ср. 566,67 ₽ · приход 15 · CPL 113,33 ₽',
  );
  const leaving = [...rows, { ...rowOf({ id: 'p4', price: 9000 }), counted: false }];
  expect(plain(describeSelection(blockOf('price', 'price', leaving)).whole)).toContain('Сумма: 1 700 ₽');
});

it('GRD-1918 a long selection comes to the same wherever it begins and ends', () => {
  const all = Array.from({ length: 1100 }, (_, index) => rowOf({ id: `p${index}`, price: index, leads: 1 }));
  const block = blockOf('price', 'leads', all);
  for (const [top, bottom] of [
    [0, 1099],
    [255, 256],
    [256, 511],
    [3, 700],
    [250, 1024],
    [900, 901],
  ] as const) {
    const sum = ((top + bottom) * (bottom - top + 1)) / 2;
    const leads = bottom - top + 1;
    const text = describeSelection({ ...block, top, bottom }).whole.replaceAll('\u00a0', '');
    expect(text, `${top} to ${bottom}`).toContain(`Сумма: ${sum}₽`);
    expect(text, `${top} to ${bottom}`).toContain(`Приход: ${leads} `);
  }
});
