import { expect, test } from 'vitest';
import { leads } from './fields.ts';

test('REQ-1000 leads of a request are a number or its digits, in groups of three at most; two values are no number together', () => {
  for (const [given, read] of [
    [12, 12],
    ['12', 12],
    [' 1 200 ', 1200],
    ['1\u00a0200', 1200],
    ['', 0],
    [null, 0],
  ] as const)
    expect([given, leads.parse(given)]).toEqual([given, read]);
  for (const given of ['54\n64', '54\t64', '54 64', '-3', '1.5', 1.5, -1])
    expect([given, leads.safeParse(given).success]).toEqual([given, false]);
});
