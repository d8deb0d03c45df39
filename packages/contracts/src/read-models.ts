import type { CountedLine, LeftOutLine, Tally, Terms } from '@zakup/domain/analytics/earnings';
import type { ChannelSize } from '@zakup/domain/analytics/channel-size';
import type { EarningsSums } from '@zakup/domain/analytics/earnings-sums';
import type { Sums } from '@zakup/domain/analytics/sums';
import type { Campaign } from '@zakup/domain/campaign/state';
import type { Channel } from '@zakup/domain/channel/state';
import type { Contractor, Note } from '@zakup/domain/contractor/state';
import type { Creative } from '@zakup/domain/creative/state';
import type { Employee } from '@zakup/domain/employee/state';
import type { Import } from '@zakup/domain/import/state';
import type { Licence } from '@zakup/domain/licence/state';
import type { Kopecks } from '@zakup/domain/money';
import type { Placement } from '@zakup/domain/placement/state';
import type { SavedView } from '@zakup/domain/views/state';
import type { NotificationRow } from './notifications.ts';

/**
 * What projections keep in the read store: exact operands in kopecks. `to-wire.ts` turns them into the shapes of the wire.
 */

/** A folded entity with what every reply needs of its stream. */
export type Row<State> = State & {
  readonly id: string;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type PlacementRow = Row<Placement>;
export type ChannelRow = Row<Channel>;
export type CampaignRow = Row<Campaign>;
export type EmployeeRow = Row<Employee>;
export type LicenceRow = Row<Licence>;
/** `began`, `position`: of its first and its last event. `replaced`: another one of its campaign began after it. */
export type ImportDocument = Row<Import> & {
  readonly began: number;
  readonly position: number;
  readonly replaced: boolean;
};

/** `shared`: of the team. */
export type ViewRow = SavedView & { readonly shared: boolean };

/** Sums by the size of the channel, which is told by the price of each placement; a size without placements is not among them. */
export type SumsBySize = Readonly<Partial<Record<ChannelSize, Sums>>>;

/** What a creative has in each campaign by its id, kept also while the campaign is deleted, so that its rows need not be read again. */
export interface CreativeTotals {
  readonly campaigns: Readonly<Record<string, SumsBySize>>;
  readonly deletedCampaigns: Readonly<Record<string, SumsBySize>>;
}

/** `totals` is absent where projections of a version before 3 wrote the row. */
export type CreativeRow = Row<Creative> & { readonly totals?: CreativeTotals };

export type ContractorRow = Row<Contractor> & {
  readonly totals: Sums & {
    /** Number of counted placements by day and by campaign: keeps first, last use and scopes exact under removal. */
    readonly days: Readonly<Record<string, number>>;
    readonly campaigns: Readonly<Record<string, number>>;
  };
};

/** Kept once a licence, in no scope (kind `aliases`, id = licence), while contractors are merged: rows go on naming the merged ones. */
export interface AliasesRow {
  /** Into whom each merged contractor was merged, by id. */
  readonly mergedInto: Readonly<Record<string, string>>;
}

export interface NoteRow extends Note {
  readonly contractorId: string;
}

export interface AnalyticsRow {
  readonly campaignId: string;
  readonly totalBudget: Kopecks;
  readonly paid: Kopecks;
  readonly total: Sums;
  readonly byBuyer: Readonly<Record<string, Sums>>;
  readonly byCreative: Readonly<Record<string, Sums>>;
  readonly byContractor: Readonly<Record<string, Sums>>;
  readonly byDay: Readonly<Record<string, Sums>>;
}

export interface EarningsTotals {
  readonly campaignId: string;
  readonly userId: string;
  readonly terms: Terms;
  readonly budget: Kopecks;
  readonly spent: Kopecks;
  readonly earnings: Kopecks;
  readonly countedTotal: Tally;
  /** Lines without leads among the counted results. */
  readonly zeroLeads: Tally;
}

/** What is kept of a person's earnings in a campaign. It has no lines: those are the person's placements there, judged when they are read. */
export interface EarningsRow extends EarningsTotals {
  /** Whether results without leads count; false where the terms do not ask for results. */
  readonly countZeroLeads: boolean;
  /** Of all lines, under the threshold of the terms. */
  readonly sums: EarningsSums;
}

/** Earnings with their lines, in the order of the placements' ids: as the domain judges them unless they were made something else of. */
export interface EarningsByLine<Counted = CountedLine, LeftOut = LeftOutLine> extends EarningsTotals {
  readonly counted: readonly Counted[];
  readonly leftOut: readonly LeftOut[];
}

/** Kinds of documents in the read store and what their `data` is. */
export interface RowByKind {
  license: LicenceRow;
  user: EmployeeRow;
  channel: ChannelRow;
  campaign: CampaignRow;
  creative: CreativeRow;
  contractor: ContractorRow;
  note: NoteRow;
  placement: PlacementRow;
  /** id = campaign. */
  analytics: AnalyticsRow;
  /** id = `<campaign>:<user>`. */
  earnings: EarningsRow;
  /** id = `<person>-<slot>`: the slots of a person are used in turn. */
  notification: NotificationRow;
  /** id = `<licence>~<import>`: keys of different licences may be the same. */
  import: ImportDocument;
  /** Of whom it is, its scope says. */
  view: ViewRow;
}
export type RowKind = keyof RowByKind;

type DeclaredField =
  | string
  | { readonly lookup: string }
  | { readonly walk: string }
  | { readonly sort: string; readonly within: string };

const inCampaign = (sort: string) => ({ sort, within: 'campaignId' });

/**
 * Members that queries may name, declared when a read store is opened; `lookup`: by which few documents are found among many; `walk`: by
 * which private ones are read in the order of their ids; `sort`: by which those of one value of another member are paged.
 */
export const declaredFields: Readonly<Record<RowKind | 'history', readonly DeclaredField[]>> = {
  license: ['createdAt'],
  user: ['isActive'],
  channel: [],
  campaign: [{ lookup: 'channelId' }],
  creative: ['isActive'],
  contractor: ['isActive'],
  note: [],
  placement: [
    { lookup: 'campaignId' },
    { lookup: 'contractorId' },
    'buyerId',
    'creativeId',
    'category',
    'format',
    inCampaign('price'),
    inCampaign('leads'),
    inCampaign('date'),
    'paymentStatus',
    'status',
    inCampaign('createdAt'),
  ],
  analytics: [],
  earnings: [{ lookup: 'campaignId' }, { lookup: 'userId' }],
  notification: [{ lookup: 'personId' }],
  import: ['status', 'undo.status'],
  view: [],
  history: [{ walk: 'entity' }, { walk: 'campaignId' }, { walk: 'actorId' }, { walk: 'commandId' }],
};
