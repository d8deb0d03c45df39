import { type HistoryRow, historyId } from '@zakup/contracts/history';
import type {
  AnalyticsRow,
  CampaignRow,
  ChannelRow,
  ContractorRow,
  CreativeRow,
  EarningsRow,
  EmployeeRow,
  LicenceRow,
  NoteRow,
  PlacementRow,
} from '@zakup/contracts/read-models';
import { noSums } from '@zakup/domain/analytics/sums';
import { defaultLicenceSettings } from '@zakup/domain/licence/licence-defaults';
import { noEarningsSums, noTally } from '@zakup/domain/analytics/earnings-sums';
import { kopecks } from '@zakup/domain/money';
import { features } from '@zakup/domain/permissions';
import type { JsonObject, ReadDocument } from '@zakup/read-store/read-store';

/** Rows as projections leave them, with what a test does not care about filled in. */

const stamps = { revision: 0, createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };

export const licenceRow = (of: Partial<LicenceRow> & { readonly id: string }): LicenceRow => ({
  ...stamps,
  licenseKey: 'LICENSE-AAAA-BBBB-CCCC-7Q4K',
  teamName: 'Team',
  ownerName: 'Owner',
  ownerEmail: 'owner@example.org',
  ownerTelegram: '@owner',
  expiresAt: '2099-01-01T00:00:00.000Z',
  features,
  maxConcurrentSessions: 10,
  activated: true,
  ownerId: null,
  ceoLoginCode: 'ABCDEFGHJKLM',
  suspended: null,
  graceUntil: null,
  graceUsed: false,
  settings: defaultLicenceSettings,
  ...of,
});

export const userRow = (of: Partial<EmployeeRow> & { readonly id: string }): EmployeeRow => ({
  ...stamps,
  name: `Person ${of.id}`,
  email: `${of.id}@example.org`,
  role: 'MEDIA_BUYER',
  authCode: `CODE${of.id}`,
  isActive: true,
  permissions: null,
  isOwner: false,
  salaryType: null,
  salaryRate: null,
  performanceThreshold: null,
  ...of,
});

export const channelRow = (of: Partial<ChannelRow> & { readonly id: string }): ChannelRow => ({
  ...stamps,
  name: `Channel ${of.id}`,
  avatar: null,
  campaigns: [],
  deleted: false,
  ...of,
});

export const campaignRow = (of: Partial<CampaignRow> & { readonly id: string }): CampaignRow => ({
  ...stamps,
  name: `Campaign ${of.id}`,
  channelId: 'channel',
  totalBudget: kopecks(1_000_000),
  status: 'ACTIVE',
  startDate: null,
  endDate: null,
  participants: [],
  completion: null,
  deleted: false,
  ...of,
});

export const creativeRow = (of: Partial<CreativeRow> & { readonly id: string }): CreativeRow => ({
  ...stamps,
  name: `Creative ${of.id}`,
  abbreviation: '',
  type: 'TEXT_ONLY',
  notes: '',
  isActive: true,
  ...of,
});

export const noteRow = (of: Partial<NoteRow> & { readonly id: string; readonly contractorId: string }): NoteRow => ({
  revision: 1,
  note: 'Note',
  authorId: 'owner',
  authorName: 'Owner',
  createdAt: stamps.createdAt,
  ...of,
});

export const contractorRow = (of: Partial<ContractorRow> & { readonly id: string }): ContractorRow => ({
  ...stamps,
  nick: of.id,
  adminUsername: `@${of.id}`,
  channelName: `About ${of.id}`,
  category: 'Мемы',
  isActive: true,
  automatic: false,
  notes: [],
  totals: { ...noSums, days: {}, campaigns: {} },
  ...of,
});

export const placementRow = (of: Partial<PlacementRow> & { readonly id: string }): PlacementRow => ({
  ...stamps,
  campaignId: 'campaign',
  buyerId: 'buyer',
  contractorId: 'contractor',
  creativeId: 'NO_CREATIVE',
  category: 'Мемы',
  format: '1/24',
  price: kopecks(10_000),
  leads: 0,
  date: '2026-11-21',
  paymentStatus: 'unpaid',
  status: 'PENDING',
  comment: '',
  postUrl: null,
  removed: false,
  ...of,
});

