import { averageCpl, type Sums, type Totals } from '@zakup/domain/analytics/sums';
import { costPerLead } from '@zakup/domain/analytics/cpl';
import { efficiencyOf } from '@zakup/domain/analytics/efficiency';
import type { CountedLine, LeftOutLine } from '@zakup/domain/analytics/earnings';
import { averagePrice } from '@zakup/domain/analytics/indicators';
import { campaignSummary, type CampaignSummary } from '@zakup/domain/analytics/summary';
import { nicksOf } from '@zakup/domain/contractor/nicks';
import { graceUntilAt, licenceStatus } from '@zakup/domain/licence/licence-status';
import { type Kopecks, kopecks, toRoubles } from '@zakup/domain/money';
import { creativeSums } from './creative-totals.ts';
import type {
  AdminLicenseWire,
  AnalyticsWire,
  CampaignWire,
  ChannelWire,
  ContractorWire,
  CreativeWire,
  EarningsWire,
  DeliveryTryWire,
  DeliveryWire,
  KeyWire,
  WebhookWire,
  LicenseWire,
  NoteWire,
  ViewWire,
  PersonWire,
  PlacementTotalsWire,
  PlacementWire,
  UserWire,
} from './wire-entities.ts';
import type {
  AnalyticsRow,
  CampaignRow,
  ChannelRow,
  ContractorRow,
  CreativeRow,
  CreativeTotals,
  EarningsByLine,
  EarningsTotals,
  EmployeeRow,
  LicenceRow,
  NoteRow,
  ViewRow,
  PlacementRow,
} from './read-models.ts';

/** The one way from a row (kopecks, operands) to the wire (roubles, rounded once, half up). Used by command's replies and gateway alike. */

type Stamped = { id: string; revision: number; createdAt: string; updatedAt: string };
const stamp = ({ id, revision, createdAt, updatedAt }: Stamped): Stamped => ({ id, revision, createdAt, updatedAt });
const nullable = (amount: Kopecks | null): number | null => (amount === null ? null : toRoubles(amount));
const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Names each member: an object that begins as a spread one takes engines 40 µs instead of 0.1, and there are 100,000 of these. */
export const presentPlacement = (row: PlacementRow): PlacementWire => ({
  id: row.id,
  revision: row.revision,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  campaignId: row.campaignId,
  buyerId: row.buyerId,
  contractorId: row.contractorId,
  creativeId: row.creativeId,
  category: row.category,
  format: row.format,
  price: toRoubles(row.price),
  leads: row.leads,
  costPerLead: toRoubles(costPerLead(row.price, row.leads)),
  date: row.date,
  paymentStatus: row.paymentStatus,
  status: row.status,
  comment: row.comment,
  postUrl: row.postUrl,
});

export const presentPlacementTotals = (totals: Totals): PlacementTotalsWire => ({
  price: toRoubles(totals.spent),
  leads: totals.leads,
  count: totals.placements,
  costPerLead: toRoubles(averageCpl(totals)),
  paid: toRoubles(totals.paid),
  unpaid: toRoubles(kopecks(totals.spent - totals.paid)),
});

export const presentChannel = (row: ChannelRow): ChannelWire => ({ ...stamp(row), name: row.name, avatar: row.avatar });

/** `hideTermsExcept`: participants' terms are shown to nobody but this person when the earnings switch is off (ROLE-10). */
export const presentCampaign = (row: CampaignRow, hideTermsExcept?: string): CampaignWire => ({
  ...stamp(row),
  name: row.name,
  channelId: row.channelId,
  totalBudget: toRoubles(row.totalBudget),
  budget: toRoubles(row.totalBudget),
  status: row.status,
  startDate: row.startDate,
  endDate: row.endDate,
  participants: row.participants.map((participant) => {
    const shown = hideTermsExcept === undefined || hideTermsExcept === participant.userId;
    return {
      userId: participant.userId,
      budget: toRoubles(participant.budget),
      salaryType: shown ? participant.salaryType : null,
      salaryRate: shown ? participant.salaryRate : null,
      cplThreshold: shown ? nullable(participant.cplThreshold) : null,
    };
  }),
  completion: row.completion,
});

