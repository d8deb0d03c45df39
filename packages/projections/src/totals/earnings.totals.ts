import type { CampaignRow, EarningsRow, PlacementRow } from '@zakup/contracts/read-models';
import {
  earningsOf,
  type EarningsSettings,
  type EarningsRow as Line,
  resolveTerms,
  schemeOf,
  type Terms,
} from '@zakup/domain/analytics/earnings';
import type { Participant } from '@zakup/domain/campaign/events';
import { defaultLicenceSettings } from '@zakup/domain/licence/licence-defaults';
import { kopecks, percentOf } from '@zakup/domain/money';
import type { Position } from '@zakup/event-store/event-store';
import { getHideable, putHideable, removeHideable } from '../hideable.ts';
import { breather, sortedInTurns } from '../past/turns.ts';
import type { RowChange } from '../rows/row-rule.ts';
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

/** One person's counted placements in one campaign by id, and whether the document is hidden (null = it is not there). */
interface Purchases {
  readonly lines: Map<string, Line>;
  /** Ids in the order of the document; null = to be sorted. */
  order: string[] | null;
  /** Ids that came or went since they were put in order. */
  readonly moved: Set<string>;
  /** How lines were judged under `basis`, by id, so that a batch judges only the lines it changed. */
  readonly judged: Map<string, Judged>;
  /** Null = nothing is judged yet. */
  basis: Basis | null;
  storedHidden: boolean | null;
}

interface Basis {
  readonly terms: Terms;
  /** Null = no line tells. */
  readonly countZeroLeads: boolean | null;
}

/** What `earningsOf` says of one line: it counts, or why not. */
type Judged =
  | { readonly counted: EarningsRow['counted'][number]; readonly leftOut?: never }
  | { readonly counted?: never; readonly leftOut: EarningsRow['leftOut'][number] };

const keptLines = 200_000;

const idOf = ({ campaignId, userId }: Pair): string => `${campaignId}:${userId}`;
const keyOf = (pair: Pair) => ({ kind: 'earnings' as const, id: idOf(pair), licenceId: pair.licenceId });

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const lineOf = ({ id, price, leads }: PlacementRow): Line => ({ placementId: id, price, leads });

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

/** The document keeps every line, counted or left out and why, so its own last state is all that is needed to go on. */
const purchasesOf = (row: EarningsRow, hidden: boolean): Purchases => {
  const lines = new Map<string, Line>();
  const judged = new Map<string, Judged>();
  for (const line of row.counted) {
    lines.set(line.placementId, line);
    judged.set(line.placementId, { counted: line });
  }
  const ofResult = schemeOf(row.terms) === 'result';
  let countZeroLeads = row.zeroLeads.count > 0 ? true : null;
  for (const line of row.leftOut) {
    lines.set(line.placementId, line);
    judged.set(line.placementId, { leftOut: line });
    if (ofResult && line.leads === 0) countZeroLeads = false;
  }
  return {
    lines,
    order: null,
    moved: new Set(),
    judged,
    basis: { terms: row.terms, countZeroLeads },
    storedHidden: hidden,
  };
};

/** Forgets what was judged otherwise than it would be now: after the switch only the lines that it is about. */
const forgetOutdated = (
  { judged, basis, lines }: Purchases,
  terms: Terms,
  { countZeroLeads }: EarningsSettings,
): void => {
  if (basis === null || !sameTerms(basis.terms, terms)) {
    judged.clear();
    return;
  }
  if (basis.countZeroLeads === null || basis.countZeroLeads === countZeroLeads) return;
  for (const [id, { leads }] of lines) if (leads === 0) judged.delete(id);
};

/** Many at once: what the terms say is then worked out once for them all. */
const judge = (lines: readonly Line[], terms: Terms, settings: EarningsSettings, judged: Map<string, Judged>): void => {
  const { counted: within, leftOut } = earningsOf(terms, lines, settings);
  for (const { placementId, price, leads, amount } of within)
    judged.set(placementId, { counted: { placementId, price, leads, amount } });
  for (const { placementId, price, leads, reason } of leftOut)
    judged.set(placementId, { leftOut: { placementId, price, leads, reason } });
};

/** Lines between two turns of the event loop, of perhaps 100,000. */
const slice = 2_000;

/** As many that moved are put in their places one by one; more are sorted with all the others. */
const fewMoved = 64;

const inOrder = async (purchases: Purchases, breathe: () => Promise<void>): Promise<readonly string[]> => {
  const { lines, moved } = purchases;
  if (purchases.order === null || moved.size > fewMoved)
    purchases.order = [...(await sortedInTurns([...lines.keys()], byText, breathe))];
  else for (const id of moved) putInPlace(purchases.order, id, lines.has(id));
  moved.clear();
  return purchases.order;
};

/** Takes the id into the ordered ones, or out of them. */
const putInPlace = (order: string[], id: string, isThere: boolean): void => {
  let [low, high] = [0, order.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((order[middle] as string) < id) low = middle + 1;
    else high = middle;
  }
  const wasThere = order[low] === id;
  if (isThere && !wasThere) order.splice(low, 0, id);
  if (!isThere && wasThere) order.splice(low, 1);
};

