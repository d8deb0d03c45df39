import { parseDay } from '@zakup/domain/calendar';
import { messages } from '@zakup/domain/messages';
import { z } from 'zod';
import { historyKinds } from '../history-fields.ts';
import { parseMoment } from '../moment.ts';
import { pageLimit } from './fields.ts';

const value = z
  .string({ error: messages.valueInvalid })
  .min(1, { error: messages.valueInvalid })
  .max(100, { error: messages.valueInvalid })
  .optional();

const day = 24 * 60 * 60 * 1000;
const zoned = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/u;

/** A day at UTC+3 (its first or last moment) or an instant with its zone, as a UTC instant with milliseconds. */
const moment = (end: 'first' | 'last') =>
  z
    .string({ error: messages.momentInvalid })
    .transform((text, context): string => {
      const first = parseDay(text) === null ? null : Date.parse(`${text}T00:00:00.000+03:00`);
      const at = first === null ? (zoned.test(text) ? Date.parse(text) : Number.NaN) : first;
      const instant = first !== null && end === 'last' ? at + day - 1 : at;
      const [low, high] = [Date.UTC(1970, 0, 1), Date.UTC(9999, 0, 1)];
      if (instant >= low && instant < high) return new Date(instant).toISOString();
      context.addIssue({ code: 'custom', message: messages.momentInvalid });
      return z.NEVER;
    })
    .optional();

const kinds = new RegExp(`^(?:${historyKinds.join('|')}):.{1,100}$`, 'u');

/** Who did what, when and through which door; all that are given must fit. */
export const auditQuery = z.strictObject({
  /** Who did it. */
  person: value,
  /** `<kind>:<id>`. */
  entity: z
    .string({ error: messages.entityInvalid })
    .max(150, { error: messages.entityInvalid })
    .regex(kinds, { error: messages.entityInvalid })
    .optional(),
  /** A changed field; one with parts is any of them. */
  field: value,
  /** The campaign's own and its placements' entries. */
  campaign: value,
  /** Of the commands' instants, both ends included. */
  from: moment('first'),
  to: moment('last'),
  command: z.uuid({ error: messages.valueInvalid }).toLowerCase().optional(),
  source: z
    .enum(['screen', 'phone', 'paste', 'undo', 'import', 'api', 'system'], { error: messages.valueInvalid })
    .optional(),
  search: z.string({ error: messages.valueInvalid }).trim().max(100, { error: messages.valueInvalid }).optional(),
  /** `nextCursor` of the page before. */
  cursor: z
    .string({ error: messages.cursorInvalid })
    .regex(/^\d{16}-[0-9a-f]{32}$/u, { error: messages.cursorInvalid })
    .optional(),
  limit: pageLimit(50),
});
export type AuditQuery = z.output<typeof auditQuery>;

/** How much happened on which day: in the licence, or in one campaign with its placements. */
export const timelineQuery = z.strictObject({
  campaign: value,
  /** A position, or a time with its zone: its event and those next to it are wanted. */
  around: z
    .string({ error: messages.atInvalid })
    .transform((text, context): NonNullable<ReturnType<typeof parseMoment>> => {
      const asked = parseMoment(text);
      if (asked !== null) return asked;
      context.addIssue({ code: 'custom', message: messages.atInvalid });
      return z.NEVER;
    })
    .optional(),
});
