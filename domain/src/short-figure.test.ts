import { describe, expect, it } from 'vitest';
import { formatRoubles, formatRoublesExact, kopecks } from './money.ts';
import { formatNumber } from './russian.ts';
import { shortFigure } from './short-figure.ts';

const roubles = (amount: number): string => formatRoubles(kopecks(Math.round(amount * 100)));
const spaced = (text: string): string => text.replaceAll(' ', '\u00a0');

describe('a figure that is shortened', () => {
  it.each([
    [formatNumber(1_272_000), '1,27 млн'],
    [formatNumber(20_704), '20,7 тыс.'],
    [formatNumber(999_600), '1 млн'],
    [formatNumber(999_999_999), '1 млрд'],
    [formatNumber(123_456_789), '123 млн'],
    [roubles(16_500_000.5), '16,5 млн ₽'],
    [roubles(-3_498_723.5), '−3,5 млн ₽'],
    [roubles(1_000_000_000), '1 млрд ₽'],
    [formatRoublesExact(kopecks(9_365_008)), '93,7 тыс. ₽'],
  ])('SHF-1080 %s is %s', (text, short) => {
    expect(shortFigure(text)).toBe(spaced(short));
  });

  it.each(['9 999 ₽', '9 999,99 ₽', '0', '64', '—', '56,8 %', '12 000 размещений', '1272000'])(
    'SHF-1081 %s stays as it is',
    (text) => {
      expect(shortFigure(spaced(text))).toBeNull();
    },
  );
});

it('FIT-1242 a percentage of millions is shortened too, a common one is not', () => {
  expect(shortFigure(spaced('280 833 580 %'))).toBe(spaced('281 млн %'));
  expect(shortFigure(spaced('239,82 %'))).toBeNull();
});

it('SHF-1517 what came in addition is shortened with its sign', () => {
  expect(shortFigure(spaced('+1 272 000'))).toBe(spaced('+1,27 млн'));
  expect(shortFigure('+48')).toBeNull();
});
