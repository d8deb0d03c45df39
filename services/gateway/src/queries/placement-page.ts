import type { PlacementRow } from '@zakup/contracts/read-models';
import { type PlacementQuery, storedSorts } from '@zakup/contracts/requests/queries';
import { costPerLead } from '@zakup/domain/analytics/cpl';
import { createYielder } from '@zakup/async/yielder';
import { topN } from '@zakup/async/sort-yielding';
import { fits, inOrder } from '@zakup/read-store/documents';
import type { Query, ReadDocument, DocumentReader } from '@zakup/read-store/read-store';
import { type Aliases, aliasesOf } from '../read-models/aliases.ts';
import { dataOf } from '../read-models/rows.ts';
import { compareNames, type PlacementNames, placementNames, searching } from '../read-models/placement-names.ts';

export interface PlacementPage {
  readonly rows: readonly PlacementRow[];
  /** Rows that fit, on all pages. */
  readonly total: number;
}

/** Filters that compare a member with a value. */
export const equalities = [
  'buyerId',
  'contractorId',
  'creativeId',
  'category',
  'format',
  'paymentStatus',
  'status',
] as const satisfies readonly (keyof PlacementQuery)[];

export const isStored = (field: PlacementQuery['sortBy']): field is (typeof storedSorts)[number] =>
  (storedSorts as readonly string[]).includes(field);

const between = <Value extends string | number>(min: Value | undefined, max: Value | undefined) => ({
  ...(min === undefined ? {} : { min }),
  ...(max === undefined ? {} : { max }),
});

const filterOf = (campaignId: string, query: PlacementQuery): Query => ({
  where: {
    campaignId,
    ...Object.fromEntries(equalities.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]]))),
  },
  range: {
    ...(query.dateFrom === undefined && query.dateTo === undefined
      ? {}
      : { date: between(query.dateFrom, query.dateTo) }),
    ...(query.priceFrom === undefined && query.priceTo === undefined
      ? {}
      : { price: between(query.priceFrom, query.priceTo) }),
  },
});

/** The first `limit` rows that fit, in the query's order, and how many there are. Rows of a contractor are also those of its parts. */
const fitting = (
  readStore: DocumentReader,
  { parts }: Aliases,
  query: Query,
): Promise<{ readonly docs: readonly ReadDocument[]; readonly total: number }> => {
  const contractorId = query.where?.['contractorId'];
  const ids = typeof contractorId === 'string' ? parts(contractorId) : [];
  if (ids.length < 2) return readStore.query('placement', query);
  const { contractorId: _, ...where } = query.where ?? {};
  return readStore.query('placement', { ...query, where, among: { contractorId: ids } });
};

/** A row on its way to a page: as it is stored, and as it is shown. */
interface Found {
  readonly doc: ReadDocument;
  readonly row: PlacementRow;
}

/** How two rows follow each other: as documents are sorted, after what is shown for an id where that is asked for; ties go the same way. */
const orderOf = (
  { sortBy, sortOrder }: Pick<PlacementQuery, 'sortBy' | 'sortOrder'>,
  names: PlacementNames,
): ((a: Found, b: Found) => number) => {
  const stored = inOrder(isStored(sortBy) ? [{ field: sortBy, direction: sortOrder }] : []);
  if (isStored(sortBy)) return (a, b) => stored(a.doc, b.doc);
  const sign = sortOrder === 'asc' ? 1 : -1;
  const shown = (a: PlacementRow, b: PlacementRow): number =>
    sortBy === 'costPerLead'
      ? costPerLead(a.price, a.leads) - costPerLead(b.price, b.leads)
      : compareNames(names[sortBy](a), names[sortBy](b));
  return (a, b) => sign * (shown(a.row, b.row) || stored(a.doc, b.doc));
};

/**
 * One page of a campaign's rows. Searching, leaving a status out, and sorting by what is shown for an id, look at all rows of the campaign or
 * the contractor, in steps between which others have their turn.
 */
export const placementPage = async (
  readStore: DocumentReader,
  licenceId: string,
  campaignId: string,
  query: PlacementQuery,
): Promise<PlacementPage> => {
  const { sortBy, sortOrder, page, pageSize, statusNot, search = '' } = query;
  const offset = (page - 1) * pageSize;
  const aliases = await aliasesOf(readStore, licenceId);
  const { contractorId: asked } = query;
  const contractorId = asked === undefined ? undefined : aliases.receiver(asked);
  if (isStored(sortBy) && search === '' && statusNot === undefined) {
    const filter = filterOf(campaignId, { ...query, contractorId });
    const sort = [{ field: sortBy, direction: sortOrder }];
    const { docs, total } = await fitting(readStore, aliases, { ...filter, licenceId, sort, offset, limit: pageSize });
    return { rows: docs.map((doc) => aliases.placement(dataOf('placement', doc))), total };
  }

  const names = await placementNames(readStore, licenceId);
  const isFound = searching(names, search);
  const filter = filterOf(campaignId, { ...query, contractorId: undefined });
  const found: Found[] = [];
  // Only by what finds documents at once: a store that looked for the rest would hold the thread until it had some hundreds.
  const wheres =
    contractorId === undefined ? [{ campaignId }] : aliases.parts(contractorId).map((id) => ({ contractorId: id }));
  for (const where of wheres)
    await readStore.readEach('placement', { licenceId, where }, (docs) => {
      for (const doc of docs) {
        const row = aliases.placement(dataOf('placement', doc));
        if (row.status !== statusNot && fits(doc, filter) && isFound(row)) found.push({ doc, row });
      }
    });
  const first = await topN(found, offset + pageSize, orderOf(query, names), createYielder());
  return { rows: first.slice(offset).map(({ row }) => row), total: found.length };
};
