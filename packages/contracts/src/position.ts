import { z } from 'zod';

/** Place in the whole log on the wire: a JSON integer from 0 to 2^53−1. */
export const positionSchema = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** The same in a query string. `null` = not a position. */
export const parsePosition = (text: string): number | null => {
  if (!/^\d{1,16}$/u.test(text)) return null;
  const position = Number(text);
  return Number.isSafeInteger(position) ? position : null;
};

/** Place in an entity's stream; the first is 0. */
export const revisionSchema = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
