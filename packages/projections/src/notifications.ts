import type { NotificationFacts, NotificationRow } from '@zakup/contracts/notifications';
import type { LicenceEvent } from '@zakup/domain/licence/events';
import type { WebhookEvent } from '@zakup/domain/webhooks/events';
import { keyActorName } from '@zakup/domain/keys/keys.decider';
import { type Kopecks, kopecks } from '@zakup/domain/money';
import type { Position, RecordedEvent } from '@zakup/event-store/event-store';
import type { Inbox } from './documents.ts';
import type { FoldState } from './fold-state.ts';
import type { Fact, Projection } from './projection.ts';
import { getSoftDeletable } from './soft-delete.ts';
import type { RowChange } from './rows/row-projection.ts';
import { personScope } from './scopes.ts';
import { spentIn } from './totals/analytics.totals.ts';
import { counted } from './totals/counted.ts';
import type { WorkingSet } from './working-set.ts';

/** The latest ones of each person are kept; one more takes the place of the oldest. */
export const notificationsKept = 100;

const levels = [60, 80, 100] as const;
const leaders: ReadonlySet<string> = new Set(['CEO', 'CBDO', 'TEAM_LEAD']);
/** Who is no person: what they do is not somebody's doing. */
const nobody: ReadonlySet<string> = new Set(['system', 'admin']);

const slotId = (personId: string, slot: number): string => `${personId}-${slot}`;

/** The highest level above which the spending lies; 0 = none, as of a budget of 0, of which nothing is a share (NUM-7). Compared exactly. */
const levelOf = (spent: Kopecks, budget: Kopecks): number =>
  budget === 0 ? 0 : levels.reduce<number>((highest, level) => (spent * 100 > budget * level ? level : highest), 0);

type PlacementChange = Extract<RowChange, { kind: 'placement' }>;
type CampaignChange = Extract<RowChange, { kind: 'campaign' }>;
type EmployeeChange = Extract<RowChange, { kind: 'user' }>;
type LicenceChange = Extract<RowChange, { kind: 'license' }>;

/** What gives new means of signing in as a person. */
const meansOf: Readonly<Record<string, 'password' | 'code' | 'return'>> = {
  EmployeeTemporaryPasswordIssued: 'password',
  EmployeeCodeReissued: 'code',
  EmployeeReactivated: 'return',
};

const inboxKey = (licenceId: string, personId: string) => ({ kind: 'inbox' as const, id: personId, licenceId });

const tell = async (
  set: WorkingSet,
  { position, metadata: { licenceId, actorId, keyName, commandId, at } }: RecordedEvent,
  personId: string,
  facts: NotificationFacts,
): Promise<void> => {
  const inbox: Inbox = (await set.get(inboxKey(licenceId, personId))) ?? { told: 0, last: null };
  const id = slotId(personId, (inbox.told - 1) % notificationsKept);
  const { last } = inbox;
  // What one command did to many things is told once, with how many.
  const before =
    last !== null && last.commandId === commandId && last.actorId === actorId && last.type === facts.type
      ? await set.get({ kind: 'notification' as const, id, licenceId })
      : null;
  if (before === null)
    await set.put({
      ...inboxKey(licenceId, personId),
      position,
      scopes: [],
      data: { told: inbox.told + 1, last: { commandId, actorId, type: facts.type } },
    });
  const actor = nobody.has(actorId)
    ? null
    : keyName === undefined
      ? await set.get({ kind: 'user', id: actorId, licenceId })
      : { name: keyActorName(keyName) };
  const data: NotificationRow = {
    personId,
    at,
    position,
    actor: actor === null ? null : { userId: actorId, name: actor.name },
    commandId,
    count: (before?.count ?? 0) + 1,
    read: false,
    facts,
  };
  const slot = before === null ? slotId(personId, inbox.told % notificationsKept) : id;
  await set.put({ kind: 'notification', id: slot, licenceId, position, scopes: [personScope(personId)], data });
};

const campaignOf = async (set: WorkingSet, licenceId: string, id: string) =>
  (await getSoftDeletable(set, { kind: 'campaign', id, licenceId }))?.data ?? null;

