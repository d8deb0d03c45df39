import { currentEarnings } from '@zakup/contracts/earlier-earnings';
import type { CampaignRow, EarningsRow, PlacementRow } from '@zakup/contracts/read-models';
import { resolveTerms, schemeOf, type Terms } from '@zakup/domain/analytics/earnings';
import {
  type EarningsSums,
  earningsOfSums,
  noEarningsSums,
  shiftedEarnings,
} from '@zakup/domain/analytics/earnings-sums';
import type { Participant } from '@zakup/domain/campaign/events';
import { goodCpl } from '@zakup/domain/analytics/cpl';
import { defaultLicenceSettings } from '@zakup/domain/licence/licence-defaults';
import { type Kopecks, kopecks } from '@zakup/domain/money';
import type { Position } from '@zakup/event-store/event-store';
import { getSoftDeletable, type SoftDeletable, putSoftDeletable, removeSoftDeletable } from '../soft-delete.ts';
import { createYielder } from '@zakup/async/yielder';
import type { FoldState } from '../fold-state.ts';
import type { Projection } from '../projection.ts';
import type { RowChange } from '../rows/row-projection.ts';
import { campaignScope, personScope } from '../scopes.ts';
import { foldable } from '../unfoldable.ts';
import type { WorkingSet } from '../working-set.ts';
import { buyersOf } from './analytics.totals.ts';
import { counted } from './counted.ts';
import type { EarningsDraft, Pair } from './earnings-draft.ts';

const draftOf = (stored: SoftDeletable<'earnings'> | null): EarningsDraft => {
  if (stored === null) return { sums: noEarningsSums, threshold: goodCpl, storedHidden: null };
  const { sums, terms } = currentEarnings(stored.data);
  return { sums, threshold: terms.cplThreshold, storedHidden: stored.hidden };
};

const idOf = ({ campaignId, userId }: Pair): string => `${campaignId}:${userId}`;
const keyOf = (pair: Pair) => ({ kind: 'earnings' as const, id: idOf(pair), licenceId: pair.licenceId });

const alike = (a: PlacementRow | null, b: PlacementRow | null): boolean =>
  a === b || (a !== null && b !== null && a.buyerId === b.buyerId && a.price === b.price && a.leads === b.leads);

const sameEntry = (a: Participant | undefined, b: Participant | undefined): boolean =>
  a === b ||
  (a !== undefined &&
    b !== undefined &&
    a.budget === b.budget &&
    a.salaryType === b.salaryType &&
    a.salaryRate === b.salaryRate &&
    a.cplThreshold === b.cplThreshold);

const sameTerms = (a: Terms, b: Terms): boolean =>
  a.source === b.source &&
  a.salaryType === b.salaryType &&
  a.salaryRate === b.salaryRate &&
  a.cplThreshold === b.cplThreshold;

const entryOf = (campaign: CampaignRow | null, userId: string): Participant | undefined =>
  campaign?.participants.find((participant) => participant.userId === userId);

const load = async ({ set, earnings }: FoldState, pair: Pair, id = idOf(pair)): Promise<EarningsDraft> => {
  const known = earnings.get(id);
  if (known !== undefined) return known;
  const draft = draftOf(await getSoftDeletable(set, keyOf(pair)));
  earnings.set(id, draft);
  return draft;
};

const touch = ({ earnings }: FoldState, pair: Pair, position: Position): void => {
  earnings.touch(idOf(pair), { ...pair, position });
};

const campaignOf = async (set: WorkingSet, { licenceId, campaignId }: Pair) => {
  const campaign = await getSoftDeletable(set, { kind: 'campaign', id: campaignId, licenceId });
  if (campaign === null) throw new Error(`There is no campaign ${campaignId}`);
  return campaign;
};

const countsZeroLeads = async (set: WorkingSet, licenceId: string): Promise<boolean> =>
  ((await set.get({ kind: 'license', id: licenceId, licenceId }))?.settings ?? defaultLicenceSettings).countZeroLeads;

/** Sums of what the person has in the campaign, from the placements themselves: another threshold lets other lines count. */
const summedAnew = async (
  set: WorkingSet,
  { licenceId, campaignId, userId }: Pair,
  threshold: Kopecks,
): Promise<EarningsSums> => {
  const yieldIfDue = createYielder();
  let sums = noEarningsSums;
  for (const { data } of await set.find('placement', licenceId, { campaignId, buyerId: userId })) {
    sums = shiftedEarnings(sums, data, threshold, 1);
    await yieldIfDue();
  }
  return sums;
};