/** The same as `earningsOf` over all lines. */
const judgedTogether = async (purchases: Purchases, terms: Terms, settings: EarningsSettings) => {
  const breathe = breather();
  const { lines, judged } = purchases;
  forgetOutdated(purchases, terms, settings);
  purchases.basis = { terms, countZeroLeads: settings.countZeroLeads };
  const order = await inOrder(purchases, breathe);
  const open: Line[] = [];
  for (const [id, line] of lines) if (!judged.has(id)) open.push(line);
  for (let from = 0; from < open.length; from += slice) {
    judge(open.slice(from, from + slice), terms, settings, judged);
    await breathe();
  }
  const ofResult = schemeOf(terms) === 'result';
  const within: EarningsRow['counted'][number][] = [];
  const leftOut: EarningsRow['leftOut'][number][] = [];
  let spent = 0;
  let base = 0;
  const zero = { count: 0, price: 0 };
  for (const [index, id] of order.entries()) {
    if (index % slice === 0) await breathe();
    const one = judged.get(id);
    if (one === undefined) continue;
    spent += (one.counted ?? one.leftOut).price;
    if (one.counted === undefined) {
      leftOut.push(one.leftOut);
      continue;
    }
    within.push(one.counted);
    base += one.counted.price;
    if (!ofResult || one.counted.leads > 0) continue;
    zero.count += 1;
    zero.price += one.counted.price;
  }
  return {
    spent: kopecks(spent),
    earnings: percentOf(kopecks(base), terms.salaryRate),
    counted: within,
    leftOut,
    zeroLeads: { count: zero.count, price: kopecks(zero.price) },
  };
};

/** What each participant and each buyer of a campaign earns in it, line by line. */
export const earningsTotals = (set: WorkingSet, analytics: AnalyticsTotals) => {
  const kept = new Map<string, Purchases>();
  const touched = new Map<string, Pair & { readonly position: Position }>();
  let linesKept = 0;

  const load = async (pair: Pair): Promise<Purchases> => {
    const id = idOf(pair);
    const known = kept.get(id);
    if (known !== undefined) return known;
    const stored = await getHideable(set, keyOf(pair));
    const purchases: Purchases =
      stored === null
        ? { lines: new Map(), order: null, moved: new Set(), judged: new Map(), basis: null, storedHidden: null }
        : purchasesOf(stored.data, stored.hidden);
    kept.set(id, purchases);
    linesKept += purchases.lines.size + 1;
    return purchases;
  };

  const touch = (pair: Pair, position: Position): void => {
    touched.set(idOf(pair), { ...pair, position });
  };

  const campaignOf = async ({ licenceId, campaignId }: Pair) => {
    const campaign = await getHideable(set, { kind: 'campaign', id: campaignId, licenceId });
    if (campaign === null) throw new Error(`There is no campaign ${campaignId}`);
    return campaign;
  };

  const settingsOf = async (licenceId: string): Promise<EarningsSettings> =>
    (await set.get({ kind: 'license', id: licenceId, licenceId }))?.settings ?? defaultLicenceSettings;

  const settleOne = async (pair: Pair, position: Position): Promise<void> => {
    const { licenceId, campaignId, userId } = pair;
    const purchases = await load(pair);
    const { data: campaign, hidden } = await campaignOf(pair);
    const entry = entryOf(campaign, userId);
    if (entry === undefined && purchases.lines.size === 0) {
      await removeHideable(set, keyOf(pair), position);
      purchases.storedHidden = null;
      return;
    }
    const person = await set.get({ kind: 'user', id: userId, licenceId });
    const terms = resolveTerms(entry ?? null, person);
    const data: EarningsRow = {
      campaignId,
      userId,
      terms,
      budget: entry?.budget ?? kopecks(0),
      ...(await judgedTogether(purchases, terms, await settingsOf(licenceId))),
    };
    const { storedHidden: wasHidden } = purchases;
    const scopes = [campaignScope(campaignId), personScope(userId)];
    await putHideable(set, keyOf(pair), { position, scopes, data, hidden, wasHidden });
    purchases.storedHidden = hidden;
  };

  const settle = async (): Promise<void> => {
    for (const { position, ...pair } of touched.values())
      await foldable(pair.licenceId, position, () => settleOne(pair, position));
    touched.clear();
  };

  const applyPlacement = async (change: Extract<RowChange, { kind: 'placement' }>): Promise<void> => {
    const [before, after] = [counted(change.before), counted(change.after)];
    if (alike(before, after)) return;
    const { id, licenceId, position } = change;
    const { campaignId } = change.after;
    if (before !== null && before.buyerId !== after?.buyerId) {
      const pair = { licenceId, campaignId, userId: before.buyerId };
      const purchases = await load(pair);
      purchases.lines.delete(id);
      purchases.judged.delete(id);
      purchases.moved.add(id);
      touch(pair, position);
    }
    if (after !== null) {
      const pair = { licenceId, campaignId, userId: after.buyerId };
      const purchases = await load(pair);
      if (!purchases.lines.has(id)) {
        purchases.moved.add(id);
        linesKept += 1;
      }
      purchases.lines.set(id, lineOf(after));
      purchases.judged.delete(id);
      touch(pair, position);
    }
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

    /** Everything settled is committed: only now may lines be forgotten. */
    committed(): void {
      if (linesKept <= keptLines) return;
      kept.clear();
      linesKept = 0;
    },

    drop(): void {
      kept.clear();
      linesKept = 0;
      touched.clear();
    },
  };
};