/** Everybody who answers for a campaign's money: those who share in it, and those who lead. */
const stewards = async (set: WorkingSet, licenceId: string, participants: readonly { readonly userId: string }[]) => {
  const people = await set.find('user', licenceId);
  const sharing = new Set(participants.map(({ userId }) => userId));
  return people
    .filter(({ id, data }) => data.isActive && (sharing.has(id) || leaders.has(data.role)))
    .map(({ id }) => id)
    .toSorted();
};

const tellLevel = async (
  set: WorkingSet,
  event: RecordedEvent,
  campaignId: string,
  before: number,
  after: number,
): Promise<void> => {
  if (after <= before) return;
  const { licenceId } = event.metadata;
  const campaign = await campaignOf(set, licenceId, campaignId);
  if (campaign === null || campaign.deleted) return;
  const facts = { type: 'budget', campaignId, campaignName: campaign.name, level: after } as const;
  for (const personId of await stewards(set, licenceId, campaign.participants)) await tell(set, event, personId, facts);
};

/** Whether anybody may have to be told. */
const isNews = ({ event, before, after }: PlacementChange): boolean =>
  counted(before)?.price !== counted(after)?.price || !nobody.has(event.metadata.actorId);

const ofPlacement = async (
  { event, before, after, id, licenceId }: PlacementChange,
  state: FoldState,
): Promise<void> => {
  const { set } = state;
  const { actorId } = event.metadata;
  const { campaignId } = after;
  const [was, is] = [counted(before), counted(after)];
  if (was?.price !== is?.price) {
    const campaign = await campaignOf(set, licenceId, campaignId);
    const spent = await spentIn(state, licenceId, campaignId);
    const earlier = kopecks(spent - (is?.price ?? 0) + (was?.price ?? 0));
    if (campaign !== null)
      await tellLevel(
        set,
        event,
        campaignId,
        levelOf(earlier, campaign.totalBudget),
        levelOf(spent, campaign.totalBudget),
      );
  }
  if (nobody.has(actorId)) return;
  const owners = new Set([before?.buyerId ?? after.buyerId, after.buyerId]);
  owners.delete(actorId);
  if (owners.size === 0) return;
  const what =
    before === null
      ? 'added'
      : after.removed && !before.removed
        ? 'removed'
        : before.removed && !after.removed
          ? 'restored'
          : 'changed';
  const contractor = await getSoftDeletable(set, { kind: 'contractor', id: after.contractorId, licenceId });
  const campaign = await campaignOf(set, licenceId, campaignId);
  const facts = {
    type: 'placement',
    what,
    placementId: id,
    campaignId,
    campaignName: campaign?.name ?? '',
    nick: contractor?.data.adminUsername ?? '',
  } as const;
  for (const owner of [...owners].toSorted()) await tell(set, event, owner, facts);
};

const ofCampaign = async ({ event, before, after, licenceId, id }: CampaignChange, state: FoldState): Promise<void> => {
  if (before === null || before.totalBudget === after.totalBudget) return;
  const spent = await spentIn(state, licenceId, id);
  await tellLevel(state.set, event, id, levelOf(spent, before.totalBudget), levelOf(spent, after.totalBudget));
};

const ofLicence = async ({ event, decoded }: LicenceChange, set: WorkingSet): Promise<void> => {
  const { type, data } = decoded as LicenceEvent;
  const facts =
    type === 'LicenceExpiryNoticed'
      ? ({ type: 'expiry', daysLeft: data.daysBefore, expiresAt: data.expiresAt } as const)
      : type === 'LicenceClosingRequested' || type === 'LicenceClosingNoticed'
        ? ({ type: 'closing', closesAt: data.closesAt } as const)
        : type === 'LicenceClosingTakenBack'
          ? ({ type: 'kept_open' } as const)
          : null;
  if (facts === null) return;
  const people = await set.find('user', event.metadata.licenceId);
  const told = people.filter(
    ({ data: { isActive, role } }) => isActive && (facts.type !== 'expiry' || leaders.has(role)),
  );
  for (const id of told.map((one) => one.id).toSorted()) await tell(set, event, id, facts);
};

