import { parseRoubles, toRoubles } from '@zakup/domain/money';

/** Roubles typed as text; what is no sum stays text, so that the schema names the mistake. */
export const roublesOf = (text: string): number | string => {
  const amount = parseRoubles(text);
  return amount === null ? text : toRoubles(amount);
};

/** The same where a blank means "not set". */
export const optionalRoublesOf = (text: string): number | string | null =>
  text.trim() === '' ? null : roublesOf(text);

/** Percent typed as text, with comma or dot. */
export const rateOf = (text: string): number | string | null => {
  const bare = text.trim().replace(',', '.');
  if (bare === '') return null;
  return /^\d+(?:\.\d+)?$/u.test(bare) ? Number(bare) : text;
};

/** A number as a field holds it; blank for null. */
export const fieldText = (value: number | null): string => (value === null ? '' : String(value));
