import type { RowByKind } from '@zakup/contracts/read-models';
import type { AnyEvent, EventType } from '@zakup/domain/catalog';
import type { EventMetadata, RecordedEvent } from '@zakup/event-store/event-store';

/**
 * What events make of each entity, told anew and as plainly as can be: with the rest of this folder it shares no line with the folds, the
 * deciders and the formulas that are compared with it, only the types of what both give.
 */

/** A stored event taken apart. `id`: of its entity, from the stream's name; `category`: the first part of that name. */
export interface Told {
  readonly position: number;
  readonly recordedAt: string;
  readonly revision: number;
  readonly category: string;
  readonly id: string;
  readonly meta: EventMetadata;
  readonly event: AnyEvent;
}

export const told = (stored: RecordedEvent): Told => {
  const { position, recordedAt, revision, stream, metadata, type, data } = stored;
  const [category = ''] = stream.split('-');
  const [, id = ''] = stream.split('~');
  return { position, recordedAt, revision, category, id, meta: metadata, event: { type, data } as unknown as AnyEvent };
};

/** Entities by kind and id, deleted ones too. */
export interface World {
  readonly license: Readonly<Record<string, RowByKind['license']>>;
  readonly user: Readonly<Record<string, RowByKind['user']>>;
  readonly channel: Readonly<Record<string, RowByKind['channel']>>;
  readonly campaign: Readonly<Record<string, RowByKind['campaign']>>;
  /** Without their totals, as contractors: those are sums of placements. */
  readonly creative: Readonly<Record<string, Omit<RowByKind['creative'], 'totals'>>>;
  readonly contractor: Readonly<Record<string, Omit<RowByKind['contractor'], 'totals'>>>;
  readonly placement: Readonly<Record<string, RowByKind['placement']>>;
}
export type EntityName = keyof World;

export const nothing: World = {
  license: {},
  user: {},
  channel: {},
  campaign: {},
  creative: {},
  contractor: {},
  placement: {},
};

const kinds: Readonly<Record<string, EntityName>> = {
  licence: 'license',
  employee: 'user',
  channel: 'channel',
  campaign: 'campaign',
  creative: 'creative',
  contractor: 'contractor',
  placement: 'placement',
};

/** Of which kind the entity of the event is; undefined where its stream is no entity's that people see. */
export const kindOf = ({ category }: Told): EntityName | undefined => kinds[category];

/** Events that say what members are from now on, and nothing else. */
const plainlySaid: ReadonlySet<EventType> = new Set<EventType>([
  'PlacementDateChanged',
  'PlacementContractorChanged',
  'PlacementPriceChanged',
  'PlacementLeadsRecorded',
  'PlacementCreativeChanged',
  'PlacementCategoryChanged',
  'PlacementFormatChanged',
  'PlacementBuyerChanged',
  'PlacementStatusChanged',
  'PlacementCommentChanged',
  'PlacementPostUrlChanged',
  'CampaignRenamed',
  'CampaignMovedToChannel',
  'CampaignBudgetChanged',
  'CampaignDatesChanged',
  'ChannelRenamed',
  'ChannelAvatarChanged',
  'CreativeRenamed',
  'CreativeAbbreviationChanged',
  'CreativeTypeChanged',
  'CreativeNotesChanged',
  'EmployeeRenamed',
  'EmployeeEmailChanged',
  'EmployeeRoleChanged',
  'EmployeeTermsChanged',
  'EmployeeCodeReissued',
]);

/** Events that mean always the same members. */
const always: Readonly<Partial<Record<EventType, object>>> = {
  PlacementMarkedPaid: { paymentStatus: 'paid' },
  PlacementMarkedUnpaid: { paymentStatus: 'unpaid' },
  PlacementRemoved: { removed: true },
  PlacementRestored: { removed: false },
  CampaignActivated: { status: 'ACTIVE', completion: null },
  CampaignReopened: { status: 'ACTIVE', completion: null },
  CampaignDeleted: { deleted: true },
  CampaignRestored: { deleted: false },
  ChannelDeleted: { deleted: true },
  ChannelRestored: { deleted: false },
  CreativeDeactivated: { isActive: false },
  CreativeReactivated: { isActive: true },
  EmployeeDeactivated: { isActive: false },
  EmployeeTemporaryPasswordIssued: {},
  EmployeePasswordChanged: {},
  ContractorDeactivated: { isActive: false },
  ContractorReactivated: { isActive: true },
  ContractorSeparated: { mergedInto: undefined },
  LicenceResumed: { suspended: null },
  LicenceClosingTakenBack: { closing: null },
};