const ownersOf = async (set: WorkingSet, licenceId: string): Promise<readonly string[]> =>
  (await set.find('user', licenceId))
    .filter(({ data: { isOwner, isActive } }) => isOwner && isActive)
    .map(({ id }) => id)
    .toSorted();

/** Owners hear of it when somebody else can come in as a colleague. */
const ofEmployee = async (
  { event, decoded: { type }, after, licenceId, id }: EmployeeChange,
  set: WorkingSet,
): Promise<void> => {
  const { actorId } = event.metadata;
  const what = Object.hasOwn(meansOf, type) ? meansOf[type] : undefined;
  if (what === undefined || nobody.has(actorId) || actorId === id) return;
  const owners = await ownersOf(set, licenceId);
  if (owners.includes(actorId)) return;
  const facts = { type: 'access', what, userId: id, userName: after.name } as const;
  for (const owner of owners) await tell(set, event, owner, facts);
};

/** Owners hear of a webhook that gave up. */
const ofWebhook = async ({ event, facts }: Fact, set: WorkingSet): Promise<void> => {
  if (event.type !== 'WebhookFailed' || facts === null) return;
  const { host, reason } = facts as unknown as Extract<WebhookEvent, { type: 'WebhookFailed' }>['data'];
  for (const owner of await ownersOf(set, event.metadata.licenceId))
    await tell(set, event, owner, { type: 'webhook', host, reason });
};

const outcomes: Readonly<Record<string, 'done' | 'failed' | 'cancelled'>> = {
  ImportFinished: 'done',
  ImportFailed: 'failed',
  ImportCancelled: 'cancelled',
};

/** Whoever imports hears how it ended, also where they watched: they may be on another screen by then. A key hears nothing. */
const ofImport = async ({ id, event, facts }: Fact, set: WorkingSet): Promise<void> => {
  const outcome = Object.hasOwn(outcomes, event.type) ? outcomes[event.type] : undefined;
  const { licenceId } = event.metadata;
  const ended =
    outcome === undefined || facts === null
      ? null
      : await set.get({ kind: 'import', id: `${licenceId}~${id}`, licenceId });
  if (outcome === undefined || ended === null) return;
  const { by, name, campaignId, added, changed, skipped, failed } = ended;
  if ((await set.get({ kind: 'user', id: by, licenceId })) === null) return;
  const campaignName = (await campaignOf(set, licenceId, campaignId))?.name ?? '';
  const about = { importId: id, name, campaignId, campaignName };
  await tell(set, event, by, { type: 'import', ...about, outcome, added, changed, skipped, failed });
};

/** Everything that the person was told up to there is read. */
const read = async (set: WorkingSet, { id: personId, event, facts }: Fact): Promise<void> => {
  const upTo = facts === null ? undefined : (facts as { readonly upTo?: Position }).upTo;
  if (upTo === undefined) return;
  const { position, metadata } = event;
  const { licenceId } = metadata;
  for (const { id, data } of await set.find('notification', licenceId, { personId })) {
    if (data.read || data.position > upTo) continue;
    const scopes = [personScope(personId)];
    await set.put({ kind: 'notification', id, licenceId, position, scopes, data: { ...data, read: true } });
  }
};

/** Tells people what others did to what is theirs (NTF-1 to NTF-4, NTF-7, NTF-8), in `me`. */
export const notifications: Projection = {
  name: 'notifications',
  version: 12,
  writes: ['notification', 'inbox'],

  apply(change, state) {
    if (change.kind === 'placement') return isNews(change) ? ofPlacement(change, state) : undefined;
    if (change.kind === 'campaign') return ofCampaign(change, state);
    if (change.kind === 'user') return ofEmployee(change, state.set);
    if (change.kind === 'license') return ofLicence(change, state.set);
    return undefined;
  },

  facts: {
    of: ['access', 'preferences', 'webhooks', 'import'],
    apply(fact, { set }) {
      const { category, event, id } = fact;
      if (category === 'preferences') return read(set, fact);
      if (category === 'webhooks') return ofWebhook(fact, set);
      if (category === 'import') return ofImport(fact, set);
      return event.type === 'SecondFactorReset' ? tell(set, event, id, { type: 'second_factor_reset' }) : undefined;
    },
  },
};
