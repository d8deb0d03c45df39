import { parseLeadsExpression, parsePriceExpression } from '@zakup/domain/amount-expression';
import { messages } from '@zakup/domain/messages';
import { parseRoubles, toRoubles } from '@zakup/domain/money';
import type { Parsed } from './parsed.ts';

/**
 * A price in a field that takes digits and one dot: a comma becomes the dot, pasted roubles lose their blanks and ₽. `null` = the input is
 * dropped. Two numbers with a blank between them are not one.
 */
export const acceptPrice = (next: string): string | null => {
  const text = next.trim().replace(',', '.');
  if (/^\d*(?:\.\d*)?$/u.test(text)) return text;
  return parseRoubles(next) === null ? null : text.replace(/[\p{Zs}₽]/gu, '');
};

/** Roubles with at most two decimals, or a calculation of them. */
export const parsePrice = (text: string): Parsed => {
  const price = parsePriceExpression(text);
  return price === null ? { ok: false, message: messages.priceInvalid } : { ok: true, value: toRoubles(price) };
};

/** A whole number, or a calculation of one. */
export const parseLeads = (text: string): Parsed => {
  const leads = parseLeadsExpression(text);
  return leads === null ? { ok: false, message: messages.leadsInvalid } : { ok: true, value: leads };
};
