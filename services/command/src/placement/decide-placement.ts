import type { Problem } from '@zakup/contracts/problems';
import {
  addPlacementCommand,
  changePlacementCommand,
  setPaymentCommand,
} from '@zakup/contracts/requests/placement.commands';
import type {
  AddPlacementBody,
  ChangePlacementBody,
  SetPaymentBody,
} from '@zakup/contracts/requests/placement.requests';
import { today } from '@zakup/domain/calendar';
import { campaignDecider } from '@zakup/domain/campaign/campaign.decider';
import { creativeDecider } from '@zakup/domain/creative/creative.decider';
import type { Campaign } from '@zakup/domain/campaign/state';
import { employeeDecider } from '@zakup/domain/employee/employee.decider';
import type { Fields } from '@zakup/domain/merge';
import { messages } from '@zakup/domain/messages';
import { toRoubles } from '@zakup/domain/money';
import { type Action, may } from '@zakup/domain/permissions';
import type { PlacementFacts } from '@zakup/domain/placement/commands';
import { noCreative, type PlacementEvent } from '@zakup/domain/placement/events';
import { placementDecider } from '@zakup/domain/placement/placement.decider';
import type { Placement } from '@zakup/domain/placement/state';
import { partsIn, receiversInConflict } from '../contractor/contractor-alias.ts';
import { contractorByNick } from '../contractor/contractor-by-nick.ts';
import { decideOn } from '../pipeline/decide-on.ts';
import { streamOf } from '../pipeline/ids.ts';
import {
  aheadOf,
  conflictOfAnyField,
  type LoadedAt,
  mergeWith,
  type StreamReader,
} from '../pipeline/merge-conflicts.ts';
import { denied } from '../pipeline/requests.ts';
import type { Loaded } from '../pipeline/stream-cache.ts';
import type { TenantContext } from '../pipeline/tenant-context.ts';

/** Decides what one request, or one item of a batch, wants of one placement, after its body was parsed. */

/** What the decider must know of the campaign, the wanted buyer and the wanted creative. */
export const placementFacts = async (
  { session }: Pick<TenantContext, 'session'>,
  ids: { readonly campaignId: string; readonly buyerId?: string; readonly creativeId?: string },
): Promise<PlacementFacts & { readonly campaign: Campaign | null }> => {
  const campaign = (await session.load(campaignDecider, ids.campaignId)).state;
  const buyer = ids.buyerId === undefined ? null : (await session.load(employeeDecider, ids.buyerId)).state;
  const creative =
    ids.creativeId === undefined || ids.creativeId === noCreative
      ? null
      : (await session.load(creativeDecider, ids.creativeId)).state;
  return { campaign, buyer, creative };
};

export const addPlacement = async (
  context: TenantContext,
  id: string,
  body: AddPlacementBody,
): Promise<Problem | null> => {
  const { session, person } = context;
  const refused = denied(may(person, 'placement.add', { buyerId: body.buyerId }));
  if (refused !== null) return refused;
  const contractor = await contractorByNick(context, body.contractor);
  const command = addPlacementCommand(body, contractor.id, today(context.now));
  const facts = await placementFacts(context, command);
  const { state } = await session.load(placementDecider, id);
  const decision = placementDecider.decide(command, state, facts);
  if (decision.kind === 'rejected') return decision.rejection;
  const notMade = await contractor.make({ channelName: facts.campaign?.name ?? '', category: body.category });
  if (notMade !== null) return notMade;
  session.emit(placementDecider, id, decision.events);
  return null;
};

export interface OpenPlacement {
  readonly kind: 'open';
  readonly id: string;
  readonly loaded: Loaded<Placement>;
  readonly state: Placement;
}

/** The living placement with this id, in a living campaign, or why the person may not change it. */
export const openPlacement = async (
  { session, person }: TenantContext,
  id: string,
  action: Extract<Action, 'placement.change' | 'placement.remove' | 'placement.restore'>,
): Promise<OpenPlacement | { readonly kind: 'refused'; readonly problem: Problem }> => {
  const refusedToAll = denied(may(person, action, 'some'));
  if (refusedToAll !== null) return { kind: 'refused', problem: refusedToAll };
  const loaded = await session.load(placementDecider, id);
  const { state } = loaded;
  if (state === null || (state.removed && action !== 'placement.restore'))
    return { kind: 'refused', problem: { code: 'NOT_FOUND', message: messages.placementNotFound } };
  const refused = denied(may(person, action, { buyerId: state.buyerId }));
  if (refused !== null) return { kind: 'refused', problem: refused };
  const campaign = (await session.load(campaignDecider, state.campaignId)).state;
  if (campaign === null || campaign.deleted)
    return { kind: 'refused', problem: { code: 'NOT_FOUND', message: messages.placementNotFound } };
  return { kind: 'open', id, loaded, state };
};

