import { messages } from '@zakup/domain/messages';
import { maxCommentLength } from '@zakup/domain/placement/remarks';
import { isFormat, isTopic } from '@zakup/domain/topics';
import { z } from 'zod';
import { baseRevision, day, id, leads, nick, postUrl, roubles, text } from './fields.ts';

const topic = z.string({ error: messages.chooseTopic }).trim().refine(isTopic, { error: messages.chooseTopic });
const format = z.string({ error: messages.formatInvalid }).refine(isFormat, { error: messages.formatInvalid });
const price = roubles(messages.priceInvalid);
const creativeId = id(messages.creativeInvalid);
const paymentStatus = z.enum(['paid', 'unpaid'], { error: messages.paymentInvalid });
const status = z.enum(['PENDING', 'PUBLISHED', 'DONE', 'CANCELLED', 'REMOVED_EARLY'], {
  error: messages.statusInvalid,
});

const comment = text(messages.textInvalid, 0, maxCommentLength, messages.commentTooLong);
/** Of a placement, beside what it is bought as. `null` empties, as an empty comment does. */
const remarks = {
  comment: comment
    .nullable()
    .transform((value) => value ?? '')
    .optional(),
  postUrl: postUrl.nullish(),
};

/** POST /api/placements; members in the order in which the checks of ADD-1 speak. */
export const addPlacementRequest = z.object({
  campaignId: id(messages.campaignNotChosen),
  contractor: nick,
  buyerId: id(messages.chooseBuyer),
  category: topic,
  date: day.nullish(),
  format: format.nullish(),
  price: price.optional(),
  creativeId: creativeId.nullish(),
  paymentStatus: paymentStatus.nullish(),
  ...remarks,
});
export type AddPlacementBody = z.output<typeof addPlacementRequest>;

/** PATCH /api/placements/{id}. A null creative becomes NO_CREATIVE; null price and leads become 0. */
export const changePlacementRequest = z.object({
  baseRevision: baseRevision.optional(),
  contractor: nick.optional(),
  buyerId: id(messages.chooseBuyer).optional(),
  category: topic.optional(),
  date: day.optional(),
  format: format.optional(),
  price: price.optional(),
  leads: leads.optional(),
  creativeId: creativeId.nullable().optional(),
  status: status.optional(),
  ...remarks,
});
export type ChangePlacementBody = z.output<typeof changePlacementRequest>;

/** POST /api/placements/{id}/payment; without `paymentStatus` it toggles. */
export const setPaymentRequest = z.object({
  baseRevision: baseRevision.optional(),
  paymentStatus: paymentStatus.optional(),
});
export type SetPaymentBody = z.output<typeof setPaymentRequest>;

const operation = { error: messages.operationInvalid };
const placementId = id(messages.placementRequired);

/** One item of a batch: `op`, the placement it is about (not for `add`), and the members of the single call (PLC-8). */
export const placementBatchItem = z.discriminatedUnion(
  'op',
  [
    z.object({ op: z.literal('add'), ...addPlacementRequest.shape }),
    z.object({ op: z.literal('change'), placementId, ...changePlacementRequest.shape }),
    z.object({ op: z.literal('payment'), placementId, ...setPaymentRequest.shape }),
    z.object({ op: z.literal('delete'), placementId, baseRevision: baseRevision.optional() }),
    z.object({ op: z.literal('restore'), placementId }),
  ],
  operation,
);
export type PlacementBatchItem = z.output<typeof placementBatchItem>;

/** POST /api/placements/batch; without `atomic` it is all or none. */
export const placementBatchRequest = z.object({
  atomic: z.boolean({ error: messages.bodyInvalid }).optional(),
  items: z.array(placementBatchItem).min(1).max(1000),
});
/** The same before its items are looked into, which is done one by one: how many there are is asked first. */
export const placementBatchFrame = placementBatchRequest.extend({
  items: z.custom<readonly unknown[]>((items) => Array.isArray(items) && items.length >= 1 && items.length <= 1000, {
    error: messages.batchInvalid,
  }),
});
