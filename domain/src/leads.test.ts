import { expect, test } from 'vitest';
import { readLeads } from './leads.ts';

test.each([
  [0, 0],
  [1_000_000_000, 1_000_000_000],
  ['', 0],
  ['12', 12],
  ['1\u00a0000', 1000],
  [' 1 000 000 ', 1_000_000],
])('LEADS-1 %j is read as %i', (outside, leads) => {
  expect(readLeads(outside)).toBe(leads);
});

test.each([
  [-1],
  [1.5],
  [1_000_000_001],
  [Number.NaN],
  ['1,5'],
  ['1.0'],
  ['-1'],
  ['1 00'],
  ['540\t064'],
  ['540\n064'],
  ['abc'],
  [null],
  [true],
])('LEADS-2 %j is no number of leads', (outside) => {
  expect(readLeads(outside)).toBeNull();
});
