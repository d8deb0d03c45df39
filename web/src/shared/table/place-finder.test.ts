import { expect, it } from 'vitest';
import { placeFinder } from './place-finder.ts';

interface Row {
  readonly id: string;
}
const many = 5000;
const rowsOf = (count: number): readonly Row[] => Array.from({ length: count }, (_, index) => ({ id: `r${index}` }));

it('GRD-3000 a row that an order put elsewhere is looked for among all rows once, not with every paint', () => {
  const find = placeFinder();
  let asked = 0;
  const idOf = ({ id }: Row): string => {
    asked += 1;
    return id;
  };
  const rows = rowsOf(many).toReversed();
  expect(find(rows, idOf, 'r3', 3)).toBe(many - 4);
  expect(asked).toBeGreaterThan(many - 5);
  asked = 0;
  expect(find(rows, idOf, 'r3', 3)).toBe(many - 4);
  // Rows came and went above it.
  expect(find(rows.slice(5), idOf, 'r3', 3)).toBe(many - 9);
  expect(find([{ id: 'new' }, ...rows], idOf, 'r3', 3)).toBe(many - 3);
  expect(asked).toBeLessThan(100);
});

it('GRD-3001 a row that went is nowhere, and one that came back is found where it is', () => {
  const find = placeFinder();
  const idOf = ({ id }: Row): string => id;
  const rows = rowsOf(100);
  expect(find(rows, idOf, 'r70', 0)).toBe(70);
  expect(find(rows.toSpliced(70, 1), idOf, 'r70', 0)).toBe(-1);
  expect(find([...rows.toSpliced(70, 1), { id: 'r70' }], idOf, 'r70', 0)).toBe(99);
  expect(find([], idOf, 'r70', 0)).toBe(-1);
  for (let index = 0; index < 40; index += 1) expect(find(rows, idOf, `r${index}`, 99)).toBe(index);
  expect(find(rows, idOf, 'r70', 0)).toBe(70);
});
