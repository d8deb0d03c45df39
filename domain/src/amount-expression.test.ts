import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseLeadsExpression, parsePriceExpression } from './amount-expression.ts';
import { maxLeads, readLeads } from './leads.ts';
import { formatRoubles, formatRoublesExact, kopecks, maxKopecks, parseRoubles } from './money.ts';

test.each([
  ['', 0],
  ['  ', 0],
  ['0', 0],
  ['5400', 540_000],
  ['1000.5', 100_050],
  ['5к', 500_000],
  ['5К', 500_000],
  ['5k', 500_000],
  ['5 к', 500_000],
  ['5,2к', 520_000],
  ['5.255к', 525_500],
  ['0,00001к', 1],
  ['1 200,50 ₽', 120_050],
  ['1\u00a0200,50\u00a0₽', 120_050],
  ['1\u202f200,50\u202f₽', 120_050],
  ['₽ 500', 50_000],
  ['=500*2', 100_000],
  ['500*2', 100_000],
  ['500 × 2', 100_000],
  ['5400+300', 570_000],
  ['= 5к + 1 200,50 ₽ * 2', 740_100],
  ['1000*0,15', 15_000],
  ['1,5*1,5', 225],
  ['1000000к', 100_000_000_000],
  ['1000000000', 100_000_000_000],
])('EXPR-1 %j typed into a price is %i kopecks', (text, amount) => {
  expect(parsePriceExpression(text)).toBe(amount);
});

test.each([
  '-300',
  '−300',
  '+300',
  'abc',
  '5к5',
  '5кк',
  'к',
  '₽',
  '=',
  '==5',
  '5=',
  '12 34',
  '5400 64000',
  '5400\t64',
  '540\t064',
  '540\n064',
  '5400,64,1',
  '1,234',
  '1.005*2',
  '0,000001к',
  '0,1*0,01',
  '5400+',
  '+',
  '5**2',
  '*5',
  '5400-300',
  '5400/2',
  '(5+3)*2',
  '1e5',
  '0x10',
  '١٢',
  '1000000000,01',
  '1000000001',
  '1000001к',
  '500000000+500000001',
  '1000000*1001',
  `${'1+'.repeat(60)}1`,
])('EXPR-2 %j typed into a price is none, and nothing of it is left out to make one', (text) => {
  expect(parsePriceExpression(text)).toBeNull();
});

test.each([
  ['', 0],
  ['64', 64],
  ['1 000', 1000],
  ['5к', 5000],
  ['5,2к', 5200],
  ['=500*2', 1000],
  ['40+24', 64],
  ['1000000000', 1_000_000_000],
])('EXPR-3 %j typed into leads is %i', (text, leads) => {
  expect(parseLeadsExpression(text)).toBe(leads);
});

test.each(['-1', 'abc', '1,5', '5,2345к', '1 00', '64\t12', '5 ₽', '5к5', '1000000001', '1000001к'])(
  'EXPR-4 %j typed into leads is none',
  (text) => {
    expect(parseLeadsExpression(text)).toBeNull();
  },
);

test.each([
  ['5 тыс', 500_000],
  ['5тыс.', 500_000],
  ['5,2 ТЫС. ₽', 520_000],
  ['5 400 ₽', 540_000],
  ['=5400-300', 510_000],
  ['=5400−300', 510_000],
  ['=5400/2', 270_000],
  ['=5400 ÷ 4', 135_000],
  ['=(5+3)*2', 1600],
  ['= ( 5к + 1 200,50 ₽ ) / 2', 310_025],
  ['=((100-200)+300)', 20_000],
  ['=10/(4-2)/5', 100],
  ['=-5', null],
  ['=100-200', null],
  ['=1000/3', null],
  ['=5/0', null],
  ['=5/(3-3)', null],
  ['=()', null],
  ['=(5', null],
  ['=5)', null],
  ['=5(3)', null],
  ['=(5)(3)', null],
  ['=5 тыс тыс', null],
  ['12abc', null],
  ['1,2,3', null],
  ['5 400 руб за пост', null],
  ['6000-5000', null],
  ['1/24', null],
  ['10/2', null],
  [`=${'('.repeat(60)}1${')'.repeat(60)}`, null],
])(
  'CEL-1940 %j in a price cell is %j kopecks: differences, quotients and brackets stand behind an =',
  (text, amount) => {
    expect(parsePriceExpression(text)).toBe(amount);
  },
);