const settleOne = async (state: FoldState, pair: Pair, position: Position): Promise<void> => {
  const { set } = state;
  const { licenceId, campaignId, userId } = pair;
  const draft = await load(state, pair);
  const { data: campaign, hidden } = await campaignOf(set, pair);
  const entry = entryOf(campaign, userId);
  if (entry === undefined && draft.sums.all.count === 0) {
    await removeSoftDeletable(set, keyOf(pair), position);
    draft.storedHidden = null;
    return;
  }
  const person = await set.get({ kind: 'user', id: userId, licenceId });
  const terms = resolveTerms(entry ?? null, person);
  if (terms.cplThreshold !== draft.threshold) {
    if (draft.sums.all.count > 0) draft.sums = await summedAnew(set, pair, terms.cplThreshold);
    draft.threshold = terms.cplThreshold;
  }
  const { sums, storedHidden: wasHidden } = draft;
  const countZeroLeads = schemeOf(terms) === 'result' && (await countsZeroLeads(set, licenceId));
  const data: EarningsRow = {
    campaignId,
    userId,
    terms,
    budget: entry?.budget ?? kopecks(0),
    ...earningsOfSums(terms, sums, { countZeroLeads }),
    countZeroLeads,
    sums,
  };
  const scopes = [campaignScope(campaignId), personScope(userId)];
  await putSoftDeletable(set, keyOf(pair), { position, scopes, data, hidden, wasHidden });
  draft.storedHidden = hidden;
};

const settle = async (state: FoldState): Promise<void> => {
  for (const { position, ...pair } of state.earnings.touched().values())
    await foldable(pair.licenceId, position, () => settleOne(state, pair, position));
  state.earnings.settled();
};

const applyPlacement = async (change: Extract<RowChange, { kind: 'placement' }>, state: FoldState): Promise<void> => {
  const [before, after] = [counted(change.before), counted(change.after)];
  const { licenceId, position } = change;
  const { campaignId } = change.after;
  for (const [row, sign] of [
    [before, -1],
    [after, 1],
  ] as const) {
    if (row === null) continue;
    const pair = { licenceId, campaignId, userId: row.buyerId };
    const id = idOf(pair);
    const draft = state.earnings.get(id) ?? (await load(state, pair, id));
    draft.sums = shiftedEarnings(draft.sums, row, draft.threshold, sign);
    state.earnings.touch(id, { ...pair, position });
  }
};

const applyCampaign = async (change: Extract<RowChange, { kind: 'campaign' }>, state: FoldState): Promise<void> => {
  const { licenceId, position, before, after } = change;
  const people = new Set([...(before?.participants ?? []), ...after.participants].map(({ userId }) => userId));
  const flipped = before !== null && before.deleted !== after.deleted;
  for (const userId of people) {
    if (flipped || !sameEntry(entryOf(before, userId), entryOf(after, userId)))
      touch(state, { licenceId, campaignId: after.id, userId }, position);
  }
  if (!flipped) return;
  for (const userId of await buyersOf(state, licenceId, after.id))
    touch(state, { licenceId, campaignId: after.id, userId }, position);
};

/** Documents of deleted campaigns are left alone: what comes back is calculated anew. */
const shownOf = async (state: FoldState, licenceId: string, where: Readonly<Record<string, string>>) => {
  await settle(state);
  return (await state.set.find('earnings', licenceId, where)).map(({ data }) => data);
};

const applyPerson = async (change: Extract<RowChange, { kind: 'user' }>, state: FoldState): Promise<void> => {
  const { id: userId, licenceId, position, before, after } = change;
  if (
    before?.salaryType === after.salaryType &&
    before.salaryRate === after.salaryRate &&
    before.performanceThreshold === after.performanceThreshold
  )
    return;
  for (const { campaignId } of await shownOf(state, licenceId, { userId })) {
    const pair = { licenceId, campaignId, userId };
    const entry = entryOf((await campaignOf(state.set, pair)).data, userId) ?? null;
    if (!sameTerms(resolveTerms(entry, before), resolveTerms(entry, after))) touch(state, pair, position);
  }
};

const applyLicence = async (change: Extract<RowChange, { kind: 'license' }>, state: FoldState): Promise<void> => {
  const { licenceId, position, before, after } = change;
  if (before === null || before.settings.countZeroLeads === after.settings.countZeroLeads) return;
  for (const { campaignId, userId, terms } of await shownOf(state, licenceId, {}))
    if (schemeOf(terms) === 'result') touch(state, { licenceId, campaignId, userId }, position);
};

/** What each participant and each buyer of a campaign earns in it. Lines are not kept: they are the placements themselves. */
export const earningsTotals: Projection = {
  name: 'earnings',
  version: 9,
  writes: ['earnings', 'removed_earnings'],
  // Earnings are by the terms and switches of their own time, wherever a batch ends.
  settleBefore: ['user', 'license'],
  settle,

  apply(change, state) {
    switch (change.kind) {
      case 'placement':
        return alike(counted(change.before), counted(change.after)) ? undefined : applyPlacement(change, state);
      case 'campaign':
        return applyCampaign(change, state);
      case 'user':
        return applyPerson(change, state);
      case 'license':
        return applyLicence(change, state);
      case 'channel':
      case 'creative':
      case 'contractor':
        return undefined;
    }
  },
};
