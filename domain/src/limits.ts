import { type Kopecks, maxKopecks } from './money.ts';

/** Greatest lengths and values (NUM-21). */
export const limits = { name: 120, note: 2000, rate: 100 } as const;

/** Trimmed, 1 to 120 characters; `null` = not a name. */
export const parseName = (text: string): string | null => {
  const name = text.trim();
  return name.length >= 1 && name.length <= limits.name ? name : null;
};

/** A whole number of kopecks from nothing to the greatest sum that is taken. */
export const isAmount = (amount: Kopecks): boolean => Number.isInteger(amount) && amount >= 0 && amount <= maxKopecks;

/** A percentage, 0 to 100. */
export const isRate = (rate: number): boolean => rate >= 0 && rate <= limits.rate;
