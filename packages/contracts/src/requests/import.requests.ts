import { messages } from '@zakup/domain/messages';
import { z } from 'zod';
import { importMapping } from '../imports.ts';
import { pageLimit } from './fields.ts';

const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** As it is sent. */
export const importQueryWire = z.object({
  dryRun: z.enum(['true', 'false']).optional(),
  name: z.string().optional(),
  mapping: z.string().optional(),
});

/** Query of POST /api/campaigns/{id}/import. */
export const importQuery = z.object({
  dryRun: z.enum(['true', 'false'], { error: messages.flagInvalid }).optional(),
  /** Of the file, as whoever imports calls it. */
  name: z
    .string({ error: messages.importNameInvalid })
    .trim()
    .max(200, { error: messages.importNameInvalid })
    .refine((name) => !/[\p{Cs}\0]/u.test(name), { error: messages.importNameInvalid })
    .optional(),
  /** JSON. */
  mapping: z
    .string({ error: messages.importMappingInvalid })
    .max(20_000, { error: messages.importMappingInvalid, abort: true })
    .transform(parsedJson)
    .pipe(importMapping)
    .optional(),
});
export type ImportQuery = z.output<typeof importQuery>;

/** Query of GET /api/imports. */
export const importsQuery = z.strictObject({
  /** `next` of the page before: where in the log its last import began. */
  cursor: z
    .string({ error: messages.cursorInvalid })
    .regex(/^\d{1,16}$/u, { error: messages.cursorInvalid })
    .transform(Number)
    .optional(),
  limit: pageLimit(100),
});
