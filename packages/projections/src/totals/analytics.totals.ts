import type { PlacementRow } from '@zakup/contracts/read-models';
import type { Kopecks } from '@zakup/domain/money';
import type { FoldState } from '../fold-state.ts';
import type { Projection } from '../projection.ts';
import type { RowChange } from '../rows/row-projection.ts';
import { campaignScope } from '../scopes.ts';
import { getSoftDeletable, putSoftDeletable } from '../soft-delete.ts';
import {
  type AnalyticsDraft,
  analyticsDraftOf,
  analyticsRowOf,
  emptyAnalyticsDraft,
  shiftAnalytics,
} from './analytics-draft.ts';
import { counted } from './counted.ts';

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

const keyOf = (licenceId: string, id: string) => ({ kind: 'analytics' as const, id, licenceId });

const load = async ({ set, analytics }: FoldState, licenceId: string, campaignId: string): Promise<AnalyticsDraft> => {
  const known = analytics.get(campaignId);
  if (known !== undefined) return known;
  const stored = await getSoftDeletable(set, keyOf(licenceId, campaignId));
  const draft = stored === null ? emptyAnalyticsDraft() : analyticsDraftOf(stored.data, stored.hidden);
  analytics.set(campaignId, draft);
  return draft;
};

const applyPlacement = async (change: Extract<RowChange, { kind: 'placement' }>, state: FoldState): Promise<void> => {
  const [before, after] = [counted(change.before), counted(change.after)];
  const { licenceId, position } = change;
  const { campaignId } = change.after;
  const draft = state.analytics.get(campaignId) ?? (await load(state, licenceId, campaignId));
  if (before !== null) shiftAnalytics(draft, before, -1);
  if (after !== null) shiftAnalytics(draft, after, 1);
  state.analytics.touch(campaignId, { licenceId, position });
};

const applyCampaign = async (
  { licenceId, position, before, after }: Extract<RowChange, { kind: 'campaign' }>,
  state: FoldState,
): Promise<void> => {
  if (before?.totalBudget === after.totalBudget && before.deleted === after.deleted) return;
  const draft = await load(state, licenceId, after.id);
  draft.totalBudget = after.totalBudget;
  draft.hidden = after.deleted;
  state.analytics.touch(after.id, { licenceId, position });
};

/** Sums of each campaign: there from its creation on, hidden with it, kept exact also while it is deleted. */
export const analyticsTotals: Projection = {
  name: 'analytics',
  version: 9,
  writes: ['analytics', 'removed_analytics'],

  apply(change, state) {
    if (change.kind === 'placement')
      return alike(counted(change.before), counted(change.after)) ? undefined : applyPlacement(change, state);
    if (change.kind === 'campaign') return applyCampaign(change, state);
    return undefined;
  },

  async settle(state) {
    const { set, analytics } = state;
    for (const [campaignId, { licenceId, position }] of analytics.touched()) {
      const draft = await load(state, licenceId, campaignId);
      const { hidden, storedHidden: wasHidden } = draft;
      const data = analyticsRowOf(campaignId, draft);
      const scopes = [campaignScope(campaignId)];
      await putSoftDeletable(set, keyOf(licenceId, campaignId), { position, scopes, data, hidden, wasHidden });
      draft.storedHidden = hidden;
    }
    analytics.settled();
  },
};

/** What is spent in a campaign, also while it is deleted. */
export const spentIn = async (state: FoldState, licenceId: string, campaignId: string): Promise<Kopecks> =>
  (await load(state, licenceId, campaignId)).total.spent;

export const contractorsOf = async (
  state: FoldState,
  licenceId: string,
  campaignId: string,
): Promise<readonly string[]> => [...(await load(state, licenceId, campaignId)).byContractor.keys()];

export const creativesOf = async (
  state: FoldState,
  licenceId: string,
  campaignId: string,
): Promise<readonly string[]> => [...(await load(state, licenceId, campaignId)).byCreative.keys()];

export const buyersOf = async (state: FoldState, licenceId: string, campaignId: string): Promise<readonly string[]> => [
  ...(await load(state, licenceId, campaignId)).byBuyer.keys(),
];
