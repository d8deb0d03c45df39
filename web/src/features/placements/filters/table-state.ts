import { useCallback, useMemo, useRef, useState } from 'react';
import { z } from 'zod';
import {
  type ColumnArrangement,
  leastWidth,
  mostWidth,
  usualArrangement,
} from '../../../shared/table/arranged-columns.ts';
import { keepItem } from '../../../shared/storage/keep-item.ts';
import type { GridSorting } from '../../../shared/table/grid-column.ts';
import { type Grouping, groupings } from '@zakup/domain/views/view-parameters';
import { type PlacementFilters, withoutFilters } from './placement-filters.ts';

/** Local key of the table's state; dropped when another licence signs in. */
export const tableStateKey = 'placementsTable';
export const pageSize = 50;

/** What is narrowed belongs to its campaign: another one begins whole, and coming back finds it again. */
interface CampaignView {
  readonly campaignId: string;
  readonly filters: PlacementFilters;
  /** From 1. */
  readonly page: number;
  /** The one contractor whose placements are shown. */
  readonly selectedContractorId: string | null;
  /** Null = in one list. */
  readonly grouping: Grouping | null;
}

/** The order until another is chosen: oldest first, on a narrow screen newest first. */
export const usualSorting = (narrow: boolean): GridSorting => ({ columnId: 'date', order: narrow ? 'desc' : 'asc' });

/** So many campaigns besides the one on the screen are remembered as they were left, the last left first. */
const mostLeft = 30;

export interface TableState extends CampaignView {
  readonly sorting: GridSorting;
  /** Of the cards on a narrow screen. */
  readonly cardSorting: GridSorting;
  /** All rows in one list instead of pages. */
  readonly whole: boolean;
  /** Ids of columns that are not shown. */
  readonly hidden: readonly string[];
  /** Widths, order and pins of the columns. */
  readonly arrangement: ColumnArrangement;
  readonly left: readonly CampaignView[];
}

/** Columns that came after tables were remembered: nobody sees them who did not ask for them. */
const laterColumns: readonly string[] = ['comment', 'post'];

const text = z.string().max(200).catch('');
/** One value as it was remembered before there could be several is a list of it. */
const list = z.preprocess(
  (kept) => (typeof kept === 'string' ? [kept].filter(Boolean) : kept),
  z.array(z.string().min(1).max(200)).max(150).readonly().catch([]),
);
const filters = z
  .object({
    search: text,
    buyerId: list,
    creativeId: list,
    category: list,
    format: list,
    paymentStatus: list,
    status: list,
    dateFrom: text,
    dateTo: text,
    priceFrom: text,
    priceTo: text,
    leadsFrom: text,
    leadsTo: text,
    cplFrom: text,
    cplTo: text,
  })
  .catch(withoutFilters);
const selectedContractorId = z.string().nullable().catch(null);
const grouping = z.enum(groupings).nullable().catch(null);
const stored = z.object({
  sortBy: z.string().catch('date'),
  sortOrder: z.enum(['asc', 'desc']).catch('asc'),
  cardSortBy: z.string().catch('date'),
  cardSortOrder: z.enum(['asc', 'desc']).catch('desc'),
  filters,
  pagination: z
    .object({
      page: z.int().min(1),
      pageSize: z.union([z.literal(pageSize), z.literal('all')]),
      campaignId: z.string(),
    })
    .catch({ page: 1, pageSize, campaignId: '' }),
  hiddenColumns: z.array(z.string()).catch(['status']),
  addedColumns: z.array(z.string()).catch([]),
  arrangement: z
    .object({
      widths: z.record(z.string(), z.int().min(leastWidth).max(mostWidth)),
      order: z.array(z.string()).readonly(),
      pinned: z.array(z.string()).readonly(),
    })
    .catch(usualArrangement),
  selectedContractorId,
  grouping,
  left: z
    .array(z.object({ campaignId: z.string(), filters, page: z.int().min(1), selectedContractorId, grouping }))
    .max(mostLeft)
    .catch([]),
});

const asState = (kept: z.output<typeof stored>): TableState => ({
  sorting: { columnId: kept.sortBy, order: kept.sortOrder },
  cardSorting: { columnId: kept.cardSortBy, order: kept.cardSortOrder },
  filters: kept.filters,
  page: kept.pagination.page,
  campaignId: kept.pagination.campaignId,
  whole: kept.pagination.pageSize === 'all',
  hidden: [...kept.hiddenColumns, ...laterColumns.filter((id) => !kept.addedColumns.includes(id))],
  arrangement: kept.arrangement,
  selectedContractorId: kept.selectedContractorId,
  grouping: kept.grouping,
  left: kept.left,
});

const asStored = (state: TableState): z.input<typeof stored> => ({
  sortBy: state.sorting.columnId,
  sortOrder: state.sorting.order,
  cardSortBy: state.cardSorting.columnId,
  cardSortOrder: state.cardSorting.order,
  filters: state.filters,
  pagination: { page: state.page, pageSize: state.whole ? 'all' : pageSize, campaignId: state.campaignId },
  hiddenColumns: state.hidden.filter((id) => !laterColumns.includes(id)),
  addedColumns: laterColumns.filter((id) => !state.hidden.includes(id)),
  arrangement: state.arrangement,
  selectedContractorId: state.selectedContractorId,
  grouping: state.grouping,
  left: [...state.left],
});

const read = (): TableState => {
  try {
    const parsed = stored.safeParse(JSON.parse(localStorage.getItem(tableStateKey) ?? '{}'));
    return asState(parsed.success ? parsed.data : stored.parse({}));
  } catch {
    return asState(stored.parse({}));
  }
};

/** The state as it is for a campaign; what was narrowed before any was named belongs to the first one that is. */
const openedFor = (state: TableState, campaignId: string): TableState => {
  if (state.campaignId === campaignId) return state;
  if (state.campaignId === '') return { ...state, campaignId };
  const { filters: narrowed, page, selectedContractorId: contractorId, grouping: by } = state;
  const leaving = {
    campaignId: state.campaignId,
    filters: narrowed,
    page,
    selectedContractorId: contractorId,
    grouping: by,
  };
  const others = state.left.filter((view) => view.campaignId !== campaignId && view.campaignId !== state.campaignId);
  const back = state.left.find((view) => view.campaignId === campaignId);
  const whole = { campaignId, filters: withoutFilters, page: 1, selectedContractorId: null, grouping: null };
  return { ...state, ...(back ?? whole), left: [leaving, ...others].slice(0, mostLeft) };
};

/**
 * What the table of a campaign shows and how, remembered in this browser: by date, oldest first (cards newest first), first page of 50, without filters,
 * status, comment and post hidden, until chosen otherwise. The function that changes it stays the same for a campaign.
 */
export const useTableState = (campaignId: string) => {
  const [state, setState] = useState(read);
  const latest = useRef(state);
  const update = useCallback(
    (changeOf: (before: TableState) => Partial<TableState>): void => {
      const before = openedFor(latest.current, campaignId);
      latest.current = { ...before, ...changeOf(before) };
      setState(latest.current);
      keepItem(localStorage, tableStateKey, JSON.stringify(asStored(latest.current)));
    },
    [campaignId],
  );
  return [useMemo(() => openedFor(state, campaignId), [state, campaignId]), update] as const;
};
