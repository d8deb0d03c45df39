import { readLeads } from '@zakup/domain/leads';
import { messages } from '@zakup/domain/messages';
import { parseRoubles, toRoubles } from '@zakup/domain/money';
import type { Parsed } from './parsed.ts';

const bare = (text: string): string => text.replace(/[\s\u00a0\u202f₽]/gu, '');

/** A price as it is typed: digits and one dot, a comma becomes the dot, pasted roubles lose blanks and ₽; else `null`. */
export const acceptPrice = (next: string): string | null => {
  const text = bare(next).replace(',', '.');
  return /^\d*(?:\.\d*)?$/u.test(text) ? text : null;
};

/** Roubles with at most two decimals. */
export const parsePrice = (text: string): Parsed => {
  const price = parseRoubles(text);
  return price === null ? { ok: false, message: messages.priceInvalid } : { ok: true, value: toRoubles(price) };
};

/** A whole number as it is typed. */
export const acceptLeads = (next: string): string | null => {
  const text = bare(next);
  return /^\d*$/u.test(text) ? text : null;
};

export const parseLeads = (text: string): Parsed => {
  const leads = readLeads(text);
  return leads === null ? { ok: false, message: messages.leadsInvalid } : { ok: true, value: leads };
};
