import { accept, type Decider, type Decision, reject, rejectField } from '../decider.ts';
import { messages } from '../messages.ts';
import { toRoubles } from '../money.ts';
import type { PlacementChanges, PlacementCommand, PlacementFacts } from './commands.ts';
import { noCreative, type PlacementEvent } from './events.ts';
import type { Placement } from './state.ts';

const buyerRoles = new Set(['MEDIA_BUYER', 'TEAM_LEAD']);
/** Whether placements can be theirs. */
export const isBuyer = (person: PlacementFacts['buyer']): boolean =>
  person !== null && person.isActive && buyerRoles.has(person.role);

/** The event that gives each changeable member its value; a member without its line does not compile. */
export const changeEvents = {
  date: 'PlacementDateChanged',
  contractorId: 'PlacementContractorChanged',
  price: 'PlacementPriceChanged',
  leads: 'PlacementLeadsRecorded',
  creativeId: 'PlacementCreativeChanged',
  category: 'PlacementCategoryChanged',
  format: 'PlacementFormatChanged',
  buyerId: 'PlacementBuyerChanged',
  status: 'PlacementStatusChanged',
  comment: 'PlacementCommentChanged',
  postUrl: 'PlacementPostUrlChanged',
} as const satisfies { readonly [Name in keyof PlacementChanges]-?: PlacementEvent['type'] };

/** Decides and folds placements: ADD-1 to ADD-5, PLC-1 to PLC-9. */
export const placementDecider: Decider<Placement, PlacementCommand, PlacementEvent, PlacementFacts> = {
  category: 'placement',

  decide(command, state, facts) {
    if (command.type === 'AddPlacement') return decideAdd(command, state, facts);
    if (state === null) return reject('NOT_FOUND', messages.placementNotFound);
    if (state.removed && command.type !== 'RestorePlacement') return reject('NOT_FOUND', messages.placementNotFound);
    if (facts.campaign === null || facts.campaign.deleted) return reject('NOT_FOUND', messages.placementNotFound);
    const decision = decideOnLiving(command, state, facts);
    // What is wrong with the command itself is said before the state it meets (CALL-3).
    if (decision.kind === 'rejected' || facts.campaign.status !== 'COMPLETED') return decision;
    return reject('CAMPAIGN_COMPLETED', messages.campaignCompleted);
  },

  evolve(state, event) {
    if (event.type === 'PlacementAdded')
      return { comment: '', postUrl: null, ...event.data, leads: 0, status: 'PENDING', removed: false };
    if (state === null) throw new Error(`${event.type} before PlacementAdded`);
    switch (event.type) {
      case 'PlacementDateChanged':
      case 'PlacementContractorChanged':
      case 'PlacementPriceChanged':
      case 'PlacementLeadsRecorded':
      case 'PlacementCreativeChanged':
      case 'PlacementCategoryChanged':
      case 'PlacementFormatChanged':
      case 'PlacementBuyerChanged':
      case 'PlacementStatusChanged':
      case 'PlacementCommentChanged':
      case 'PlacementPostUrlChanged':
        return { ...state, ...event.data };
      case 'PlacementMarkedPaid':
        return { ...state, paymentStatus: 'paid' };
      case 'PlacementMarkedUnpaid':
        return { ...state, paymentStatus: 'unpaid' };
      case 'PlacementRemoved':
        return { ...state, removed: true };
      case 'PlacementRestored':
        return { ...state, removed: false };
    }
  },

  changedFields(event) {
    switch (event.type) {
      case 'PlacementAdded':
        return Object.keys(event.data);
      case 'PlacementDateChanged':
      case 'PlacementContractorChanged':
      case 'PlacementPriceChanged':
      case 'PlacementLeadsRecorded':
      case 'PlacementCreativeChanged':
      case 'PlacementCategoryChanged':
      case 'PlacementFormatChanged':
      case 'PlacementBuyerChanged':
      case 'PlacementStatusChanged':
      case 'PlacementCommentChanged':
      case 'PlacementPostUrlChanged':
        return Object.keys(event.data);
      case 'PlacementMarkedPaid':
      case 'PlacementMarkedUnpaid':
        return ['paymentStatus'];
      case 'PlacementRemoved':
      case 'PlacementRestored':
        return ['deleted'];
    }
  },

  fields: (state) => {
    const { removed, price, ...rest } = state;
    return { ...rest, price: toRoubles(price), deleted: removed };
  },
};

const decideOnLiving = (
  command: Exclude<PlacementCommand, { type: 'AddPlacement' }>,
  state: Placement,
  facts: PlacementFacts,
): Decision<PlacementEvent> => {
  switch (command.type) {
    case 'ChangePlacement':
      return decideChange(command.changes, state, facts);
    case 'SetPayment': {
      const wanted =
        command.paymentStatus === 'toggle'
          ? state.paymentStatus === 'paid'
            ? 'unpaid'
            : 'paid'
          : command.paymentStatus;
      if (wanted === state.paymentStatus) return accept();
      return accept({ type: wanted === 'paid' ? 'PlacementMarkedPaid' : 'PlacementMarkedUnpaid', data: {} });
    }
    case 'RemovePlacement':
      return accept({ type: 'PlacementRemoved', data: {} });
    case 'RestorePlacement':
      return state.removed ? accept({ type: 'PlacementRestored', data: {} }) : accept();
  }
};

const decideAdd = (
  command: Extract<PlacementCommand, { type: 'AddPlacement' }>,
  state: Placement | null,
  facts: PlacementFacts,
): Decision<PlacementEvent> => {
  if (state !== null) return reject('DUPLICATE', messages.placementExists);
  if (!isBuyer(facts.buyer)) return rejectField('/buyerId', messages.chooseBuyer);
  if (facts.campaign === null || facts.campaign.deleted) return reject('NOT_FOUND', messages.campaignNotFound);
  if (command.creativeId !== noCreative && facts.creative?.isActive !== true)
    return reject('NOT_FOUND', messages.creativeNotFound);
  if (facts.campaign.status === 'COMPLETED') return reject('CAMPAIGN_COMPLETED', messages.campaignCompleted);
  const { type: _, comment = '', postUrl = null, ...data } = command;
  const more = { ...(comment !== '' && { comment }), ...(postUrl !== null && { postUrl }) };
  return accept({ type: 'PlacementAdded', data: { ...data, ...more } });
};

const decideChange = (changes: PlacementChanges, state: Placement, facts: PlacementFacts): Decision<PlacementEvent> => {
  if (changes.buyerId !== undefined && changes.buyerId !== state.buyerId && !isBuyer(facts.buyer))
    return rejectField('/buyerId', messages.chooseBuyer);
  if (
    changes.creativeId !== undefined &&
    changes.creativeId !== state.creativeId &&
    changes.creativeId !== noCreative &&
    facts.creative?.isActive !== true
  )
    return reject('NOT_FOUND', messages.creativeNotFound);
  const members = Object.keys(changeEvents) as (keyof PlacementChanges)[];
  const changed = members.filter((name) => changes[name] !== undefined && changes[name] !== state[name]);
  return accept(
    ...changed.map(
      (name) => ({ type: changeEvents[name], data: { [name]: changes[name] } }) as unknown as PlacementEvent,
    ),
  );
};
