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
  const named = namedPoints([...middle, at('dear', 1_000, 400), at('cheap', 1_500, 20), at('large', 9_000, 110)], 400);
  expect([...named.keys()]).toEqual(expect.arrayContaining(['dear', 'cheap', 'large']));
  expect(named.size).toBeLessThanOrEqual(5);
});

it('ANL-1156 no name lies over another, nobody without a name is named, and nothing is nobody', () => {
  const names = (points: readonly PricePoint[], most = 400): readonly string[] => [...namedPoints(points, most).keys()];
  expect(names([at('a', 1_000, 300), at('b', 1_010, 298), at('c', 5_000, 50)])).toEqual(['a', 'c']);
  expect(names([at('x', 1_000, 300, ''), at('c', 5_000, 50)])).toEqual(['c']);
  expect(names([])).toEqual([]);
});

it('ANL-1157 a mark and its line of the legend have one colour, and no two the same shape', () => {
  const looks = Object.values(judgedLooks);
  for (const { className, fill } of looks) expect(fill).toBe(`var(--${className.replace('z-', '')})`);
  for (const of of ['fill', 'path', 'sign'] as const) expect(new Set(looks.map((look) => look[of])).size).toBe(3);
});

it('CTR-1191 dearer leads than are drawn lie on one edge: no name stands there over marks or another name, long ones are shortened', () => {
  const many = Array.from({ length: 9 }, (_, index) => at(`d${index}`, 1_800 - index * 100, 5_000 + index * 1_000));
  expect([...namedPoints([...many, at('cheap', 900, 60), at('apart', 9_000, 500)], 400).keys()]).toEqual([
    'cheap',
    'apart',
  ]);
  // From both sides towards the middle.
  const facing = [
    at('left', 4_400, 900, '@long_name_left'),
    at('right', 5_600, 800, '@long_name_right'),
    at('o', 0, 50),
  ];
  expect([...namedPoints([...facing, at('far', 10_000, 60)], 400).keys()]).not.toEqual(
    expect.arrayContaining(['left', 'right']),
  );
  expect(namedPoints([at('a', 1_000, 300, `@${'w'.repeat(63)}`)], 400).get('a')?.text).toBe(`@${'w'.repeat(16)}…`);
});
