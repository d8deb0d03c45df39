import type { CampaignWire, CreativeWire, PlacementWire, UserWire } from '@zakup/contracts/wire-entities';
import { presentPlacement } from '@zakup/contracts/to-wire';
import {
  addPlacementCommand,
  changePlacementCommand,
  setPaymentCommand,
} from '@zakup/contracts/requests/placement.commands';
import { today } from '@zakup/domain/calendar';
import { advance, type Decision, type Folded, nothing } from '@zakup/domain/decider';
import { fromRoubles, kopecks, toRoubles } from '@zakup/domain/money';
import type { PlacementCommand, PlacementFacts } from '@zakup/domain/placement/commands';
import {
  noCreative,
  type PaymentStatus,
  type PlacementEvent,
  type PlacementStatus,
} from '@zakup/domain/placement/events';
import { placementDecider } from '@zakup/domain/placement/placement.decider';
import type { Placement } from '@zakup/domain/placement/state';
import { type Entry, givenBy } from '../outbox/entry.ts';
import { type PlacementIntent, readPlacementIntent } from './placement-intent.ts';

/** What the replica knows of what placements refer to; `null` = it does not know, which says nothing of the server. */
export interface KnownFacts {
  readonly campaign: (id: string) => Pick<CampaignWire, 'status'> | null;
  readonly user: (id: string) => Pick<UserWire, 'role' | 'isActive'> | null;
  readonly creative: (id: string) => Pick<CreativeWire, 'isActive'> | null;
  /** The contractor found by a nick as `parseNick` gives it. */
  readonly contractorId: (nick: string) => string | null;
}

/** Members of a document in outside form; `contractor` is a nick, `deleted` a removal. */
export type TypedValues = Readonly<Record<string, unknown>>;

export interface PlacementPrediction {
  /**
   * The document as the accepted events leave it: `stored` itself while there are none, `null` while not even its creation is decided.
   */
  readonly decided: PlacementWire | null;
  readonly removed: boolean;
  /** What was wished and could not be decided here, or not by us: shown as typed, with nothing derived from it. */
  readonly typed: TypedValues;
  /** Ids of entries that change nothing of what is there. */
  readonly idle: ReadonlySet<string>;
}

const noIds: ReadonlySet<string> = new Set();
const nothingTyped: TypedValues = {};

const stateOf = (stored: PlacementWire): Placement => ({
  campaignId: stored.campaignId,
  buyerId: stored.buyerId,
  contractorId: stored.contractorId,
  creativeId: stored.creativeId,
  category: stored.category,
  format: stored.format,
  price: fromRoubles(stored.price) ?? kopecks(0),
  leads: stored.leads,
  date: stored.date,
  paymentStatus: stored.paymentStatus as PaymentStatus,
  status: stored.status as PlacementStatus,
  comment: stored.comment,
  postUrl: stored.postUrl,
  removed: false,
});

const foldedOf = (stored: PlacementWire): Folded<Placement> => {
  const { revision, createdAt, updatedAt } = stored;
  return { state: stateOf(stored), revision, createdAt, updatedAt };
};

/** `null` = one of them is missing. */
const factsFor = (
  { campaignId, buyerId, creativeId }: { campaignId: string; buyerId?: string; creativeId?: string },
  known: KnownFacts,
): PlacementFacts | null => {
  const campaign = known.campaign(campaignId);
  const buyer = buyerId === undefined ? null : known.user(buyerId);
  const named = creativeId === undefined || creativeId === noCreative ? undefined : creativeId;
  const creative = named === undefined ? null : known.creative(named);
  if (campaign === null || (buyerId !== undefined && buyer === null) || (named !== undefined && creative === null))
    return null;
  return { campaign: { status: campaign.status, deleted: false }, buyer, creative };
};

/** `null` = it cannot be decided here: a fact is missing, or the placement itself. */
const decide = (
  command: PlacementCommand,
  state: Placement | null,
  known: KnownFacts,
): Decision<PlacementEvent> | null => {
  if (command.type === 'AddPlacement') {
    const facts = factsFor(command, known);
    return facts && placementDecider.decide(command, state, facts);
  }
  if (state === null) return null;
  const changes = command.type === 'ChangePlacement' ? command.changes : {};
  const facts = factsFor({ ...changes, campaignId: state.campaignId }, known);
  return facts && placementDecider.decide(command, state, facts);
};

