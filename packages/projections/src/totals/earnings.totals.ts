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
import type { RowChange } from '../rows/row-projection.ts';
import { campaignScope, personScope } from '../scopes.ts';
import { foldable } from '../unfoldable.ts';
import type { WorkingSet } from '../working-set.ts';
import type { AnalyticsTotals } from './analytics.totals.ts';
import { counted } from './counted.ts';

interface Pair {
  readonly licenceId: string;
  readonly campaignId: string;
  readonly userId: string;
}

/** One person's sums in one campaign while events are folded: changed in place, so that an event costs the same with 10 lines or 100,000. */
interface Draft {
  sums: EarningsSums;
  /** Under which the lines were summed. */
  threshold: Kopecks;
  /** Whether the document is hidden; null = it is not there. */
  storedHidden: boolean | null;
}

const keptDrafts = 10_000;

const draftOf = (stored: SoftDeletable<'earnings'> | null): Draft => {
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

/** What each participant and each buyer of a campaign earns in it. Lines are not kept: they are the placements themselves. */
export const earningsTotals = (set: WorkingSet, analytics: AnalyticsTotals) => {
  const drafts = new Map<string, Draft>();
  const touched = new Map<string, Pair & { readonly position: Position }>();

  const load = async (pair: Pair): Promise<Draft> => {
    const id = idOf(pair);
    const known = drafts.get(id);
    if (known !== undefined) return known;
    const draft = draftOf(await getSoftDeletable(set, keyOf(pair)));
    drafts.set(id, draft);
    return draft;
  };

  const touch = (pair: Pair, position: Position): void => {
    touched.set(idOf(pair), { ...pair, position });
  };

  const campaignOf = async ({ licenceId, campaignId }: Pair) => {
    const campaign = await getSoftDeletable(set, { kind: 'campaign', id: campaignId, licenceId });
    if (campaign === null) throw new Error(`There is no campaign ${campaignId}`);
    return campaign;
  };

  const countsZeroLeads = async (licenceId: string): Promise<boolean> =>
    ((await set.get({ kind: 'license', id: licenceId, licenceId }))?.settings ?? defaultLicenceSettings).countZeroLeads;

  /** Sums of what the person has in the campaign, from the placements themselves: another threshold lets other lines count. */
  const summedAnew = async ({ licenceId, campaignId, userId }: Pair, threshold: Kopecks): Promise<EarningsSums> => {
    const yieldIfDue = createYielder();
    let sums = noEarningsSums;
    for (const { data } of await set.find('placement', licenceId, { campaignId, buyerId: userId })) {
      sums = shiftedEarnings(sums, data, threshold, 1);
      await yieldIfDue();
    }
    return sums;
  };

  const settleOne = async (pair: Pair, position: Position): Promise<void> => {
    const { licenceId, campaignId, userId } = pair;
    const draft = await load(pair);
    const { data: campaign, hidden } = await campaignOf(pair);
    const entry = entryOf(campaign, userId);
    if (entry === undefined && draft.sums.all.count === 0) {
      await removeSoftDeletable(set, keyOf(pair), position);
      draft.storedHidden = null;
      return;
    }
    const person = await set.get({ kind: 'user', id: userId, licenceId });
    const terms = resolveTerms(entry ?? null, person);
    if (terms.cplThreshold !== draft.threshold) {
      if (draft.sums.all.count > 0) draft.sums = await summedAnew(pair, terms.cplThreshold);
      draft.threshold = terms.cplThreshold;
    }
    const { sums, storedHidden: wasHidden } = draft;
    const countZeroLeads = schemeOf(terms) === 'result' && (await countsZeroLeads(licenceId));
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

  const settle = async (): Promise<void> => {
    for (const { position, ...pair } of touched.values())
      await foldable(pair.licenceId, position, () => settleOne(pair, position));
    touched.clear();
  };

  const applyPlacement = async (change: Extract<RowChange, { kind: 'placement' }>): Promise<void> => {
    const [before, after] = [counted(change.before), counted(change.after)];
    if (alike(before, after)) return;
    const { licenceId, position } = change;
    const { campaignId } = change.after;
    const shift = async (row: PlacementRow, sign: 1 | -1): Promise<void> => {
      const pair = { licenceId, campaignId, userId: row.buyerId };
      const draft = await load(pair);
      draft.sums = shiftedEarnings(draft.sums, row, draft.threshold, sign);
      touch(pair, position);
    };
    if (before !== null) await shift(before, -1);
    if (after !== null) await shift(after, 1);
  };

  const applyCampaign = async (change: Extract<RowChange, { kind: 'campaign' }>): Promise<void> => {
    const { licenceId, position, before, after } = change;
    const people = new Set([...(before?.participants ?? []), ...after.participants].map(({ userId }) => userId));
    const flipped = before !== null && before.deleted !== after.deleted;
    for (const userId of people) {
      if (flipped || !sameEntry(entryOf(before, userId), entryOf(after, userId)))
        touch({ licenceId, campaignId: after.id, userId }, position);
    }
    if (!flipped) return;
    for (const userId of await analytics.buyersOf(licenceId, after.id))
      touch({ licenceId, campaignId: after.id, userId }, position);
  };

  /** Documents of deleted campaigns are left alone: what comes back is calculated anew. */
  const shownOf = async (licenceId: string, where: Readonly<Record<string, string>>) => {
    await settle();
    return (await set.find('earnings', licenceId, where)).map(({ data }) => data);
  };

  const applyPerson = async (change: Extract<RowChange, { kind: 'user' }>): Promise<void> => {
    const { id: userId, licenceId, position, before, after } = change;
    if (
      before?.salaryType === after.salaryType &&
      before.salaryRate === after.salaryRate &&
      before.performanceThreshold === after.performanceThreshold
    )
      return;
    for (const { campaignId } of await shownOf(licenceId, { userId })) {
      const pair = { licenceId, campaignId, userId };
      const entry = entryOf((await campaignOf(pair)).data, userId) ?? null;
      if (!sameTerms(resolveTerms(entry, before), resolveTerms(entry, after))) touch(pair, position);
    }
  };

  const applyLicence = async (change: Extract<RowChange, { kind: 'license' }>): Promise<void> => {
    const { licenceId, position, before, after } = change;
    if (before === null || before.settings.countZeroLeads === after.settings.countZeroLeads) return;
    for (const { campaignId, userId, terms } of await shownOf(licenceId, {}))
      if (schemeOf(terms) === 'result') touch({ licenceId, campaignId, userId }, position);
  };

  return {
    async apply(change: RowChange): Promise<void> {
      switch (change.kind) {
        case 'placement':
          return applyPlacement(change);
        case 'campaign':
          return applyCampaign(change);
        case 'user':
          return applyPerson(change);
        case 'license':
          return applyLicence(change);
        case 'channel':
        case 'creative':
        case 'contractor':
          return undefined;
      }
    },

    /** How many documents `settle` will write at most. */
    size: (): number => touched.size,

    settle,

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
