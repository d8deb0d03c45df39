import { expect, it } from 'vitest';
import { judgedLooks } from './judged-looks.ts';
import { namedPoints } from './price-names.ts';
import type { PricePoint } from './report-figures.ts';

const at = (contractorId: string, price: number, cpl: number, nick = `@${contractorId}`): PricePoint => ({
  contractorId,
  nick,
  price,
  cpl,
  placements: 1,
  judged: 'good',
});

it('ANL-1155 who lies apart from the others is named in the picture: the dearest and the cheapest lead, the dearest placement', () => {
  const middle = Array.from({ length: 30 }, (_, index) => at(`m${index}`, 2_000 + index * 20, 90 + index));
  const named = namedPoints([...middle, at('dear', 1_000, 400), at('cheap', 1_500, 20), at('large', 9_000, 110)]);
  expect([...named]).toEqual(expect.arrayContaining(['dear', 'cheap', 'large']));
  expect(named.size).toBeLessThanOrEqual(5);
});

it('ANL-1156 no name lies over another, nobody without a name is named, and nothing is nobody', () => {
  expect([...namedPoints([at('a', 1_000, 300), at('b', 1_010, 298), at('c', 5_000, 50)])]).toEqual(['a', 'c']);
  expect([...namedPoints([at('x', 1_000, 300, ''), at('c', 5_000, 50)])]).toEqual(['c']);
  expect(namedPoints([]).size).toBe(0);
});

it('ANL-1157 a mark and its line of the legend have one colour, and no two the same shape', () => {
  const looks = Object.values(judgedLooks);
  for (const { className, fill } of looks) expect(fill).toBe(`var(--${className.replace('z-', '')})`);
  for (const of of ['fill', 'path', 'sign'] as const) expect(new Set(looks.map((look) => look[of])).size).toBe(3);
});
