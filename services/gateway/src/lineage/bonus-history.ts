import { type HistoryEntry, type HistoryView, presentHistory } from '@zakup/contracts/history';
import type { SalarySelection } from '@zakup/contracts/requests/queries';
import { countsAlike, type SalaryReportTerms } from '@zakup/domain/analytics/salary-report';
import type { DocumentReader, ReadStore } from '@zakup/read-store/read-store';
import { dataOf } from '../read-models/rows.ts';
import { entityHistory, stateBefore } from './entity-history.ts';
import { figureHistory, type GoneLine, movedShown } from './figure-history.ts';
import type { Entry } from './newest-first.ts';
import { byBuyer, byDay, type FigureFilter } from './figure-filter.ts';
import { zeroLeadSwitches } from './terms-history.ts';

export interface BonusHistoryQuery {
  readonly licenceId: string;
  readonly userId: string;
  /** Their terms then; null = there is nobody. */
  readonly terms: SalaryReportTerms | null;
  /** Campaigns that the report is of. */
  readonly campaignIds: readonly string[];
  readonly selection: Pick<SalarySelection, 'campaign' | 'from' | 'to'>;
  /** Nothing later is looked at. */
  readonly to: number;
  /** Placements that are in the report; absent = they are read. */
  readonly counted?: ReadonlySet<string>;
  /** As of `figureHistory`. */
  readonly most?: number;
  readonly view: HistoryView;
}

export interface BonusHistorySources {
  /** Of the moment that is asked for. */
  readonly documents: DocumentReader;
  readonly readStore: Pick<ReadStore, 'scanIndex'>;
}

/** What a bonus is of: the placements of one person, on the days that are asked for. */
export const narrowedToBonus = (
  userId: string,
  { from, to }: Pick<SalarySelection, 'from' | 'to'>,
): readonly FigureFilter[] => [byBuyer(userId), ...(from === undefined && to === undefined ? [] : [byDay(from, to)])];

const placementsOf = async (
  documents: DocumentReader,
  { licenceId, userId, campaignIds, selection }: BonusHistoryQuery,
): Promise<ReadonlySet<string>> => {
  const ids = new Set<string>();
  const campaigns = new Set(campaignIds);
  const narrowed = narrowedToBonus(userId, selection);
  const where = { buyerId: userId, ...(selection.campaign !== undefined && { campaignId: selection.campaign }) };
  await documents.readEach('placement', { licenceId, where }, (docs) => {
    for (const doc of docs) {
      const row = dataOf('placement', doc);
      if (campaigns.has(row.campaignId) && narrowed.every((one) => one.has(row))) ids.add(row.id);
    }
  });
  return ids;
};

/**
 * The last events that moved somebody's bonus in the salary report: of their placements, of the terms on their card, and of the switch for
 * placements without leads.
 */
export const bonusHistory = async (
  { documents, readStore }: BonusHistorySources,
  query: BonusHistoryQuery,
): Promise<{
  readonly moved: readonly HistoryEntry[];
  readonly leftOut: readonly GoneLine[];
  readonly historyComplete: boolean;
}> => {
  const { licenceId, userId, terms, campaignIds, selection, to, most, view } = query;
  const { campaign } = selection;
  const narrowed = narrowedToBonus(userId, selection);
  const ofPlacements = await figureHistory(readStore, {
    licenceId,
    campaignIds,
    everywhere: campaign === undefined,
    to,
    narrowed,
    fields: new Set(['price', 'leads']),
    only: null,
    counted: query.counted ?? (await placementsOf(documents, query)),
    documents,
    ...(most !== undefined && { most }),
    view,
  });
  const card = await entityHistory(readStore, { licenceId, kind: 'user', id: userId, to });
  const switches = await zeroLeadSwitches(readStore, { licenceId, to });
  let then = terms;
  const moves = (entry: Entry): boolean => {
    if (!card.entries.includes(entry)) return then?.salaryType === 'performance';
    const after = then;
    then = after === null ? null : stateBefore(after, entry);
    return after !== null && then !== null && !countsAlike(then, after);
  };
  const beside = [...card.entries, ...switches.entries]
    .toSorted((a, b) => b.position - a.position)
    .filter(moves)
    .map(({ position, row }) => presentHistory(position, row, view));
  return {
    leftOut: ofPlacements.leftOut,
    moved: [...ofPlacements.moved, ...beside].toSorted((a, b) => b.position - a.position).slice(0, movedShown),
    historyComplete: ofPlacements.complete && card.complete && switches.complete,
  };
};
