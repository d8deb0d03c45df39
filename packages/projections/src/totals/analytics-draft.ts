import type { AnalyticsRow, PlacementRow } from '@zakup/contracts/read-models';
import { noSums, paidPart, shiftSums, type Sign, type Sums } from '@zakup/domain/analytics/sums';
import { type Kopecks, kopecks } from '@zakup/domain/money';
import { shiftGroup } from './counted.ts';

/** One campaign's analytics, changed in place. */
export interface AnalyticsDraft {
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

export const analyticsDraftOf = (row: AnalyticsRow, hidden: boolean): AnalyticsDraft => ({
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

export const emptyAnalyticsDraft = (): AnalyticsDraft => ({
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

export const analyticsRowOf = (campaignId: string, draft: AnalyticsDraft): AnalyticsRow => ({
  campaignId,
  totalBudget: draft.totalBudget,
  paid: draft.paid,
  total: draft.total,
  byBuyer: Object.fromEntries(draft.byBuyer),
  byCreative: Object.fromEntries(draft.byCreative),
  byContractor: Object.fromEntries(draft.byContractor),
  byDay: Object.fromEntries(draft.byDay),
});

export const shiftAnalytics = (draft: AnalyticsDraft, row: PlacementRow, sign: Sign): void => {
  draft.paid = kopecks(draft.paid + sign * paidPart(row));
  draft.total = shiftSums(draft.total, row, sign);
  shiftGroup(draft.byBuyer, row.buyerId, row, sign);
  shiftGroup(draft.byCreative, row.creativeId, row, sign);
  shiftGroup(draft.byContractor, row.contractorId, row, sign);
  shiftGroup(draft.byDay, row.date, row, sign);
};
