import { messages } from '@zakup/domain/messages';
import { isFormat, isTopic } from '@zakup/domain/topics';
import { z } from 'zod';
import { baseRevision, day, id, leads, nick, roubles } from './fields.ts';

const topic = z.string({ error: messages.chooseTopic }).trim().refine(isTopic, { error: messages.chooseTopic });
const format = z.string({ error: messages.formatInvalid }).refine(isFormat, { error: messages.formatInvalid });
const price = roubles(messages.priceInvalid);
const creativeId = id(messages.creativeInvalid);
const paymentStatus = z.enum(['paid', 'unpaid'], { error: messages.paymentInvalid });
const status = z.enum(['PENDING', 'PUBLISHED', 'DONE', 'CANCELLED', 'REMOVED_EARLY'], {
  error: messages.statusInvalid,
});

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
});

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
});

/** POST /api/placements/{id}/payment; without `paymentStatus` it toggles. */
export const setPaymentRequest = z.object({
  baseRevision: baseRevision.optional(),
  paymentStatus: paymentStatus.optional(),
});