/** Sums with their average. */
export const presentSums = (sums: Sums) => ({
  spent: toRoubles(sums.spent),
  leads: sums.leads,
  placements: sums.placements,
  averageCostPerLead: toRoubles(averageCpl(sums)),
});

const presentCreativeResults = (totals: CreativeTotals): CreativeWire['results'] => {
  const { total, sizes } = creativeSums(totals);
  return {
    ...presentSums(total),
    efficiency: efficiencyOf(total.spent, total.leads),
    sizes: sizes.map(({ size, sums }) => ({ size, ...presentSums(sums) })),
  };
};

export const presentCreative = (row: CreativeRow): CreativeWire => ({
  ...stamp(row),
  name: row.name,
  abbreviation: row.abbreviation,
  type: row.type,
  notes: row.notes,
  isActive: row.isActive,
  ...(row.totals !== undefined && { results: presentCreativeResults(row.totals) }),
});

export const presentNote = (row: NoteRow): NoteWire => ({
  id: row.id,
  revision: row.revision,
  contractorId: row.contractorId,
  note: row.note,
  authorId: row.authorId,
  authorName: row.authorName,
  createdAt: row.createdAt,
});

export const presentView = (row: ViewRow): ViewWire => ({
  id: row.id,
  revision: row.revision,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  name: row.name,
  query: row.query,
  shared: row.shared,
  authorId: row.authorId,
});

export const presentContractor = (row: ContractorRow): ContractorWire => {
  const days = Object.keys(row.totals.days).sort(byText);
  const [, ...others] = nicksOf(row);
  return {
    ...stamp(row),
    adminUsername: row.adminUsername,
    ...(others.length > 0 && { otherUsernames: others.map((nick) => `@${nick}`) }),
    channelName: row.channelName,
    category: row.category,
    isActive: row.isActive,
    automatic: row.automatic,
    ...(row.verdict !== undefined && { verdict: row.verdict }),
    totalSpent: toRoubles(row.totals.spent),
    totalLeads: row.totals.leads,
    totalPlacements: row.totals.placements,
    averageCostPerLead: toRoubles(averageCpl(row.totals)),
    averagePlacementPrice: toRoubles(averagePrice(row.totals.spent, row.totals.placements)),
    firstUsed: days.at(0) ?? null,
    lastUsed: days.at(-1) ?? null,
    notes: row.notes.at(-1)?.note ?? '',
    notesHistory: row.notes.map((note) => presentNote({ ...note, contractorId: row.id })),
  };
};

export const presentUser = (row: EmployeeRow): UserWire => ({
  id: row.id,
  revision: row.revision,
  name: row.name,
  role: row.role,
  isActive: row.isActive,
});

/** `showCode`: what `seesCode` says of the viewer, or that it is the viewer; without it the code is empty. */
export const presentPerson = (row: EmployeeRow, licenseId: string, showCode: boolean): PersonWire => ({
  ...stamp(row),
  name: row.name,
  email: row.email,
  role: row.role,
  authCode: showCode ? row.authCode : '',
  isActive: row.isActive,
  permissions: row.permissions === null ? null : { ...row.permissions },
  licenseId,
  salaryType: row.salaryType,
  salaryRate: row.salaryRate,
  performanceThreshold: nullable(row.performanceThreshold),
  isOwner: row.isOwner,
});

const instantOf = (instant: number | null): string | null =>
  instant === null ? null : new Date(instant).toISOString();

