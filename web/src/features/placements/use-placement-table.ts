import { useMemo } from 'react';
import type { GridPage } from '../../shared/table/grid-column.ts';
import { pagesOf } from './pager.tsx';
import {
  filterChips,
  filterPlacements,
  hiddenCount,
  type PlacementFilters,
  withoutFilters,
} from './placement-filters.ts';
import type { Names, PlacementRow } from './placement-rows.ts';
import { pageSize, useTableState } from './table-state.ts';

/** What of a campaign's rows is shown, in which order and how, and the ways to change that. */
export const usePlacementTable = (campaignId: string, rows: readonly PlacementRow[], names: Names) => {
  const [state, update] = useTableState();
  const { filters, selectedContractorId: contractorId } = state;
  const shown = useMemo(
    () => filterPlacements(rows, filters, contractorId, names),
    [rows, filters, contractorId, names],
  );
  const setFilters = (change: Partial<PlacementFilters>): void =>
    update({ filters: { ...filters, ...change }, page: 1 });
  const setContractor = (id: string | null): void => update({ selectedContractorId: id, page: 1 });
  const chips = filterChips(filters, names).map(({ text, clears }) => ({
    text,
    onRemove: () => setFilters(Object.fromEntries(clears.map((name) => [name, '']))),
  }));
  if (contractorId !== null)
    chips.unshift({
      text: `Контрагент: ${names.contractors.get(contractorId)?.adminUsername ?? '…'}`,
      onRemove: () => setContractor(null),
    });
  const wanted = state.pageCampaign === campaignId ? state.page : 1;
  const page: GridPage | undefined = state.whole
    ? undefined
    : { number: Math.min(wanted, pagesOf(shown.length)), size: pageSize };
  return {
    state,
    update,
    shown,
    chips,
    page,
    takenDown: hiddenCount(rows, filters),
    setFilters,
    setContractor,
    setPage: (number: number) => update({ page: number, pageCampaign: campaignId }),
    reset: () => update({ filters: withoutFilters, selectedContractorId: null, page: 1 }),
  };
};
