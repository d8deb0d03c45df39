import { useCallback, useRef, useState } from 'react';
import { z } from 'zod';
import type { GridSorting } from '../../shared/table/grid-column.ts';
import { type PlacementFilters, withoutFilters } from './placement-filters.ts';

/** Local key of the table's state; dropped when another licence signs in. */
export const tableStateKey = 'placementsTable';
export const pageSize = 50;

export interface TableState {
  readonly sorting: GridSorting;
  /** Of the cards on a narrow screen. */
  readonly cardSorting: GridSorting;
  readonly filters: PlacementFilters;
  /** From 1, of `pageCampaign`'s table. */
  readonly page: number;
  readonly pageCampaign: string;
  /** All rows in one list instead of pages. */
  readonly whole: boolean;
  /** Ids of columns that are not shown. */
  readonly hidden: readonly string[];
  /** The one contractor whose placements are shown. */
  readonly selectedContractorId: string | null;
}

const text = z.string().max(200).catch('');
const stored = z.object({
  sortBy: z.string().catch('date'),
  sortOrder: z.enum(['asc', 'desc']).catch('asc'),
  cardSortBy: z.string().catch('date'),
  cardSortOrder: z.enum(['asc', 'desc']).catch('desc'),
  filters: z
    .object({
      search: text,
      buyerId: text,
      creativeId: text,
      category: text,
      format: text,
      paymentStatus: text,
      status: text,
      dateFrom: text,
      dateTo: text,
      priceFrom: text,
      priceTo: text,
    })
    .catch(withoutFilters),
  pagination: z
    .object({
      page: z.int().min(1),
      pageSize: z.union([z.literal(pageSize), z.literal('all')]),
      campaignId: z.string(),
    })
    .catch({ page: 1, pageSize, campaignId: '' }),
  hiddenColumns: z.array(z.string()).catch(['status']),
  selectedContractorId: z.string().nullable().catch(null),
});

const asState = (kept: z.output<typeof stored>): TableState => ({
  sorting: { columnId: kept.sortBy, order: kept.sortOrder },
  cardSorting: { columnId: kept.cardSortBy, order: kept.cardSortOrder },
  filters: kept.filters,
  page: kept.pagination.page,
  pageCampaign: kept.pagination.campaignId,
  whole: kept.pagination.pageSize === 'all',
  hidden: kept.hiddenColumns,
  selectedContractorId: kept.selectedContractorId,
});

const asStored = (state: TableState): z.input<typeof stored> => ({
  sortBy: state.sorting.columnId,
  sortOrder: state.sorting.order,
  cardSortBy: state.cardSorting.columnId,
  cardSortOrder: state.cardSorting.order,
  filters: state.filters,
  pagination: { page: state.page, pageSize: state.whole ? 'all' : pageSize, campaignId: state.pageCampaign },
  hiddenColumns: [...state.hidden],
  selectedContractorId: state.selectedContractorId,
});

const read = (): TableState => {
  try {
    const parsed = stored.safeParse(JSON.parse(localStorage.getItem(tableStateKey) ?? '{}'));
    return asState(parsed.success ? parsed.data : stored.parse({}));
  } catch {
    return asState(stored.parse({}));
  }
};

/**
 * What the table shows and how, remembered in this browser: by date, oldest first (cards newest first), first page of 50, without filters,
 * the status column hidden, until chosen otherwise. The function that changes it is stable.
 */
export const useTableState = () => {
  const [state, setState] = useState(read);
  const latest = useRef(state);
  const update = useCallback((changeOf: (before: TableState) => Partial<TableState>): void => {
    latest.current = { ...latest.current, ...changeOf(latest.current) };
    setState(latest.current);
    localStorage.setItem(tableStateKey, JSON.stringify(asStored(latest.current)));
  }, []);
  return [state, update] as const;
};
