import type { NotificationFacts } from '@zakup/contracts/notifications';
import type { Step, World } from './entities.ts';
import { importsOf } from './imports.ts';
import { rowsOfCampaign, sumsOf } from './sums.ts';

/** What each person was told and what they have read of it (NTF-1 to NTF-5, NTF-7, NTF-8). */

interface Notice {
  readonly personId: string;
  readonly at: string;
  readonly position: number;
  readonly actor: { readonly userId: string; readonly name: string } | null;
  readonly commandId: string;
  readonly count: number;
  readonly read: boolean;
  readonly facts: NotificationFacts;
}

interface Inbox {
  /** Everything, the oldest first. */
  readonly notices: Notice[];
  /** By whom and of what kind the last one is. */
  last: { readonly commandId: string; readonly actorId: string; readonly type: string };
}

const kept = 100;
const leads = (role: string): boolean => role === 'CEO' || role === 'CBDO' || role === 'TEAM_LEAD';
const isPerson = (actorId: string): boolean => actorId !== 'system' && actorId !== 'admin';

/** The greatest of 60, 80 and 100 percent that is exceeded; 0 = none, as of a budget of 0. */
const levelOf = (world: World, campaignId: string): number => {
  const { spent } = sumsOf(rowsOfCampaign(world, campaignId));
  const budget = world.campaign[campaignId]?.totalBudget ?? 0;
  if (budget === 0) return 0;
  const exceeds = (level: number): boolean => BigInt(spent) * 100n > BigInt(budget) * BigInt(level);
  return exceeds(100) ? 100 : exceeds(80) ? 80 : exceeds(60) ? 60 : 0;
};

type Message = readonly [personId: string, facts: NotificationFacts];

const activePeople = (world: World) =>
  Object.values(world.user)
    .filter(({ isActive }) => isActive)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));

const ofBudget = ({ before, after, one }: Step): readonly Message[] => {
  const campaignId =
    one.category === 'campaign' ? one.id : one.category === 'placement' ? after.placement[one.id]?.campaignId : '';
  const campaign = after.campaign[campaignId ?? ''];
  if (campaign === undefined || campaign.deleted || before.campaign[campaign.id] === undefined) return [];
  const level = levelOf(after, campaign.id);
  if (level <= levelOf(before, campaign.id)) return [];
  const shares = (userId: string): boolean =>
    campaign.participants.some((participant) => participant.userId === userId);
  return activePeople(after)
    .filter(({ id, role }) => shares(id) || leads(role))
    .map(({ id }) => [id, { type: 'budget', campaignId: campaign.id, campaignName: campaign.name, level }]);
};

const ofPlacement = ({ before, after, one: { category, id, meta } }: Step): readonly Message[] => {
  const [was, is] = [before.placement[id], after.placement[id]];
  if (category !== 'placement' || is === undefined || !isPerson(meta.actorId)) return [];
  const what =
    was === undefined ? 'added' : was.removed === is.removed ? 'changed' : is.removed ? 'removed' : 'restored';
  const owners = was === undefined || was.buyerId === is.buyerId ? [is.buyerId] : [was.buyerId, is.buyerId].toSorted();
  const facts = {
    type: 'placement',
    what,
    placementId: id,
    campaignId: is.campaignId,
    campaignName: after.campaign[is.campaignId]?.name ?? '',
    nick: after.contractor[is.contractorId]?.adminUsername ?? '',
  } as const;
  return owners.filter((owner) => owner !== meta.actorId).map((owner) => [owner, facts]);
};

const ofLicence = ({ after, one: { event } }: Step): readonly Message[] => {
  const people = activePeople(after);
  if (event.type === 'LicenceExpiryNoticed') {
    const { daysBefore: daysLeft, expiresAt } = event.data;
    return people.filter(({ role }) => leads(role)).map(({ id }) => [id, { type: 'expiry', daysLeft, expiresAt }]);
  }
  if (event.type === 'LicenceClosingRequested' || event.type === 'LicenceClosingNoticed')
    return people.map(({ id }) => [id, { type: 'closing', closesAt: event.data.closesAt }]);
  if (event.type === 'LicenceClosingTakenBack') return people.map(({ id }) => [id, { type: 'kept_open' }]);
  return [];
};

