import { messages } from '@zakup/domain/messages';
import { z } from 'zod';

/** `upTo`: the position of the newest notification that was seen; everything told before is read with it. */
export const readNotificationsRequest = z.object({
  upTo: z
    .number({ error: messages.positionInvalid })
    .int({ error: messages.positionInvalid })
    .min(0, { error: messages.positionInvalid })
    .max(Number.MAX_SAFE_INTEGER, { error: messages.positionInvalid }),
});
