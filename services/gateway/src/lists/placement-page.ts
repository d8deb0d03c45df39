import type { PlacementRow } from '@zakup/contracts/read-models';
import { type PlacementQuery, storedSorts } from '@zakup/contracts/requests/queries';
import { costPerLead } from '@zakup/domain/analytics/cpl';
import { noTotals, shiftTotals, type Totals, totalsOf } from '@zakup/domain/analytics/sums';
import { createYielder } from '@zakup/async/yielder';
import { topN } from '@zakup/async/sort-yielding';
import { inOrder } from '@zakup/read-store/documents';
import type { ReadDocument, DocumentReader } from '@zakup/read-store/read-store';
import type { Aliases } from '../read-models/aliases.ts';
import { dataOf, docOf } from '../read-models/rows.ts';
import { compareNames, type PlacementNames, placementNames, searching } from '../read-models/placement-names.ts';
import { isNarrowed, selecting } from './placement-selection.ts';

export interface PlacementPage {
  readonly rows: readonly PlacementRow[];
  /** Of the rows that fit, on all pages. */
  readonly totals: Totals;
}

export interface PageAsked {
  readonly readStore: DocumentReader;
  readonly licenceId: string;
  readonly campaignId: string;
  readonly aliases: Aliases;
  readonly query: PlacementQuery;
}

type StoredSort = (typeof storedSorts)[number];

export const isStored = (field: PlacementQuery['sortBy']): field is StoredSort =>
  (storedSorts as readonly string[]).includes(field);

/** A row on its way to a page: as it is stored, and as it is shown. */
interface Found {
  readonly doc: ReadDocument;
  readonly row: PlacementRow;
}

const offsetOf = ({ page, pageSize }: PlacementQuery): number => (page - 1) * pageSize;

/** How two rows follow each other: as documents are sorted, after what is shown for an id where that is asked for; ties go the same way. */
const orderOf = async ({ readStore, licenceId, query }: PageAsked): Promise<(a: Found, b: Found) => number> => {
  const { sortBy, sortOrder } = query;
  const stored = inOrder(isStored(sortBy) ? [{ field: sortBy, direction: sortOrder }] : []);
  if (isStored(sortBy)) return (a, b) => stored(a.doc, b.doc);
  const sign = sortOrder === 'asc' ? 1 : -1;
  const ordered =
    (compare: (a: PlacementRow, b: PlacementRow) => number) =>
    (a: Found, b: Found): number =>
      sign * (compare(a.row, b.row) || stored(a.doc, b.doc));
  if (sortBy === 'costPerLead') return ordered((a, b) => costPerLead(a.price, a.leads) - costPerLead(b.price, b.leads));
  const names: PlacementNames = await placementNames(readStore, licenceId);
  return ordered((a, b) => compareNames(names[sortBy](a), names[sortBy](b)));
};

/** So many rows of one status are left out of what the store pages; where there are more, looking at all costs no more. */
const mostLeftOut = 500;
/** The store goes through a page's rows and those before it. */
const mostRead = 1000;

/** Rows of one status; null = too many to be left out one by one. */
const leftOutRows = async (
  { readStore, licenceId, campaignId, aliases }: PageAsked,
  status: string | undefined,
): Promise<readonly PlacementRow[] | null> => {
  if (status === undefined) return [];
  const where = { campaignId, status };
  const { docs, total } = await readStore.query('placement', { licenceId, where, limit: mostLeftOut });
  return total > mostLeftOut ? null : docs.map((doc) => aliases.placement(dataOf('placement', doc)));
};

/**
 * All of a campaign's rows, or all but those of one status, which the store pages by itself; null = it has no sums of them of that moment, or
 * goes through too many rows for it.
 */
const wholeTable = async (asked: PageAsked, sortBy: StoredSort): Promise<PlacementPage | null> => {
  const { readStore, licenceId, campaignId, aliases, query } = asked;
  const sums = () => docOf(readStore, 'analytics', campaignId, licenceId);
  const before = await sums();
  const leftOut = await leftOutRows(asked, query.statusNot);
  if (leftOut === null) return null;
  const offset = leftOut.length === 0 ? offsetOf(query) : 0;
  const end = offsetOf(query) + query.pageSize;
  const limit = end + leftOut.length - offset;
  if (leftOut.length > 0 && limit > mostRead) return null;
  const { docs, total } = await readStore.query('placement', {
    licenceId,
    where: { campaignId },
    sort: [{ field: sortBy, direction: query.sortOrder }],
    offset,
    limit,
  });
  const all = docs.map((doc) => aliases.placement(dataOf('placement', doc)));
  const ids = new Set(leftOut.map(({ id }) => id));
  // One that has come to that status meanwhile, or has left it.
  if (all.some(({ id, status }) => (status === query.statusNot) !== ids.has(id))) return null;
  const fitting = all.filter(({ id }) => !ids.has(id));
  const rows = fitting.slice(offsetOf(query) - offset, end - offset);
  if (all.length === total) return { rows, totals: totalsOf(fitting) };
  const after = await sums();
  if (before === null || after === null || before.position !== after.position) return null;
  const { total: sum, paid } = dataOf('analytics', after);
  if (sum.placements !== total) return null;
  return { rows, totals: leftOut.reduce((totals, row) => shiftTotals(totals, row, -1), { ...sum, paid } as Totals) };
};

/** Rows that fit, found by looking at all of the campaign or the contractor, all of one moment, in steps between which others have their turn. */
const selectedPage = async (asked: PageAsked): Promise<PlacementPage> => {
  const { readStore, licenceId, campaignId, aliases, query } = asked;
  const { search = '' } = query;
  const contractorId = query.contractorId === undefined ? undefined : aliases.receiver(query.contractorId);
  const isFound = search === '' ? () => true : searching(await placementNames(readStore, licenceId), search);
  const fits = selecting({ ...query, contractorId }, isFound);
  const found: Found[] = [];
  let totals = noTotals;
  // Only by what finds documents at once: a store that looked for the rest would hold the thread until it had some hundreds. And in one
  // question: between two of them a row could move from one part of a contractor to another.
  const [part, ...parts] = contractorId === undefined ? [] : aliases.parts(contractorId);
  const where = part === undefined || parts.length > 0 ? { campaignId } : { contractorId: part };
  await readStore.readEach('placement', { licenceId, where }, (docs) => {
    for (const doc of docs) {
      const row = aliases.placement(dataOf('placement', doc));
      if (row.campaignId !== campaignId || !fits(row)) continue;
      totals = shiftTotals(totals, row, 1);
      found.push({ doc, row });
    }
  });
  const offset = offsetOf(query);
  const first = await topN(found, offset + query.pageSize, await orderOf(asked), createYielder());
  return { rows: first.slice(offset).map(({ row }) => row), totals };
};

/** One page of a campaign's rows, and the sums of all pages. */
export const placementPage = async (asked: PageAsked): Promise<PlacementPage> => {
  const { sortBy, sortOrder: _, page: __, pageSize: ___, statusNot: ____, ...filter } = asked.query;
  const whole = isStored(sortBy) && !isNarrowed(filter) ? await wholeTable(asked, sortBy) : null;
  return whole ?? selectedPage(asked);
};
