import { messages } from '@zakup/domain/messages';
import { z } from 'zod';
import { instantOrDay, limits, text } from './fields.ts';

export const createKeyRequest = z.object({
  name: text(messages.nameInvalid, 1, limits.name),
  access: z.enum(['read', 'write'], { error: messages.keyAccessInvalid }),
  /** An ISO instant with zone, or a calendar day (its end at UTC+3); absent or null = never. */
  expiresAt: instantOrDay(messages.dateInvalid).nullish(),
});
