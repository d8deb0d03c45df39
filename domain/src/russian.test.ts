import { expect, test } from 'vitest';
import { formatLeads, formatNumber, formatPercent, plural } from './russian.ts';

test.each([
  [0, 'лидов'],
  [1, 'лид'],
  [2, 'лида'],
  [4, 'лида'],
  [5, 'лидов'],
  [11, 'лидов'],
  [12, 'лидов'],
  [21, 'лид'],
  [22, 'лида'],
  [101, 'лид'],
  [111, 'лидов'],
  [1.5, 'лида'],
  [-1, 'лид'],
])('RU-1 after %s comes %s', (n, word) => {
  expect(plural(n, 'лид', 'лида', 'лидов')).toBe(word);
});

test('RU-2 a fraction may have its own form', () => {
  expect(plural(1.5, 'процент', 'процента', 'процентов', 'процента (дробь)')).toBe('процента (дробь)');
});

test.each([
  [0, '0'],
  [-0, '0'],
  [-0.001, '0'],
  [999, '999'],
  [1000, '1\u00a0000'],
  [1_234_567.5, '1\u00a0234\u00a0567,5'],
  [0.125, '0,13'],
  [-20, '\u221220'],
  [-1234.5, '\u22121\u00a0234,5'],
])('RU-3 %s is shown as %s', (value, text) => {
  expect(formatNumber(value)).toBe(text);
});

test('RU-4 percents and leads are held to their number by NBSP', () => {
  expect(formatPercent(73.7)).toBe('73,7\u00a0%');
  expect(formatPercent(112)).toBe('112\u00a0%');
  expect(formatLeads(21)).toBe('21\u00a0лид');
  expect(formatLeads(1005)).toBe('1\u00a0005\u00a0лидов');
});
