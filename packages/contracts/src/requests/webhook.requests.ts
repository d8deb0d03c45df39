import { messages } from '@zakup/domain/messages';
import { z } from 'zod';
import { pageLimit } from './fields.ts';

/** Characters of a webhook's address. */
const longestUrl = 2000;

/** An address of the web without name and password, as URLs are written: the host in lower case, without a fragment. */
const url = z
  .string({ error: messages.webhookUrlInvalid })
  .trim()
  .max(longestUrl, { error: messages.webhookUrlInvalid, abort: true })
  .transform((value, context): string => {
    const parsed = URL.canParse(value) ? new URL(value) : null;
    const isWeb = parsed !== null && ['http:', 'https:'].includes(parsed.protocol) && /^https?:\/\//iu.test(value);
    if (!isWeb || parsed.username !== '' || parsed.password !== '' || parsed.href.length > longestUrl) {
      context.addIssue({ code: 'custom', message: messages.webhookUrlInvalid });
      return z.NEVER;
    }
    parsed.hash = '';
    return parsed.href;
  });

/** Types of the event catalogue, or `*` for all of them; which there are is decided with the command. */
const events = z
  .array(z.string({ error: messages.webhookEventsInvalid }), { error: messages.webhookEventsInvalid })
  .min(1, { error: messages.webhookEventsInvalid })
  .max(500, { error: messages.webhookEventsInvalid });

/** Null = the whole licence. */
const campaignId = z
  .string({ error: messages.campaignNotChosen })
  .min(1, { error: messages.campaignNotChosen })
  .nullish();

/** Without `campaignId` it tells of the whole licence. */
export const createWebhookRequest = z.object({ url, events, campaignId });

/** What is absent stays as it is; `campaignId` null = the whole licence. `active` begins anew what was failing, as every change does. */
export const changeWebhookRequest = z.object({
  url: url.optional(),
  events: events.optional(),
  campaignId,
  status: z.enum(['active', 'paused'], { error: messages.webhookStatusInvalid }).optional(),
});

/** `after`: a position of the log; what lies behind it is told again. */
export const replayWebhookRequest = z.object({
  after: z
    .number({ error: messages.positionInvalid })
    .int({ error: messages.positionInvalid })
    .min(0, { error: messages.positionInvalid })
    .max(Number.MAX_SAFE_INTEGER, { error: messages.positionInvalid }),
});

/** Newest first; `cursor`: `next` of the page before. */
export const deliveriesQuery = z.strictObject({
  cursor: z
    .string({ error: messages.cursorInvalid })
    .regex(/^\d{1,16}$/u, { error: messages.cursorInvalid })
    .transform(Number)
    .optional(),
  limit: pageLimit(50),
});
