import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { columnOrder } from './column-order.ts';

interface Row {
  readonly key: string | number;
  /** As rows come: what ties stands in this order. */
  readonly at: number;
}
const byPlace = (a: Row, b: Row): number => a.at - b.at;

it('GRD-3013 rows sorted all at once stand as a comparison of two has them, of texts and numbers, either way', () => {
  const texts = fc.array(fc.constantFrom('@ёж', '@Еж', '@еж', '@2', '@10', '', '@я', '@Я'), { maxLength: 40 });
  const numbers = fc.array(fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true })), { maxLength: 40 });
  fc.assert(
    fc.property(
      fc.oneof(texts, numbers),
      fc.boolean(),
      fc.constantFrom('asc' as const, 'desc' as const),
      (keys, dictionary, way) => {
        const rows = keys.map((key, at): Row => ({ key, at }));
        const order = columnOrder<Row>({ sortBy: ({ key }) => key, dictionary }, way, byPlace);
        expect(order.sort(rows)).toEqual(rows.toSorted(order.compare));
      },
    ),
  );
});

it('GRD-3532 thousands of texts and numbers that differ stand as a comparison of two has them, and are sorted in steps', () => {
  const count = 9000;
  for (const keyOf of [(at: number) => `@${(at * 7919) % count}`, (at: number) => ((at * 7919) % count) / 4]) {
    const rows = Array.from({ length: count }, (_, at): Row => ({ at, key: keyOf(at) }));
    const order = columnOrder<Row>({ sortBy: ({ key }) => key, dictionary: true }, 'asc', byPlace);
    let taken = 0;
    const steps = order.steps?.(rows) ?? [];
    for (const _ of steps) taken += 1;
    expect(taken).toBeGreaterThan(10);
    expect(order.sort(rows)).toEqual(rows.toSorted(order.compare));
    const plain = columnOrder<Row>({ sortBy: ({ key }) => key }, 'desc', byPlace);
    expect(plain.sort(rows)).toEqual(rows.toSorted(plain.compare));
  }
});

it('GRD-3014 sorting compares only keys that differ, however many rows there are', () => {
  let compared = 0;
  const keys = ['@b', '@a', '@c'].map((text) => ({
    toString: () => {
      compared += 1;
      return text;
    },
  }));
  const rows = Array.from({ length: 3000 }, (_, at) => ({ at, key: keys[at % 3] as unknown as string }));
  const order = columnOrder<(typeof rows)[number]>(
    { sortBy: ({ key }) => key, dictionary: true },
    'desc',
    (a, b) => a.at - b.at,
  );
  const sorted = order.sort(rows);
  expect([sorted[0]?.at, sorted.at(-1)?.at]).toEqual([2999, 1]);
  expect(compared).toBeLessThan(30);
});
