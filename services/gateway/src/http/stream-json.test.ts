import { assert, jsonValue, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isShort, streamJson } from './stream-json.ts';

const many = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, id) => ({ id, name: `"${id}"\n`, left: undefined, notes: [] }));

describe('JSON in parts', () => {
  test('HOLD-40 is what JSON.stringify writes, whatever the value', () => {
    assert(
      property(jsonValue(), (value) => {
        expect([...streamJson(value)].join('')).toBe(JSON.stringify(value));
      }),
    );
  });

  test.each([
    ['a long list', many(5_000)],
    ['long lists in a list', [many(3_000), 1, many(10), many(4_000), null]],
    [
      'long lists in objects',
      { success: true, data: { rows: many(3_000), none: undefined, more: { rows: many(900) } } },
    ],
    ['an object of many members', Object.fromEntries(many(3_000).map((one, index) => [`m${index}`, one]))],
    ['lists without a value', [undefined, ...many(3_000), undefined]],
    ['a list of none in a long one', { none: [], empty: {}, rows: many(3_000) }],
  ])('HOLD-41 %s is written as JSON.stringify does, in short parts', (_, value) => {
    const texts = [...streamJson(value)];
    expect(texts.join('')).toBe(JSON.stringify(value));
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThan(60_000);
    expect(isShort(value)).toBe(false);
  });
});
