import {
  entityName,
  historyId,
  type HistoryEntry,
  type HistoryRow,
  type HistoryView,
  presentHistory,
} from '@zakup/contracts/history';
import type { SalarySelection } from '@zakup/contracts/requests/queries';
import type { ReadStore } from '@zakup/read-store/read-store';
import { figureHistory } from './figure-history.ts';
import { byBuyer, byDay } from './narrowing.ts';

export interface BonusHistoryQuery {
  readonly licenceId: string;
  readonly userId: string;
  /** Campaigns that the report is of. */
  readonly campaignIds: readonly string[];
  readonly selection: Pick<SalarySelection, 'campaign' | 'from' | 'to'>;
  /** Nothing later is looked at. */
  readonly to: number;
  readonly view: HistoryView;
}

const movedShown = 10;
/** Entries of the person's card that are looked through. */
const cardEntries = 200;
/** Members of a card by which the report counts. */
const terms: ReadonlySet<string> = new Set(['salaryType', 'salaryRate', 'performanceThreshold']);

/** The last events that moved somebody's bonus in the salary report: of their placements, and of the terms on their card. */
export const bonusHistory = async (
  readStore: Pick<ReadStore, 'walk'>,
  { licenceId, userId, campaignIds, selection: { campaign, from, to: lastDay }, to, view }: BonusHistoryQuery,
): Promise<{ readonly moved: readonly HistoryEntry[]; readonly historyComplete: boolean }> => {
  const ofPlacements = await figureHistory(readStore, {
    licenceId,
    campaignIds,
    everywhere: campaign === undefined,
    to,
    narrowed: [byBuyer(userId), ...(from === undefined && lastDay === undefined ? [] : [byDay(from, lastDay)])],
    fields: new Set(['price', 'leads']),
    only: null,
    counted: new Set(),
    view,
  });
  const card = await readStore.walk('history', {
    licenceId,
    where: { field: 'entity', value: entityName('user', userId) },
    direction: 'desc',
    after: historyId(to + 1),
    limit: cardEntries,
  });
  const ofCard = card
    .filter(({ data }) => (data as unknown as HistoryRow).changes.some(({ field }) => terms.has(field)))
    .map(({ position, data }) => presentHistory(position, data as unknown as HistoryRow, view));
  return {
    moved: [...ofPlacements.moved, ...ofCard].toSorted((a, b) => b.position - a.position).slice(0, movedShown),
    historyComplete: ofPlacements.complete,
  };
};
