import { type Kopecks, maxKopecks } from './money.ts';

/** Greatest lengths and values (NUM-21). */
export const limits = { name: 120, viewName: 60, views: 50, note: 2000, verdictReason: 200, rate: 100 } as const;

/** Half a character, which no store keeps, and NUL, which some end a text at. */
const unkept = /[\p{Cs}\0]/u;
/** Control characters and line ends. */
const control = /\p{Cc}/u;
/** Anything but blanks and what has no shape. */
const visible = /[^\p{C}\p{Z}]/u;

/** Whether every store gives the text back as it is. */
export const isKept = (text: string): boolean => !unkept.test(text);

/** Whether it stands in one line and there is something of it to see. */
export const isShown = (name: string): boolean => isKept(name) && !control.test(name) && visible.test(name);

/** Trimmed, 1 to 120 characters in one line, with something to see; `null` = not a name. */
export const parseName = (text: string): string | null => {
  const name = text.trim();
  return name.length >= 1 && name.length <= limits.name && isShown(name) ? name : null;
};

/** A whole number of kopecks from nothing to the greatest sum that is taken. */
export const isAmount = (amount: Kopecks): boolean => Number.isInteger(amount) && amount >= 0 && amount <= maxKopecks;

/** A percentage, 0 to 100. */
export const isRate = (rate: number): boolean => rate >= 0 && rate <= limits.rate;
