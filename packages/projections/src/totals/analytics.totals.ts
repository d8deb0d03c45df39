import type { AnalyticsRow, CampaignRow, PlacementRow } from '@zakup/contracts/read-models';
import { noSums, paidPart, shiftSums, type Sign, type Sums } from '@zakup/domain/analytics/sums';
import { type Kopecks, kopecks } from '@zakup/domain/money';
import type { Position } from '@zakup/event-store/event-store';
import { getSoftDeletable, putSoftDeletable } from '../soft-delete.ts';
import type { RowChange } from '../rows/row-projection.ts';
import { campaignScope } from '../scopes.ts';
import type { WorkingSet } from '../working-set.ts';
import { counted, shiftGroup } from './counted.ts';

/** One campaign's analytics while events are folded: changed in place, so that an event costs the same with 10 rows or 100,000. */
interface Draft {
  totalBudget: Kopecks;
  paid: Kopecks;
  total: Sums;
  readonly byBuyer: Map<string, Sums>;
  readonly byCreative: Map<string, Sums>;
  readonly byContractor: Map<string, Sums>;
  readonly byDay: Map<string, Sums>;
  /** Where it stands among the documents; null = nowhere yet. */
  storedHidden: boolean | null;
  hidden: boolean;
}

const keptDrafts = 1_000;

const draftOf = (row: AnalyticsRow, hidden: boolean): Draft => ({
  totalBudget: row.totalBudget,
  paid: row.paid,
  total: row.total,
  byBuyer: new Map(Object.entries(row.byBuyer)),
  byCreative: new Map(Object.entries(row.byCreative)),
  byContractor: new Map(Object.entries(row.byContractor)),
  byDay: new Map(Object.entries(row.byDay)),
  storedHidden: hidden,
  hidden,
});

const emptyDraft = (): Draft => ({
  totalBudget: kopecks(0),
  paid: kopecks(0),
  total: noSums,
  byBuyer: new Map(),
  byCreative: new Map(),
  byContractor: new Map(),
  byDay: new Map(),
  storedHidden: null,
  hidden: false,
});

const rowOf = (campaignId: string, draft: Draft): AnalyticsRow => ({
  campaignId,
  totalBudget: draft.totalBudget,
  paid: draft.paid,
  total: draft.total,
  byBuyer: Object.fromEntries(draft.byBuyer),
  byCreative: Object.fromEntries(draft.byCreative),
  byContractor: Object.fromEntries(draft.byContractor),
  byDay: Object.fromEntries(draft.byDay),
});

const shift = (draft: Draft, row: PlacementRow, sign: Sign): void => {
  draft.paid = kopecks(draft.paid + sign * paidPart(row));
  draft.total = shiftSums(draft.total, row, sign);
  shiftGroup(draft.byBuyer, row.buyerId, row, sign);
  shiftGroup(draft.byCreative, row.creativeId, row, sign);
  shiftGroup(draft.byContractor, row.contractorId, row, sign);
  shiftGroup(draft.byDay, row.date, row, sign);
};

const alike = (a: PlacementRow | null, b: PlacementRow | null): boolean =>
  a === b ||
  (a !== null &&
    b !== null &&
    a.price === b.price &&
    a.leads === b.leads &&
    a.buyerId === b.buyerId &&
    a.creativeId === b.creativeId &&
    a.contractorId === b.contractorId &&
    a.date === b.date &&
    (a.paymentStatus === 'paid') === (b.paymentStatus === 'paid'));

/** Sums of each campaign: there from its creation on, hidden with it, kept exact also while it is deleted. */
export const analyticsTotals = (set: WorkingSet) => {
  const drafts = new Map<string, Draft>();
  const touched = new Map<string, { readonly licenceId: string; readonly position: Position }>();

  const keyOf = (licenceId: string, id: string) => ({ kind: 'analytics' as const, id, licenceId });

  const load = async (licenceId: string, campaignId: string): Promise<Draft> => {
    const known = drafts.get(campaignId);
    if (known !== undefined) return known;
    const stored = await getSoftDeletable(set, keyOf(licenceId, campaignId));
    const draft = stored === null ? emptyDraft() : draftOf(stored.data, stored.hidden);
    drafts.set(campaignId, draft);
    return draft;
  };

  const applyPlacement = async (change: Extract<RowChange, { kind: 'placement' }>): Promise<void> => {
    const [before, after] = [counted(change.before), counted(change.after)];
    if (alike(before, after)) return;
    const { licenceId, position } = change;
    const { campaignId } = change.after;
    const draft = await load(licenceId, campaignId);
    if (before !== null) shift(draft, before, -1);
    if (after !== null) shift(draft, after, 1);
    touched.set(campaignId, { licenceId, position });
  };

  const applyCampaign = async (change: {
    readonly licenceId: string;
    readonly position: Position;
    readonly before: CampaignRow | null;
    readonly after: CampaignRow;
  }): Promise<void> => {
    const { licenceId, position, before, after } = change;
    if (before?.totalBudget === after.totalBudget && before.deleted === after.deleted) return;
    const draft = await load(licenceId, after.id);
    draft.totalBudget = after.totalBudget;
    draft.hidden = after.deleted;
    touched.set(after.id, { licenceId, position });
  };

  return {
    async apply(change: RowChange): Promise<void> {
      if (change.kind === 'placement') await applyPlacement(change);
      if (change.kind === 'campaign') await applyCampaign(change);
    },

    /** What is spent in a campaign, also while it is deleted. */
    async spentIn(licenceId: string, campaignId: string): Promise<Kopecks> {
      return (await load(licenceId, campaignId)).total.spent;
    },

    async contractorsOf(licenceId: string, campaignId: string): Promise<readonly string[]> {
      return [...(await load(licenceId, campaignId)).byContractor.keys()];
    },

    async creativesOf(licenceId: string, campaignId: string): Promise<readonly string[]> {
      return [...(await load(licenceId, campaignId)).byCreative.keys()];
    },

    async buyersOf(licenceId: string, campaignId: string): Promise<readonly string[]> {
      return [...(await load(licenceId, campaignId)).byBuyer.keys()];
    },

    /** How many documents `settle` will write at most. */
    size: (): number => touched.size,

    async settle(): Promise<void> {
      for (const [campaignId, { licenceId, position }] of touched) {
        const draft = await load(licenceId, campaignId);
        const { hidden, storedHidden: wasHidden } = draft;
        const data = rowOf(campaignId, draft);
        const scopes = [campaignScope(campaignId)];
        await putSoftDeletable(set, keyOf(licenceId, campaignId), { position, scopes, data, hidden, wasHidden });
        draft.storedHidden = hidden;
      }
      touched.clear();
    },

    /** Everything settled is committed: only now may drafts be forgotten. */
    committed(): void {
      if (drafts.size > keptDrafts) drafts.clear();
    },

    drop(): void {
      drafts.clear();
      touched.clear();
    },
  };
};

export type AnalyticsTotals = ReturnType<typeof analyticsTotals>;