/** From a key as it is kept, its instants in UTC milliseconds. */
export const presentKey = (key: {
  readonly id: string;
  readonly name: string;
  readonly access: 'read' | 'write';
  readonly prefix: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
}): KeyWire => ({
  id: key.id,
  name: key.name,
  access: key.access,
  prefix: key.prefix,
  createdAt: new Date(key.createdAt).toISOString(),
  expiresAt: instantOf(key.expiresAt),
  lastUsedAt: instantOf(key.lastUsedAt),
});

interface Try {
  readonly at: number;
  readonly status: number | null;
  readonly ms: number;
  readonly error: string | null;
}

/** From a try as it is kept, its instant in UTC milliseconds. */
export const presentTry = ({ at, status, ms, error }: Try): DeliveryTryWire => ({
  at: new Date(at).toISOString(),
  status,
  ms,
  error,
});

/** From a webhook as it is kept, its address shown. */
export const presentWebhook = (webhook: {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly campaignId: string | null;
  readonly status: WebhookWire['status'];
  readonly position: number;
  readonly lastDelivery: (Try & { readonly position: number; readonly type: string }) | null;
}): WebhookWire => {
  const { id, url, events, campaignId, status, position, lastDelivery: last } = webhook;
  const lastDelivery = last === null ? null : { ...presentTry(last), position: last.position, type: last.type };
  return { id, url, events: [...events], campaignId, status, position, lastDelivery };
};

/** From a delivery as it is kept; `next` in UTC milliseconds. */
export const presentDelivery = (delivery: {
  readonly position: number;
  readonly eventId: string;
  readonly type: string;
  readonly tries: readonly Try[];
  readonly next: number | null;
}): DeliveryWire => ({
  position: delivery.position,
  id: delivery.eventId,
  type: delivery.type,
  tries: delivery.tries.map(presentTry),
  next: instantOf(delivery.next),
});

/** As a key is told: without e-mail and terms of pay (KEY-4). */
export const withoutPersonal = (person: PersonWire): PersonWire => ({
  ...person,
  email: '',
  authCode: '',
  salaryType: null,
  salaryRate: null,
  performanceThreshold: null,
});

/** `LICENSE-••••-••••-••••-7Q4K`. */
export const maskLicenceKey = (key: string): string => `LICENSE-••••-••••-••••-${key.slice(-4)}`;

/** `reveal`: the whole key, the owner's login code and Telegram name, for the owner and the admin realm. */
export const presentLicense = (
  row: LicenceRow,
  view: { readonly now: string; readonly reveal: boolean },
): LicenseWire => {
  const status = licenceStatus(row, view.now);
  const graceUntil = graceUntilAt(row, view.now);
  return {
    ...stamp(row),
    licenseKey: view.reveal ? row.licenseKey : maskLicenceKey(row.licenseKey),
    teamName: row.teamName,
    ownerName: row.ownerName,
    ownerEmail: row.ownerEmail,
    ownerTelegram: view.reveal ? row.ownerTelegram : '',
    expiresAt: row.expiresAt,
    isActive: status === 'active' || status === 'grace_period',
    features: [...row.features],
    status: status === 'closed' ? 'expired' : status,
    activated: row.activated,
    maxConcurrentSessions: row.maxConcurrentSessions,
    gracePeriodUsed: graceUntil !== null,
    gracePeriodExpiresAt: graceUntil,
    renewalRequestedAt: row.renewalRequestedAt ?? null,
    closesAt: row.closing?.closesAt ?? null,
    ceoLoginCode: view.reveal ? row.ceoLoginCode : null,
    settings: {
      buyersEditAll: row.settings.buyersEditAll,
      earningsVisible: row.settings.earningsVisible,
      codeOnlyLogin: row.settings.codeOnlyLogin,
      // Rows that an earlier release folded have no such member.
      secondFactorForAll: row.settings.secondFactorForAll ?? false,
      changeGivenPasswords: row.settings.changeGivenPasswords ?? false,
      countZeroLeads: row.settings.countZeroLeads,
      leadValue: toRoubles(row.settings.leadValue),
    },
  };
};

