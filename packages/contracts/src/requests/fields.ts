import { parseDay } from '@zakup/domain/calendar';
import { isKept } from '@zakup/domain/limits';
import { readLeads } from '@zakup/domain/leads';
import { messages } from '@zakup/domain/messages';
import { fromRoubles, type Kopecks, kopecks, maxKopecks, parseRoubles } from '@zakup/domain/money';
import { parseNick } from '@zakup/domain/nick';
import { parsePostUrl } from '@zakup/domain/placement/remarks';
import { z } from 'zod';

/** Building bricks of request schemas: each takes the outside form and gives the inside one, with the text of the rules. */

export const limits = {
  note: 2000,
  verdictReason: 200,
  name: 120,
  nick: 64,
  code: 12,
  link: 1000,
  leads: 1_000_000_000,
  text: 500,
} as const;

/** As typed, `most` characters at most; nothing further is looked at in a longer one. */
const bounded = (message: string, most: number) =>
  z.string({ error: message }).max(most, { error: message, abort: true });

/** Trimmed text of `min` to `max` characters. */
export const text = (message: string, min: number, max: number, tooLong: string = message) =>
  z
    .string({ error: message })
    .trim()
    .min(min, { error: message })
    .max(max, { error: tooLong, abort: true })
    .refine(isKept, { error: messages.textInvalid });

/** Not empty; whether there is such an entity is looked up, however the id is spelled. */
export const id = (message: string) => z.string({ error: message }).trim().min(1, { error: message });

/** A simple address. */
export const email = bounded(messages.emailInvalid, 300)
  .trim()
  .max(254, { error: messages.emailInvalid })
  .regex(/^[^\s@\p{C}]+@[^\s@\p{C}]+\.[^\s@\p{C}]+$/u, { error: messages.emailInvalid });

/** Roubles as a number or a text with comma, blanks and ₽; empty and null are 0; more than two decimals are refused (NUM-1, NUM-22). */
export const roubles = (message: string) =>
  z.union([z.number(), z.string(), z.null()], { error: message }).transform((value, context): Kopecks => {
    const amount = value === null ? kopecks(0) : typeof value === 'number' ? fromRoubles(value) : parseRoubles(value);
    if (amount !== null && amount >= 0 && amount <= maxKopecks) return amount;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

/** A whole number of leads as a number or a text of digits. */
export const leads = z
  .union([z.number(), z.string(), z.null()], { error: messages.leadsInvalid })
  .transform((value, context): number => {
    const count = value === null ? 0 : readLeads(value);
    if (count !== null && count <= limits.leads) return count;
    context.addIssue({ code: 'custom', message: messages.leadsInvalid });
    return z.NEVER;
  });

/** A calendar day `YYYY-MM-DD`, 2000 to 2100. */
export const day = z.string({ error: messages.dateInvalid }).transform((value, context): string => {
  const parsed = parseDay(value);
  if (parsed !== null) return parsed;
  context.addIssue({ code: 'custom', message: messages.dateInvalid });
  return z.NEVER;
});

/** A nick in any of the spellings of NICKS-1. */
export const nick = z
  .string({ error: messages.nickRequired })
  .max(limits.link, { error: messages.nickTooLong, abort: true })
  .transform((value, context) => {
    const parsed = parseNick(value);
    if (parsed.kind === 'nick') return { nick: parsed.nick, adminUsername: parsed.adminUsername };
    context.addIssue({ code: 'custom', message: parsed.kind === 'empty' ? messages.nickRequired : parsed.message });
    return z.NEVER;
  });

/** The address of a post in Telegram, completed. */
export const postUrl = bounded(messages.postUrlInvalid, limits.link).transform((value, context): string => {
  const parsed = parsePostUrl(value);
  if (parsed !== null) return parsed;
  context.addIssue({ code: 'custom', message: messages.postUrlInvalid });
  return z.NEVER;
});

/** The revision the person saw. */
export const baseRevision = z
  .number({ error: messages.revisionInvalid })
  .int({ error: messages.revisionInvalid })
  .min(0, { error: messages.revisionInvalid })
  .max(Number.MAX_SAFE_INTEGER, { error: messages.revisionInvalid });

/** Percent from 0 to 100 with at most two decimals. */
export const rate = z
  .number({ error: messages.rateInvalid })
  .min(0, { error: messages.rateInvalid })
  .max(100, { error: messages.rateInvalid })
  .refine((value) => Math.round(value * 100) / 100 === value, { error: messages.rateInvalid });

export const salaryType = z.enum(['budget', 'performance', 'percentage'], { error: messages.salaryTypeInvalid });

/** How many entries of a list, up to 200; `usual` where none is given. */
export const pageLimit = (usual: number) =>
  z
    .string({ error: messages.limitInvalid })
    .regex(/^[1-9]\d{0,2}$/u, { error: messages.limitInvalid })
    .transform(Number)
    .refine((count) => count <= 200, { error: messages.limitInvalid })
    .default(usual);

/** An ISO instant with zone, or a calendar day (its end at UTC+3), as an ISO instant. */
export const instantOrDay = (message: string) =>
  z.string({ error: message }).transform((value, context) => {
    const iso = /^\d{4}-\d{2}-\d{2}$/u.test(value) ? `${value}T23:59:59.999+03:00` : value;
    const zoned = /^\d{4}-\d{2}-\d{2}T.*(?:Z|[+-]\d{2}:\d{2})$/u.test(iso);
    const millis = zoned ? Date.parse(iso) : Number.NaN;
    if (!Number.isNaN(millis)) return new Date(millis).toISOString();
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
