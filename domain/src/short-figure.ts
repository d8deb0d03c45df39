import { formatNumber, nbsp } from './russian.ts';

const steps = [
  [1e9, 'млрд'],
  [1e6, 'млн'],
  [1e3, 'тыс.'],
] as const;
/** What is no longer than this is not made shorter by a word. */
const shortEnough = 10_000;
const written = /^(?<sign>[\u2212+]?)(?<whole>\d{1,3}(?:\u00a0\d{3})*)(?<rest>,\d+)?(?<unit>\u00a0[₽%])?$/u;

/**
 * A written number, sum or percentage with three significant digits and the word for its size: `1 272 000` is `1,27 млн`, `−16 500 000,50 ₽` is
 * `−16,5 млн ₽`. Null for what is short as it is, and for any other text.
 */
export const shortFigure = (text: string): string | null => {
  const { sign = '', whole = '', rest = '', unit = '' } = written.exec(text)?.groups ?? {};
  const value = Number(`${whole.replaceAll(nbsp, '')}${rest.replace(',', '.')}`);
  if (whole === '' || value < shortEnough) return null;
  for (const [size, word] of steps) {
    const rounded = Number((value / size).toPrecision(3));
    if (rounded >= 1) return `${sign}${formatNumber(rounded)}${nbsp}${word}${unit}`;
  }
  return null;
};
