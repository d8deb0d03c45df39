import type { PlacementRow } from '@zakup/contracts/read-models';
import { type PlacementQuery, storedSorts } from '@zakup/contracts/requests/queries';
import { costPerLead } from '@zakup/domain/analytics/cpl';
import { inOrder } from '@zakup/read-store/documents';
import type { Query, ReadDocument, DocumentReader } from '@zakup/read-store/read-store';
import { type Aliases, aliasesOf } from '../aliases.ts';
import { dataOf } from '../rows.ts';
import { compareNames, placementNames, searching } from './placement-names.ts';

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

/**
 * The first `limit` rows that fit, in the query's order, and how many there are. Rows of a contractor are also those of its parts: each
 * part is asked by itself, as rows are found by what they name.
 */
const fitting = async (
  readStore: DocumentReader,
  { parts }: Aliases,
  query: Query,
): Promise<{ readonly docs: readonly ReadDocument[]; readonly total: number }> => {
  const contractorId = query.where?.['contractorId'];
  const ids = typeof contractorId === 'string' ? parts(contractorId) : [];
  if (ids.length < 2) return readStore.query('placement', query);
  const { offset = 0, limit, ...all } = query;
  const pages = await Promise.all(
    ids.map((id) => {
      const where = { ...query.where, contractorId: id };
      return readStore.query('placement', { ...all, where, ...(limit !== undefined && { limit: offset + limit }) });
    }),
  );
  const docs = pages.flatMap((page) => page.docs).sort(inOrder(query.sort ?? []));
  return {
    docs: docs.slice(offset, limit === undefined ? undefined : offset + limit),
    total: pages.reduce((sum, page) => sum + page.total, 0),
  };
};

/** One page of a campaign's rows. Searching, and sorting by what is shown for an id, look at all rows that fit. */
export const placementPage = async (
  readStore: DocumentReader,
  licenceId: string,
  campaignId: string,
  query: PlacementQuery,
): Promise<PlacementPage> => {
  const { sortBy, sortOrder, page, pageSize, search = '' } = query;
  const offset = (page - 1) * pageSize;
  const aliases = await aliasesOf(readStore, licenceId);
  const { contractorId: asked } = query;
  const contractorId = asked === undefined ? undefined : aliases.receiver(asked);
  const filter = filterOf(campaignId, { ...query, contractorId });
  if (isStored(sortBy) && search === '') {
    const sort = [{ field: sortBy, direction: sortOrder }];
    const { docs, total } = await fitting(readStore, aliases, { ...filter, licenceId, sort, offset, limit: pageSize });
    return { rows: docs.map((doc) => aliases.placement(dataOf('placement', doc))), total };
  }

  const sort = isStored(sortBy) ? [{ field: sortBy, direction: sortOrder }] : [];
  const { docs } = await fitting(readStore, aliases, { ...filter, licenceId, sort });
  const all = docs.map((doc) => aliases.placement(dataOf('placement', doc)));
  const names = await placementNames(readStore, licenceId);
  const rows = all.filter(searching(names, search));
  if (!isStored(sortBy)) {
    const sign = sortOrder === 'asc' ? 1 : -1;
    // The order they came in, by creation then id, is kept among equals.
    if (sortBy === 'costPerLead')
      rows.sort((a, b) => sign * (costPerLead(a.price, a.leads) - costPerLead(b.price, b.leads)));
    else rows.sort((a, b) => sign * compareNames(names[sortBy](a), names[sortBy](b)));
  }
  return { rows: rows.slice(offset, offset + pageSize), total: rows.length };
};
