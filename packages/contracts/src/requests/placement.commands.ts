import { noCreative } from '@zakup/domain/placement/events';
import { kopecks } from '@zakup/domain/money';
import type { PlacementChanges, PlacementCommand } from '@zakup/domain/placement/commands';
import { defaultFormat } from '@zakup/domain/topics';
import type { AddPlacementBody, ChangePlacementBody, SetPaymentBody } from './placement.requests.ts';

/** What parsed requests want of a placement, in the words of the domain: decided by the command side, predicted by browsers. */

type Command<Type extends PlacementCommand['type']> = Extract<PlacementCommand, { readonly type: Type }>;

/** `contractorId`: of the contractor whom the nick names; `today` (`YYYY-MM-DD`): the date of a body that says none. */
export const addPlacementCommand = (
  body: AddPlacementBody,
  contractorId: string,
  today: string,
): Command<'AddPlacement'> => ({
  type: 'AddPlacement',
  campaignId: body.campaignId,
  contractorId,
  buyerId: body.buyerId,
  category: body.category,
  date: body.date ?? today,
  format: body.format ?? defaultFormat,
  price: body.price ?? kopecks(0),
  creativeId: body.creativeId ?? noCreative,
  paymentStatus: body.paymentStatus ?? 'unpaid',
  comment: body.comment ?? '',
  postUrl: body.postUrl ?? null,
});

/** `contractorId`: of the contractor whom the nick names; absent = the contractor is not part of the change. */
export const changePlacementCommand = (
  body: ChangePlacementBody,
  contractorId?: string,
): Command<'ChangePlacement'> => {
  const { contractor: _, baseRevision: __, creativeId, ...rest } = body;
  const members = { ...rest, creativeId: creativeId === null ? noCreative : creativeId, contractorId };
  const sent = Object.entries(members).filter(([, value]) => value !== undefined);
  return { type: 'ChangePlacement', changes: Object.fromEntries(sent) as PlacementChanges };
};

export const setPaymentCommand = ({ paymentStatus }: SetPaymentBody): Command<'SetPayment'> => ({
  type: 'SetPayment',
  paymentStatus: paymentStatus ?? 'toggle',
});