const contactIn = (wish: PlacementIntent): AddContact | null =>
  (wish.op === 'add' || wish.op === 'change' ? wish.body.contractor : null) ?? null;
type AddContact = Extract<PlacementIntent, { op: 'add' }>['body']['contractor'];

/** A contractor whom the replica does not know is left out of the command: the server may make one. */
const commandOf = (wish: PlacementIntent, contractorId: string | null, day: string): PlacementCommand => {
  switch (wish.op) {
    case 'add':
      return addPlacementCommand(wish.body, contractorId ?? '', day);
    case 'change':
      return changePlacementCommand(wish.body, contractorId ?? undefined);
    case 'payment':
      return setPaymentCommand(wish.body);
    case 'remove':
      return { type: 'RemovePlacement' };
    case 'restore':
      return { type: 'RestorePlacement' };
  }
};

const valuesOf = (command: PlacementCommand): TypedValues => {
  switch (command.type) {
    case 'AddPlacement': {
      const { type: _, contractorId: __, ...members } = command;
      return { ...members, price: toRoubles(command.price) };
    }
    case 'ChangePlacement': {
      const { contractorId: _, price, ...members } = command.changes;
      return { ...members, ...(price !== undefined && { price: toRoubles(price) }) };
    }
    case 'SetPayment':
      return command.paymentStatus === 'toggle' ? nothingTyped : { paymentStatus: command.paymentStatus };
    case 'RemovePlacement':
      return { deleted: true };
    case 'RestorePlacement':
      return nothingTyped;
  }
};

/**
 * What one placement will be, by the server's own deciders: its commands on their way, in order of issue, each decided on what the ones
 * before leave of the newest stored document. `stored` is `null` for one that the server does not have yet.
 */
export const predictPlacement = (
  stored: PlacementWire | null,
  id: string,
  entries: readonly Entry[],
  known: KnownFacts,
): PlacementPrediction => {
  let folded: Folded<Placement> = stored === null ? nothing : foldedOf(stored);
  const first = folded;
  const typed = new Map<string, unknown>();
  const idle = new Set<string>();
  const type = (values: TypedValues): void => {
    for (const [name, value] of Object.entries(values)) typed.set(name, value);
  };

  for (const entry of entries) {
    // A refused value is shown beside the stored one, never instead of it.
    if (entry.state.kind === 'rejected') continue;
    const read = readPlacementIntent(entry);
    if (read.kind !== 'wish') {
      // Kept by an earlier version, and no value of today: the row stays as it is until the server has refused it.
      if (read.kind === 'unknown' || stored === null) type(givenBy(entry));
      continue;
    }
    const contact = contactIn(read.wish);
    const contractorId = contact && known.contractorId(contact.nick);
    const command = commandOf(read.wish, contractorId, today(entry.issuedAt));
    // What others changed meanwhile waits for a person's choice, which no decider knows.
    const decision = entry.state.kind === 'conflict' ? null : decide(command, folded.state, known);
    if (decision?.kind !== 'accepted') {
      type(valuesOf(command));
      if (contact) type({ contractor: contact.adminUsername });
      continue;
    }
    for (const name of Object.keys(entry.body)) typed.delete(name);
    for (const event of decision.events) {
      for (const name of placementDecider.changedFields(event)) typed.delete(name);
      folded = advance(placementDecider, folded, event, { at: new Date(entry.issuedAt).toISOString(), actorId: '' });
    }
    if (contact && contractorId === null) type({ contractor: contact.adminUsername });
    else if (decision.events.length === 0) idle.add(entry.id);
  }

  const { state, ...stamp } = folded;
  return {
    decided: state === null ? null : folded === first ? stored : presentPlacement({ ...state, ...stamp, id }),
    removed: state?.removed === true,
    typed: typed.size === 0 ? nothingTyped : Object.fromEntries(typed),
    idle: idle.size === 0 ? noIds : idle,
  };
};