const campaignChange = (
  { participants }: RowByKind['campaign'],
  { event, meta }: Told,
): Partial<RowByKind['campaign']> | null => {
  if (event.type === 'CampaignCompleted') return { status: 'COMPLETED', completion: { at: meta.at, by: meta.actorId } };
  if (event.type === 'CampaignParticipantRemoved')
    return { participants: participants.filter((one) => one.userId !== event.data.userId) };
  if (event.type !== 'CampaignParticipantSet') return null;
  const { participant } = event.data;
  const place = participants.findIndex((one) => one.userId === participant.userId);
  return { participants: place < 0 ? [...participants, participant] : participants.with(place, participant) };
};

const channelChange = ({ campaigns }: RowByKind['channel'], { event }: Told): Partial<RowByKind['channel']> | null => {
  if (event.type === 'CampaignAttachedToChannel') return { campaigns: [...campaigns, event.data.campaignId] };
  if (event.type === 'CampaignDetachedFromChannel')
    return { campaigns: campaigns.filter((id) => id !== event.data.campaignId) };
  return null;
};

const userChange = ({ permissions }: RowByKind['user'], { event }: Told): Partial<RowByKind['user']> | null => {
  if (event.type === 'EmployeeReactivated') return { isActive: true, authCode: event.data.authCode };
  if (event.type !== 'EmployeePermissionsChanged') return null;
  const own: Record<string, boolean> = { ...permissions };
  for (const [key, open] of Object.entries(event.data.permissions)) {
    if (open === null) delete own[key];
    else own[key] = open;
  }
  return { permissions: Object.keys(own).length === 0 ? null : own };
};

const contractorChange = (
  { notes, received = [] }: World['contractor'][string],
  { event, revision, meta }: Told,
): Partial<RowByKind['contractor']> | null => {
  if (
    event.type === 'ContractorRenamed' ||
    event.type === 'ContractorChannelNameChanged' ||
    event.type === 'ContractorCategoryChanged'
  )
    return { ...event.data, automatic: false };
  if (event.type === 'ContractorNoteAdded') {
    const { noteId, note, authorName, authorId = meta.actorId, createdAt = meta.at } = event.data;
    const added = { id: noteId, revision, note, authorId, authorName, createdAt };
    // One that came back stands where it was by its time; a new one is the last.
    if (event.data.createdAt === undefined) return { notes: [...notes, added] };
    const place = 1 + notes.findLastIndex((one) => one.createdAt <= createdAt);
    return { notes: notes.toSpliced(place, 0, added) };
  }
  if (event.type === 'ContractorNoteRemoved') return { notes: notes.filter(({ id }) => id !== event.data.noteId) };
  if (event.type === 'ContractorVerdictChanged')
    return { verdict: event.data.verdict ?? undefined } as Partial<RowByKind['contractor']>;
  if (event.type === 'ContractorMerged') return { mergedInto: event.data.intoId };
  if (event.type === 'ContractorReceived') return { received: [...received, event.data] };
  if (event.type === 'ContractorReturned') {
    const left = received.filter((one) => one.contractorId !== event.data.contractorId);
    return { received: left.length === 0 ? undefined : left } as Partial<RowByKind['contractor']>;
  }
  return null;
};

