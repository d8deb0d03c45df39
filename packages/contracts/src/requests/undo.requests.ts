import { messages } from '@zakup/domain/messages';
import { z } from 'zod';
import { id, limits, text } from './fields.ts';

/**
 * POST /api/undo: a command of one's own, or with a reason another person's (PLC-10). `actorId`: whose command it is, where it is known.
 * `onConflict`: what becomes of entities that somebody changed since: `refuse` (as when absent) the whole, `skip` them, or `overwrite`.
 */
export const undoRequest = z.object({
  commandId: z.uuid({ error: messages.commandIdToUndo }).toLowerCase(),
  reason: text(messages.textInvalid, 0, limits.text).nullish(),
  actorId: id(messages.employeeNotFound).optional(),
  onConflict: z.enum(['refuse', 'skip', 'overwrite'], { error: messages.undoChoiceInvalid }).optional(),
});