const at = ({ person }: TenantContext, { id, loaded }: OpenPlacement): LoadedAt<Placement, PlacementEvent> => ({
  entity: placementDecider,
  stream: streamOf(placementDecider.category, person.licence.id, id),
  loaded,
  seen: receiversInConflict,
});

/** The same with this contractor wherever its own one is a part of it: to the person they are one. */
const asSeen = async (
  context: TenantContext,
  opened: OpenPlacement,
  contractorId: string,
): Promise<LoadedAt<Placement, PlacementEvent>> => {
  const parts = await partsIn(context.session, contractorId);
  const fields = (state: Placement): ReturnType<typeof placementDecider.fields> =>
    placementDecider.fields(parts.has(state.contractorId) ? { ...state, contractorId } : state);
  return { ...at(context, opened), entity: { ...placementDecider, fields } };
};

export const changePlacement = async (
  eventStore: StreamReader,
  context: TenantContext,
  opened: OpenPlacement,
  body: ChangePlacementBody,
): Promise<Problem | null> => {
  const { session, person } = context;
  const { id, loaded, state } = opened;
  const { contractor, baseRevision } = body;
  const ahead = aheadOf(loaded, baseRevision);
  if (ahead !== null) return ahead;
  if (body.buyerId !== undefined) {
    const refused = denied(may(person, 'placement.change', { buyerId: state.buyerId, newBuyerId: body.buyerId }));
    if (refused !== null) return refused;
  }
  const named = contractor === undefined ? null : await contractorByNick(context, contractor);
  const command = changePlacementCommand(body, named?.id);
  const { changes } = command;
  const facts = await placementFacts(context, { ...changes, campaignId: state.campaignId });
  const decision = placementDecider.decide(command, state, facts);
  if (decision.kind === 'rejected') return decision.rejection;
  const first = { channelName: facts.campaign?.name ?? '', category: body.category ?? state.category };
  const notMade = named === null ? null : await named.make(first);
  if (notMade !== null) return notMade;
  const wanted = changes.price === undefined ? changes : { ...changes, price: toRoubles(changes.price) };
  const seen = named === null ? at(context, opened) : await asSeen(context, opened, named.id);
  const merged = await mergeWith(eventStore, session, seen, baseRevision, { ...wanted });
  if (merged.kind === 'refused') return merged.problem;
  session.emit(placementDecider, id, decision.events.filter(isOfFields(merged.apply)));
  return null;
};

/** A change of a placement is an event for each field. */
const isOfFields =
  (fields: Fields) =>
  (event: PlacementEvent): boolean =>
    placementDecider.changedFields(event).every((field) => Object.hasOwn(fields, field));

export const setPayment = async (
  eventStore: StreamReader,
  context: TenantContext,
  opened: OpenPlacement,
  body: SetPaymentBody,
): Promise<Problem | null> => {
  const { id, loaded, state } = opened;
  const { baseRevision } = body;
  const ahead = aheadOf(loaded, baseRevision);
  if (ahead !== null) return ahead;
  const facts = await placementFacts(context, { campaignId: state.campaignId });
  const command = setPaymentCommand(body);
  const decision = placementDecider.decide(command, state, facts);
  if (decision.kind === 'rejected') return decision.rejection;
  const mine =
    command.paymentStatus === 'toggle' ? (state.paymentStatus === 'paid' ? 'unpaid' : 'paid') : command.paymentStatus;
  const merged = await mergeWith(eventStore, context.session, at(context, opened), baseRevision, {
    paymentStatus: mine,
  });
  if (merged.kind === 'refused') return merged.problem;
  if (Object.hasOwn(merged.apply, 'paymentStatus')) context.session.emit(placementDecider, id, decision.events);
  return null;
};

export const removePlacement = async (
  eventStore: StreamReader,
  context: TenantContext,
  opened: OpenPlacement,
  { baseRevision }: { readonly baseRevision?: number | undefined },
): Promise<Problem | null> => {
  const facts = await placementFacts(context, { campaignId: opened.state.campaignId });
  const decision = placementDecider.decide({ type: 'RemovePlacement' }, opened.state, facts);
  if (decision.kind === 'rejected') return decision.rejection;
  const conflict = await conflictOfAnyField(eventStore, context.session, at(context, opened), baseRevision);
  if (conflict !== null) return conflict;
  context.session.emit(placementDecider, opened.id, decision.events);
  return null;
};

export const restorePlacement = async (context: TenantContext, opened: OpenPlacement): Promise<Problem | null> => {
  const facts = await placementFacts(context, { campaignId: opened.state.campaignId });
  return decideOn(context, placementDecider, opened.id, { type: 'RestorePlacement' }, facts);
};