const licenceChange = (
  { term, closing, settings }: RowByKind['license'],
  { event, revision, meta: { at } }: Told,
): Partial<RowByKind['license']> | null => {
  if (term === undefined) return null;
  if (event.type === 'LicenceActivated')
    return { ownerId: event.data.ownerId, ceoLoginCode: event.data.ceoLoginCode, activated: true };
  if (event.type === 'LicenceRenewed') {
    return {
      expiresAt: event.data.expiresAt,
      graceUntil: null,
      graceUsed: false,
      renewalRequestedAt: null,
      term: { since: at, revision, noticed: [], expired: false },
    };
  }
  if (event.type === 'LicenceSuspended') return { suspended: { reason: event.data.reason, at } };
  if (event.type === 'LicenceGraceStarted') return { graceUntil: event.data.until, graceUsed: true };
  if (event.type === 'LicenceExpired') return { term: { ...term, expired: true } };
  if (event.type === 'LicenceExpiryNoticed')
    return { term: { ...term, noticed: [...term.noticed, event.data.daysBefore] } };
  if (event.type === 'LicenceRenewalRequested') return { renewalRequestedAt: at };
  if (event.type === 'LicenceClosingRequested') {
    const { closesAt, reason } = event.data;
    return { closing: { revision, requestedAt: at, closesAt, reason, noticed: [], closed: false } };
  }
  if (event.type === 'LicenceClosingNoticed')
    return closing ? { closing: { ...closing, noticed: [...closing.noticed, event.data.daysBefore] } } : {};
  if (event.type === 'LicenceClosed') return closing ? { closing: { ...closing, closed: true } } : {};
  if (event.type === 'LicenceSettingsChanged') return { settings: { ...settings, ...event.data } };
  return null;
};

const begun = ({ event, revision, meta: { at, actorId } }: Told): object | null => {
  if (event.type === 'PlacementAdded') {
    const { comment = '', postUrl = null } = event.data;
    return { ...event.data, comment, postUrl, leads: 0, status: 'PENDING', removed: false };
  }
  if (event.type === 'CampaignCreated')
    return {
      ...event.data,
      deleted: false,
      completion: event.data.status === 'COMPLETED' ? { at, by: actorId } : null,
    };
  if (event.type === 'ChannelCreated') return { ...event.data, campaigns: [], deleted: false };
  if (event.type === 'CreativeCreated' || event.type === 'EmployeeCreated') return { ...event.data, isActive: true };
  if (event.type === 'ContractorCreated') return { ...event.data, isActive: true, notes: [] };
  if (event.type === 'LicenceIssued') {
    return {
      ...event.data,
      activated: false,
      ownerId: null,
      ceoLoginCode: null,
      suspended: null,
      graceUntil: null,
      graceUsed: false,
      term: { since: at, revision, noticed: [], expired: false },
      renewalRequestedAt: null,
      closing: null,
      settings: {
        buyersEditAll: true,
        earningsVisible: true,
        codeOnlyLogin: false,
        secondFactorForAll: false,
        changeGivenPasswords: false,
        countZeroLeads: true,
        leadValue: 100_00,
      },
    };
  }
  return null;
};

const changed = (world: World, kind: EntityName, one: Told): object | null => {
  const { id, event } = one;
  const [campaign, channel, user] = [world.campaign[id], world.channel[id], world.user[id]];
  const [contractor, licence] = [world.contractor[id], world.license[id]];
  if (plainlySaid.has(event.type)) return event.data;
  const meant = always[event.type];
  if (meant !== undefined) return meant;
  if (kind === 'campaign' && campaign !== undefined) return campaignChange(campaign, one);
  if (kind === 'channel' && channel !== undefined) return channelChange(channel, one);
  if (kind === 'user' && user !== undefined) return userChange(user, one);
  if (kind === 'contractor' && contractor !== undefined) return contractorChange(contractor, one);
  if (kind === 'license' && licence !== undefined) return licenceChange(licence, one);
  return null;
};

/** The world after the event. Throws for one that nobody here has heard of. */
export const after = (world: World, one: Told): World => {
  const kind = kindOf(one);
  if (kind === undefined) return world;
  const { id, revision, event, meta } = one;
  const before = world[kind][id];
  const members = before === undefined ? begun(one) : changed(world, kind, one);
  if (members === null) throw new Error(`What does ${event.type} do?`);
  const row = { ...before, ...members, id, revision, createdAt: before?.createdAt ?? meta.at, updatedAt: meta.at };
  return { ...world, [kind]: { ...world[kind], [id]: row } };
};

/** One event with the world before and after it. */
export interface Step {
  readonly one: Told;
  readonly before: World;
  readonly after: World;
}

/** Every event of a licence in the order of the log, each with what was and what is. */
export const stepsOf = (events: readonly RecordedEvent[]): readonly Step[] => {
  const steps: Step[] = [];
  let world = nothing;
  for (const stored of events) {
    const one = told(stored);
    const next = after(world, one);
    steps.push({ one, before: world, after: next });
    world = next;
  }
  return steps;
};
