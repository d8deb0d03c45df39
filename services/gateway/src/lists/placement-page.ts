import type { PlacementRow } from '@zakup/contracts/read-models';
import { type PlacementQuery, storedSorts } from '@zakup/contracts/requests/queries';
import { costPerLead } from '@zakup/domain/analytics/cpl';
import { noTotals, shiftTotals, type Totals, totalsOf } from '@zakup/domain/analytics/sums';
import { createYielder } from '@zakup/async/yielder';
import { topN } from '@zakup/async/sort-yielding';
import { inOrder } from '@zakup/read-store/documents';
import type { ReadDocument, DocumentReader } from '@zakup/read-store/read-store';
import { type Aliases, aliasesOf } from '../read-models/aliases.ts';
import { dataOf, docOf } from '../read-models/rows.ts';
import { compareNames, type PlacementNames, placementNames, searching } from '../read-models/placement-names.ts';
import { isNarrowed, selecting } from './placement-selection.ts';

export interface PlacementPage {
  readonly rows: readonly PlacementRow[];
  /** Of the rows that fit, on all pages. */
  readonly totals: Totals;
}

interface Asked {
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
const orderOf = async ({ readStore, licenceId, query }: Asked): Promise<(a: Found, b: Found) => number> => {
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

/** All of a campaign's rows, which the store pages by itself; null = it has no sums of them of that moment. */
const wholeTable = async (asked: Asked, sortBy: StoredSort): Promise<PlacementPage | null> => {
  const { readStore, licenceId, campaignId, aliases, query } = asked;
  const sums = () => docOf(readStore, 'analytics', campaignId, licenceId);
  const before = await sums();
  const { docs, total } = await readStore.query('placement', {
    licenceId,
    where: { campaignId },
    sort: [{ field: sortBy, direction: query.sortOrder }],
    offset: offsetOf(query),
    limit: query.pageSize,
  });
  const rows = docs.map((doc) => aliases.placement(dataOf('placement', doc)));
  if (rows.length === total) return { rows, totals: totalsOf(rows) };
  const after = await sums();
  if (before === null || after === null || before.position !== after.position) return null;
  const { total: sum, paid } = dataOf('analytics', after);
  return sum.placements === total ? { rows, totals: { ...sum, paid } } : null;
};

/** Rows that fit, found by looking at all of the campaign or the contractor, all of one moment, in steps between which others have their turn. */
const selectedPage = async (asked: Asked): Promise<PlacementPage> => {
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
export const placementPage = async (
  readStore: DocumentReader,
  licenceId: string,
  campaignId: string,
  query: PlacementQuery,
): Promise<PlacementPage> => {
  const { sortBy, sortOrder: _, page: __, pageSize: ___, ...filter } = query;
  const asked = { readStore, licenceId, campaignId, query, aliases: await aliasesOf(readStore, licenceId) };
  const whole = isStored(sortBy) && !isNarrowed(filter) ? await wholeTable(asked, sortBy) : null;
  return whole ?? selectedPage(asked);
};