export const analyticsRow = (of: Partial<AnalyticsRow> & { readonly campaignId: string }): AnalyticsRow => ({
  totalBudget: kopecks(1_000_000),
  paid: kopecks(0),
  total: noSums,
  byBuyer: {},
  byCreative: {},
  byContractor: {},
  byDay: {},
  ...of,
});

export const earningsRow = (
  of: Partial<EarningsRow> & { readonly campaignId: string; readonly userId: string },
): EarningsRow => ({
  terms: { salaryType: 'budget', salaryRate: 10, cplThreshold: kopecks(10_000), source: 'user' },
  budget: kopecks(0),
  spent: kopecks(10_000),
  earnings: kopecks(1_000),
  countedTotal: { count: 1, price: kopecks(10_000) },
  zeroLeads: noTally,
  countZeroLeads: false,
  sums: noEarningsSums,
  ...of,
});

export const historyRow = (of: Pick<HistoryRow, 'entity'> & Partial<HistoryRow>): HistoryRow => ({
  revision: 1,
  at: '2026-11-21T12:00:00.000Z',
  actorId: 'buyer',
  actorName: 'buyer',
  commandId: 'command',
  source: 'web',
  event: 'PlacementPriceChanged',
  changes: [],
  ...of,
});

type Fields = Pick<ReadDocument, 'kind' | 'id' | 'licenceId' | 'scopes'>;

/** What a commit is made of: the commit gives the position. */
export type Draft = (position: number) => ReadDocument;

const draft =
  (fields: Fields, data: object): Draft =>
  (position) => ({ ...fields, left: [], position, deleted: false, data: data as JsonObject });

/** Documents in the scopes that projections put them in. */
export const docOf = (licenceId: string) => ({
  license: (row: LicenceRow): Draft => draft({ kind: 'license', id: row.id, licenceId, scopes: ['workspace'] }, row),
  user: (row: EmployeeRow): Draft =>
    draft({ kind: 'user', id: row.id, licenceId, scopes: ['workspace', `person:${row.id}`] }, row),
  channel: (row: ChannelRow): Draft => draft({ kind: 'channel', id: row.id, licenceId, scopes: ['workspace'] }, row),
  campaign: (row: CampaignRow): Draft =>
    draft({ kind: 'campaign', id: row.id, licenceId, scopes: ['workspace', `campaign:${row.id}`] }, row),
  creative: (row: CreativeRow): Draft => draft({ kind: 'creative', id: row.id, licenceId, scopes: ['workspace'] }, row),
  contractor: (row: ContractorRow): Draft => {
    const campaigns = Object.keys(row.totals.campaigns).map((id) => `campaign:${id}`);
    const scopes = ['workspace', `contractor:${row.id}`, ...campaigns];
    return draft({ kind: 'contractor', id: row.id, licenceId, scopes }, row);
  },
  note: (row: NoteRow): Draft =>
    draft({ kind: 'note', id: row.id, licenceId, scopes: [`contractor:${row.contractorId}`] }, row),
  placement: (row: PlacementRow): Draft => {
    const scopes = [`campaign:${row.campaignId}`, `contractor:${row.contractorId}`];
    return draft({ kind: 'placement', id: row.id, licenceId, scopes }, row);
  },
  analytics: (row: AnalyticsRow): Draft =>
    draft({ kind: 'analytics', id: row.campaignId, licenceId, scopes: [`campaign:${row.campaignId}`] }, row),
  earnings: (row: EarningsRow): Draft => {
    const scopes = [`campaign:${row.campaignId}`, `person:${row.userId}`];
    return draft({ kind: 'earnings', id: `${row.campaignId}:${row.userId}`, licenceId, scopes }, row);
  },
  /** The entry of the position that it is committed at. */
  history:
    (row: Pick<HistoryRow, 'entity'> & Partial<HistoryRow>): Draft =>
    (position) =>
      draft({ kind: 'history', id: historyId(position), licenceId, scopes: [] }, historyRow(row))(position),
  /** As it stands after its deletion. */
  gone:
    (kind: string, id: string, scopes: readonly string[]): Draft =>
    (position) => ({ kind, id, licenceId, scopes, left: [], position, deleted: true, data: null }),
});
