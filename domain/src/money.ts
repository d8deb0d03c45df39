import { decimal, proportion, proportionDown } from './rounding.ts';
import { grouped, minus, nbsp } from './russian.ts';

/** Money inside is a whole number of kopecks; outside it is a number of roubles with at most two decimals (NUM-1). */
export type Kopecks = number & { readonly __unit: 'kopecks' };

export const maxKopecks = 100_000_000_000 as Kopecks;

export const kopecks = (amount: number): Kopecks => amount as Kopecks;

export const toRoubles = (amount: Kopecks): number => amount / 100;

/** Exact for at most two decimals; `null` for anything else, for NaN and infinities. */
export const fromRoubles = (roubles: number): Kopecks | null => {
  const scaled = Math.round(roubles * 100) + 0;
  return Number.isFinite(roubles) && Math.abs(scaled) <= Number.MAX_SAFE_INTEGER && scaled / 100 === roubles
    ? kopecks(scaled)
    : null;
};

// Blanks of a line alone: a tab or a line break parts two values.
const priceText = /^(?:₽\p{Zs}*)?(\d{1,10}|\d{1,3}(?:\p{Zs}\d{3}){1,3})?(?:[.,](\d{0,2}))?(?:\p{Zs}*₽)?$/u;

/**
 * A price typed or pasted: digits, one dot or comma, blanks or NBSP between groups of three, an optional ₽. Blank = 0.
 * `null` = not a price, more than two decimals, or above the greatest price.
 */
export const parseRoubles = (text: string): Kopecks | null => {
  const bare = text.trim();
  if (bare === '') return kopecks(0);
  const match = priceText.exec(bare);
  const whole = match?.[1]?.replace(/\s/gu, '') ?? '';
  const decimals = match?.[2] ?? '';
  if (match === null || (whole === '' && decimals === '')) return null;
  const amount = Number(whole) * 100 + Number(decimals.padEnd(2, '0'));
  return amount <= maxKopecks ? kopecks(amount) : null;
};

/** A price from outside: a number of roubles or a text for `parseRoubles`, 0 to 1,000,000,000. `null` = 'Некорректная цена'. */
export const readPrice = (outside: unknown): Kopecks | null => {
  if (typeof outside === 'string') return parseRoubles(outside);
  const amount = typeof outside === 'number' ? fromRoubles(outside) : null;
  return amount !== null && amount >= 0 && amount <= maxKopecks ? amount : null;
};

/** `part × percent / 100` for many parts, each rounded once, half up; exact for a percent with decimals. */
export const percentage = (percent: number): ((part: Kopecks) => Kopecks) => {
  const { units, scale } = decimal(percent);
  const share = proportion(units, 100n * scale);
  return (part) => kopecks(share(part));
};

/** `part × percent / 100` for many parts, each rounded down. */
export const percentageDown = (percent: number): ((part: Kopecks) => Kopecks) => {
  const { units, scale } = decimal(percent);
  const share = proportionDown(units, 100n * scale);
  return (part) => kopecks(share(part));
};

/** `part × percent / 100`, rounded once, half up. */
export const percentOf = (part: Kopecks, percent: number): Kopecks => percentage(percent)(part);

const show = (amount: Kopecks, decimals: boolean): string => {
  const size = Math.abs(amount);
  const cents = size % 100;
  const roubles = grouped(String((size - cents) / 100));
  const tail = decimals ? `,${String(cents).padStart(2, '0')}` : '';
  return `${amount < 0 ? minus : ''}${roubles}${tail}${nbsp}₽`;
};

/** `1 234 567,50 ₽` with NBSP and a minus sign (U+2212); kopecks only when there are any. */
export const formatRoubles = (amount: Kopecks): string => show(amount, amount % 100 !== 0);

/** `1 234 567,00 ₽`: always two decimals, for columns. */
export const formatRoublesExact = (amount: Kopecks): string => show(amount, true);
