import { presentPlacement } from '@zakup/contracts/present';
import type { Problem } from '@zakup/contracts/problems';
import {
  addPlacementRequest,
  changePlacementRequest,
  setPaymentRequest,
} from '@zakup/contracts/requests/placement.requests';
import { today } from '@zakup/domain/calendar';
import { campaignDecider } from '@zakup/domain/campaign/campaign.decider';
import { creativeDecider } from '@zakup/domain/creative/creative.decider';
import { employeeDecider } from '@zakup/domain/employee/employee.decider';
import { messages } from '@zakup/domain/messages';
import { kopecks, toRoubles } from '@zakup/domain/money';
import { type Action, may } from '@zakup/domain/permissions';
import type { PlacementChanges, PlacementCommand, PlacementFacts } from '@zakup/domain/placement/commands';
import { noCreative, type PlacementEvent } from '@zakup/domain/placement/events';
import { placementDecider } from '@zakup/domain/placement/placement.decider';
import type { Placement } from '@zakup/domain/placement/state';
import { Router } from 'express';
import { contractorByNick } from '../contractor-by-nick.ts';
import type { CommandDeps } from '../deps.ts';
import { decideOn, rowOf } from '../entity-routes.ts';
import { streamOf } from '../ids.ts';
import { aheadOf, conflictOfAnyField, mergeWith } from '../merging.ts';
import type { Loaded } from '../stream-cache.ts';
import { definedOf, denied, parseBody, queryRevision } from '../requests.ts';
import { type TenantCommand, type TenantContext, tenantRoute } from '../tenant-command.ts';

type PlacementRoute = TenantCommand<Placement, PlacementEvent>;

const target: PlacementRoute['target'] = ({ params }) => ({ entity: placementDecider, id: params['id'] ?? '' });

/** Placements: ADD-1 to ADD-7, PLC-1 to PLC-9, ROLE-8. */
export const placementRoutes = (deps: CommandDeps): Router => {
  const router = Router();
  router.post('/placements', tenantRoute(deps, addPlacement));
  router.patch('/placements/:id', tenantRoute(deps, changePlacement(deps)));
  router.post('/placements/:id/payment', tenantRoute(deps, setPayment(deps)));
  router.delete('/placements/:id', tenantRoute(deps, removePlacement(deps)));
  router.post('/placements/:id/restore', tenantRoute(deps, restorePlacement));
  return router;
};

const answer: PlacementRoute['answer'] = (done, id) => ({ placement: presentPlacement(rowOf(done.target, id)) });

/** What the decider must know of the campaign, the wanted buyer and the wanted creative. */
const factsOf = async (
  { session }: TenantContext,
  ids: { readonly campaignId: string; readonly buyerId?: string; readonly creativeId?: string },
): Promise<PlacementFacts> => {
  const campaign = (await session.load(campaignDecider, ids.campaignId)).state;
  const buyer = ids.buyerId === undefined ? null : (await session.load(employeeDecider, ids.buyerId)).state;
  const creative =
    ids.creativeId === undefined || ids.creativeId === noCreative
      ? null
      : (await session.load(creativeDecider, ids.creativeId)).state;
  return { campaign, buyer, creative };
};

const addPlacement: PlacementRoute = {
  target: ({ newId }) => ({ entity: placementDecider, id: newId('placement') }),

  async decide(context, id) {
    const { session, person } = context;
    const refusedToAll = denied(may(person, 'placement.add', 'some'));
    if (refusedToAll !== null) return refusedToAll;
    const parsed = parseBody(addPlacementRequest, context.body);
    if (parsed.kind === 'refused') return parsed.problem;
    const { body } = parsed;
    const refused = denied(may(person, 'placement.add', { buyerId: body.buyerId }));
    if (refused !== null) return refused;
    const creativeId = body.creativeId ?? noCreative;
    const facts = await factsOf(context, { campaignId: body.campaignId, buyerId: body.buyerId, creativeId });
    const { state } = await session.load(placementDecider, id);
    const campaign = (await session.load(campaignDecider, body.campaignId)).state;
    const command = {
      type: 'AddPlacement',
      campaignId: body.campaignId,
      contractorId: '',
      buyerId: body.buyerId,
      category: body.category,
      date: body.date ?? today(context.now),
      format: body.format ?? '1/24',
      price: body.price ?? kopecks(0),
      creativeId,
      paymentStatus: body.paymentStatus ?? 'unpaid',
    } as const;
    const beforehand = placementDecider.decide(command, state, facts);
    if (beforehand.kind === 'rejected') return beforehand.rejection;
    const made = { channelName: campaign?.name ?? '', category: body.category };
    const contractor = await contractorByNick(context, body.contractor, made);
    if (contractor.kind === 'refused') return contractor.problem;
    return decideOn(context, placementDecider, id, { ...command, contractorId: contractor.id }, facts);
  },

  answer,
};

/** The living placement of a path, in a living campaign, or why the person may not change it. */
const openPlacement = async (
  { session, person }: TenantContext,
  id: string,
  action: Extract<Action, 'placement.change' | 'placement.remove' | 'placement.restore'>,
): Promise<
  | { readonly kind: 'open'; readonly loaded: Loaded<Placement>; readonly state: Placement }
  | { readonly kind: 'refused'; readonly problem: Problem }