test('CEL-1941 a formula comes to what its parts come to, however deep its brackets, and never to a rounded amount', () => {
  const part = fc.integer({ min: 1, max: 99_999 });
  fc.assert(
    fc.property(part, part, fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 20 }), (a, b, by, depth) => {
      const [open, close] = ['('.repeat(depth), ')'.repeat(depth)];
      const [more, less] = [Math.max(a, b), Math.min(a, b)];
      expect(parsePriceExpression(`=${open}${more}-${less}${close}*${by}`)).toBe((more - less) * by * 100);
      const quotient = (more * 100) / by;
      expect(parsePriceExpression(`=${more}/${open}${by}${close}`)).toBe(Number.isInteger(quotient) ? quotient : null);
      expect(parsePriceExpression(`${more}-${less}`)).toBeNull();
    }),
  );
});

const signs = (all: string): fc.Arbitrary<string> => fc.constantFrom(...all.split(''));
const anyPrice = fc.integer({ min: 0, max: maxKopecks }).map(kopecks);
const anyLeads = fc.integer({ min: 0, max: maxLeads });
const smallPrice = fc.integer({ min: 0, max: 1_000_000 });
/** Roubles as somebody may write them, of so many kopecks. */
const written = (amount: number, comma: boolean): string => {
  const text = (amount / 100).toFixed(2);
  return comma ? text.replace('.', ',') : text;
};

test('EXPR-5 every amount reads back as it is shown, and every price that is read elsewhere is read here alike', () => {
  fc.assert(
    fc.property(anyPrice, fc.boolean(), (amount, comma) => {
      for (const text of [formatRoubles(amount), formatRoublesExact(amount), written(amount, comma)])
        expect(parsePriceExpression(text)).toBe(amount);
    }),
  );
  const text = fc.string({ unit: signs('0123456789., \u00a0\u202f₽'), maxLength: 12 });
  fc.assert(
    fc.property(text, (typed) => {
      const price = parseRoubles(typed);
      expect(price === null || parsePriceExpression(typed) === price).toBe(true);
      const leads = readLeads(typed);
      expect(leads === null || parseLeadsExpression(typed) === leads).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test('EXPR-6 sums are those of their parts to the kopeck, whatever their order, and a product by a whole number is that sum', () => {
  fc.assert(
    fc.property(fc.array(smallPrice, { minLength: 1, maxLength: 6 }), fc.boolean(), (parts, comma) => {
      const sum = parts.reduce((all, one) => all + one, 0);
      const texts = parts.map((one) => written(one, comma));
      expect(parsePriceExpression(texts.join('+'))).toBe(sum);
      expect(parsePriceExpression(`=${texts.toReversed().join(' + ')}`)).toBe(sum);
    }),
  );
  fc.assert(
    fc.property(smallPrice, fc.integer({ min: 0, max: 999 }), (price, times) => {
      expect(parsePriceExpression(`${written(price, false)}*${times}`)).toBe(price * times);
      expect(parsePriceExpression(`=${times}*${written(price, true)}`)).toBe(price * times);
    }),
  );
});

test('EXPR-7 a sign that belongs to no amount makes the whole text none, wherever it stands', () => {
  const foreign = signs('-−/()abcxyzабв!?%$€#"\'_\\\t\n;:<>');
  fc.assert(
    fc.property(anyPrice, foreign, fc.nat(20), (amount, sign, at) => {
      const text = String(amount / 100);
      // Blanks at the ends of a text do not count.
      const place = /\s/u.test(sign) ? 1 + (at % Math.max(1, text.length - 1)) : at % (text.length + 1);
      fc.pre(place < text.length || !/\s/u.test(sign));
      expect(parsePriceExpression(text.slice(0, place) + sign + text.slice(place))).toBeNull();
    }),
    { numRuns: 1000 },
  );
});

test('EXPR-8 any text ends in an amount within its range or in none, and never in an error', () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: signs('0123456789.,+*=/-()к ₽'), maxLength: 30 }));
  fc.assert(
    fc.property(text, (typed) => {
      const price = parsePriceExpression(typed);
      const leads = parseLeadsExpression(typed);
      expect(price === null || (Number.isInteger(price) && price >= 0 && price <= maxKopecks)).toBe(true);
      expect(leads === null || (Number.isInteger(leads) && leads >= 0 && leads <= maxLeads)).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test('EXPR-9 leads read back as they are written, grouped or in thousands', () => {
  fc.assert(
    fc.property(anyLeads, (leads) => {
      expect(parseLeadsExpression(String(leads))).toBe(leads);
      expect(parseLeadsExpression(leads.toLocaleString('ru-RU'))).toBe(leads);
      expect(parseLeadsExpression(`${String(leads / 1000).replace('.', ',')}к`)).toBe(leads);
    }),
  );
});