const closingOf = ({ closing = null }: LicenceRow): AdminLicenseWire['closing'] =>
  closing === null ? null : { requestedAt: closing.requestedAt, closesAt: closing.closesAt, reason: closing.reason };

/** `pendingCode`: as the credentials keep it, its end in UTC milliseconds. */
export const presentAdminLicense = (
  row: LicenceRow,
  view: { readonly now: string; readonly pendingCode: { readonly code: string; readonly expiresAt: number } | null },
): AdminLicenseWire => ({
  ...presentLicense(row, { now: view.now, reveal: true }),
  suspension: row.suspended === null ? null : { reason: row.suspended.reason, at: row.suspended.at },
  closing: closingOf(row),
  pendingCode:
    view.pendingCode === null
      ? null
      : { code: view.pendingCode.code, expiresAt: new Date(view.pendingCode.expiresAt).toISOString() },
});

const lines = <Key extends string>(groups: Readonly<Record<string, Sums>>, key: Key) =>
  Object.entries(groups)
    .sort(([a], [b]) => byText(a, b))
    .map(([id, sums]) => ({ [key]: id, ...presentSums(sums) }) as Record<Key, string> & ReturnType<typeof presentSums>);

export const presentSummary = (summary: CampaignSummary): AnalyticsWire['summary'] => ({
  totalBudget: toRoubles(summary.totalBudget),
  spentBudget: toRoubles(summary.spentBudget),
  remainingBudget: toRoubles(summary.remainingBudget),
  averageCostPerLead: toRoubles(summary.averageCostPerLead),
  totalLeads: summary.totalLeads,
  totalPlacements: summary.totalPlacements,
  paidBudget: toRoubles(summary.paidBudget),
  unpaidBudget: toRoubles(summary.unpaidBudget),
});

export const presentAnalytics = (row: AnalyticsRow): AnalyticsWire => ({
  id: row.campaignId,
  summary: presentSummary(campaignSummary(row.totalBudget, { ...row.total, paid: row.paid })),
  byBuyer: lines(row.byBuyer, 'buyerId'),
  byCreative: lines(row.byCreative, 'creativeId'),
  byContractor: lines(row.byContractor, 'contractorId'),
  byDay: lines(row.byDay, 'date'),
});

/** Everything but the lines. */
export const presentEarningsTotals = (row: EarningsTotals): Omit<EarningsWire, 'counted' | 'leftOut'> => ({
  id: `${row.campaignId}:${row.userId}`,
  campaignId: row.campaignId,
  userId: row.userId,
  terms: { ...row.terms, cplThreshold: toRoubles(row.terms.cplThreshold) },
  budget: toRoubles(row.budget),
  spent: toRoubles(row.spent),
  earnings: toRoubles(row.earnings),
  zeroLeads: { count: row.zeroLeads.count, price: toRoubles(row.zeroLeads.price) },
});

const presentCountedLine = (line: CountedLine): EarningsWire['counted'][number] => ({
  placementId: line.placementId,
  price: toRoubles(line.price),
  leads: line.leads,
  costPerLead: toRoubles(line.costPerLead),
  amount: toRoubles(line.amount),
});

const presentLeftOutLine = (line: LeftOutLine): EarningsWire['leftOut'][number] => ({
  placementId: line.placementId,
  price: toRoubles(line.price),
  leads: line.leads,
  costPerLead: toRoubles(line.costPerLead),
  reason: line.reason,
});

/** How lines are presented. */
export const wireLines = { counted: presentCountedLine, leftOut: presentLeftOutLine };

/** Lines that are presented already: of thousands in a changed document few are new. */
export type EarningsToPresent = EarningsByLine<EarningsWire['counted'][number], EarningsWire['leftOut'][number]>;

export const presentEarnings = (row: EarningsToPresent): EarningsWire => {
  const { zeroLeads, ...totals } = presentEarningsTotals(row);
  return { ...totals, counted: [...row.counted], leftOut: [...row.leftOut], zeroLeads };
};