> => {
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
  return { kind: 'open', loaded, state };
};

const changePlacement = ({ eventStore }: CommandDeps): PlacementRoute => ({
  target,

  async decide(context, id) {
    const { session, person } = context;
    const opened = await openPlacement(context, id, 'placement.change');
    if (opened.kind === 'refused') return opened.problem;
    const { loaded, state } = opened;
    const parsed = parseBody(changePlacementRequest, context.body);
    if (parsed.kind === 'refused') return parsed.problem;
    const { contractor, baseRevision, ...body } = parsed.body;
    const ahead = aheadOf(loaded, baseRevision);
    if (ahead !== null) return ahead;
    if (body.buyerId !== undefined) {
      const refused = denied(may(person, 'placement.change', { buyerId: state.buyerId, newBuyerId: body.buyerId }));
      if (refused !== null) return refused;
    }
    const creativeId = body.creativeId === null ? noCreative : body.creativeId;
    const facts = await factsOf(context, {
      campaignId: state.campaignId,
      ...(body.buyerId !== undefined && { buyerId: body.buyerId }),
      ...(creativeId !== undefined && { creativeId }),
    });
    const beforehand = placementDecider.decide(
      { type: 'ChangePlacement', changes: definedOf({ ...body, creativeId }) },
      state,
      facts,
    );
    if (beforehand.kind === 'rejected') return beforehand.rejection;
    let contractorId: string | undefined;
    if (contractor !== undefined) {
      const campaign = (await session.load(campaignDecider, state.campaignId)).state;
      const made = { channelName: campaign?.name ?? '', category: body.category ?? state.category };
      const found = await contractorByNick(context, contractor, made);
      if (found.kind === 'refused') return found.problem;
      contractorId = found.id;
    }
    const changes: PlacementChanges = definedOf({ ...body, creativeId, contractorId });
    const wanted = changes.price === undefined ? changes : { ...changes, price: toRoubles(changes.price) };
    const stream = streamOf(placementDecider.category, person.licence.id, id);
    const merged = await mergeWith(eventStore, session, { entity: placementDecider, stream, loaded }, baseRevision, {
      ...wanted,
    });
    if (merged.kind === 'refused') return merged.problem;
    const applied = Object.fromEntries(Object.entries(changes).filter(([field]) => Object.hasOwn(merged.apply, field)));
    return decideOn(context, placementDecider, id, { type: 'ChangePlacement', changes: applied }, facts);
  },

  answer,
});

const setPayment = ({ eventStore }: CommandDeps): PlacementRoute => ({
  target,

  async decide(context, id) {
    const opened = await openPlacement(context, id, 'placement.change');
    if (opened.kind === 'refused') return opened.problem;
    const { loaded, state } = opened;
    const parsed = parseBody(setPaymentRequest, context.body);
    if (parsed.kind === 'refused') return parsed.problem;
    const ahead = aheadOf(loaded, parsed.body.baseRevision);
    if (ahead !== null) return ahead;
    const facts = await factsOf(context, { campaignId: state.campaignId });
    const command: PlacementCommand = { type: 'SetPayment', paymentStatus: parsed.body.paymentStatus ?? 'toggle' };
    const decision = placementDecider.decide(command, state, facts);
    if (decision.kind === 'rejected') return decision.rejection;
    const mine =
      command.paymentStatus === 'toggle' ? (state.paymentStatus === 'paid' ? 'unpaid' : 'paid') : command.paymentStatus;
    const stream = streamOf(placementDecider.category, context.person.licence.id, id);
    const merged = await mergeWith(
      eventStore,
      context.session,
      { entity: placementDecider, stream, loaded },
      parsed.body.baseRevision,
      { paymentStatus: mine },
    );
    if (merged.kind === 'refused') return merged.problem;
    if (Object.hasOwn(merged.apply, 'paymentStatus')) context.session.emit(placementDecider, id, decision.events);
    return null;
  },

  answer,
});

const removePlacement = ({ eventStore }: CommandDeps): PlacementRoute => ({
  target,

  async decide(context, id) {
    const opened = await openPlacement(context, id, 'placement.remove');
    if (opened.kind === 'refused') return opened.problem;
    const { loaded, state } = opened;
    const parsed = parseBody(queryRevision, context.query);
    if (parsed.kind === 'refused') return parsed.problem;
    const facts = await factsOf(context, { campaignId: state.campaignId });
    const decision = placementDecider.decide({ type: 'RemovePlacement' }, state, facts);
    if (decision.kind === 'rejected') return decision.rejection;
    const conflict = await conflictOfAnyField(
      eventStore,
      context.session,
      { entity: placementDecider, stream: streamOf(placementDecider.category, context.person.licence.id, id), loaded },
      parsed.body.baseRevision,
    );
    if (conflict !== null) return conflict;
    context.session.emit(placementDecider, id, decision.events);
    return null;
  },

  answer: () => ({}),
});

const restorePlacement: PlacementRoute = {
  target,

  async decide(context, id) {
    const opened = await openPlacement(context, id, 'placement.restore');
    if (opened.kind === 'refused') return opened.problem;
    const facts = await factsOf(context, { campaignId: opened.state.campaignId });
    return decideOn(context, placementDecider, id, { type: 'RestorePlacement' }, facts);
  },

  answer,
};