const ofAccess = ({ one: { event, id } }: Step): readonly Message[] =>
  event.type === 'SecondFactorReset' ? [[id, { type: 'second_factor_reset' }]] : [];

const ofWebhooks = ({ after, one: { event } }: Step): readonly Message[] => {
  if (event.type !== 'WebhookFailed') return [];
  const { host, reason } = event.data;
  const owners = activePeople(after).filter(({ isOwner }) => isOwner);
  return owners.map(({ id }) => [id, { type: 'webhook', host, reason }]);
};

const outcomes = { ImportFinished: 'done', ImportFailed: 'failed', ImportCancelled: 'cancelled' } as const;

/** Of an import that ended: its maker, by everything that came to pass until then. */
const ofImports = (steps: readonly Step[], { after, one: { id, event } }: Step): readonly Message[] => {
  if (!(event.type in outcomes)) return [];
  const outcome = outcomes[event.type as keyof typeof outcomes];
  const ended = importsOf(steps).get(id)?.data;
  if (ended === undefined || after.user[ended.by] === undefined) return [];
  const { by, name, campaignId, added, changed, skipped, failed } = ended;
  const campaignName = after.campaign[campaignId]?.name ?? '';
  const counts = { added, changed, skipped, failed };
  return [[by, { type: 'import', importId: id, name, campaignId, campaignName, outcome, ...counts }]];
};

/** Of means of signing in that somebody else gave. */
const meansOf = ({ after, one: { category, id, event, meta } }: Step): readonly Message[] => {
  const person = after.user[id];
  if (category !== 'employee' || person === undefined || !isPerson(meta.actorId) || meta.actorId === id) return [];
  const what =
    event.type === 'EmployeeTemporaryPasswordIssued'
      ? 'password'
      : event.type === 'EmployeeCodeReissued'
        ? 'code'
        : event.type === 'EmployeeReactivated'
          ? 'return'
          : null;
  const owners = activePeople(after).filter(({ isOwner }) => isOwner);
  if (what === null || owners.some((owner) => owner.id === meta.actorId)) return [];
  return owners.map((owner) => [owner.id, { type: 'access', what, userId: id, userName: person.name }]);
};

/** What everybody was told, by person. */
export const inboxesOf = (steps: readonly Step[]): ReadonlyMap<string, Inbox> => {
  const inboxes = new Map<string, Inbox>();
  const tell = ({ after, one: { position, meta } }: Step, [personId, facts]: Message): void => {
    const { actorId, commandId, at } = meta;
    const inbox = inboxes.get(personId);
    // What one command did to many things is told once.
    const goesOn =
      inbox !== undefined &&
      inbox.last.commandId === commandId &&
      inbox.last.actorId === actorId &&
      inbox.last.type === facts.type;
    const count = goesOn ? 1 + (inbox.notices.at(-1)?.count ?? 0) : 1;
    const name = after.user[actorId]?.name;
    const actor = name === undefined || !isPerson(actorId) ? null : { userId: actorId, name };
    const notice = { personId, at, position, actor, commandId, count, read: false, facts };
    const earlier = inbox?.notices ?? [];
    const notices = goesOn ? [...earlier.slice(0, -1), notice] : [...earlier, notice];
    inboxes.set(personId, { notices, last: { commandId, actorId, type: facts.type } });
  };
  for (const [before, step] of steps.entries()) {
    const told = [
      ...ofBudget(step),
      ...ofPlacement(step),
      ...ofLicence(step),
      ...ofAccess(step),
      ...ofWebhooks(step),
      ...meansOf(step),
      ...ofImports(steps.slice(0, before + 1), step),
    ];
    for (const message of told) tell(step, message);
    const { event, id } = step.one;
    if (event.type !== 'NotificationsRead') continue;
    const notices = inboxes.get(id)?.notices ?? [];
    for (const [index, notice] of notices.entries())
      if (notice.position <= event.data.upTo) notices[index] = { ...notice, read: true };
  }
  return inboxes;
};

/** The latest hundred, each in the place of the one a hundred before it: by `<person>-<number>`. */
export const slotsOf = ({ notices }: Inbox): Readonly<Record<string, Notice>> => {
  const slots: Record<string, Notice> = {};
  for (const [number, notice] of notices.entries()) slots[`${notice.personId}-${number % kept}`] = notice;
  return slots;
};
