import { useMemo, useState } from 'react';
import { useFollowMerge } from '../../../shared/contractor/use-receiver.ts';
import { useDrawn } from '../../../shared/replica/replica-context.tsx';
import type { GridPage, GridSorting } from '../../../shared/table/grid-column.ts';
import { countKeeper, filterKeeper } from '../../../shared/table/incremental-list.ts';
import { pagesOf } from '../rows/pager.tsx';
import {
  filterChips,
  fitsFilters,
  hiddenCount,
  isInSight,
  isTakenDown,
  type PlacementFilters,
  whyUnfit,
  withoutFilters,
} from './placement-filters.ts';
import type { Names, PlacementRow } from '../rows/placement-row.ts';
import { pageSize, type useTableState } from './table-state.ts';
import type { RowsPreview } from '../rows/use-rows-preview.ts';

/** The ways to change what the table shows. */
export interface TableActions {
  readonly setSorting: (sorting: GridSorting) => void;
  readonly setCardSorting: (cardSorting: GridSorting) => void;
  readonly setHidden: (hidden: readonly string[]) => void;
  readonly setFilters: (change: Partial<PlacementFilters>) => void;
  readonly setContractor: (id: string | null) => void;
  readonly setPage: (page: number) => void;
  readonly setWhole: (whole: boolean) => void;
  /** Takes all filters away. */
  readonly reset: () => void;
}

/**
 * What of a campaign's rows is shown, in which order and how, and the ways to change that; `actions` stay the same object. `preview`: the rows
 * are no more than these, and what is said of all is said by it.
 */
export const usePlacementTable = (
  [state, update]: ReturnType<typeof useTableState>,
  rows: readonly PlacementRow[],
  names: Names,
  preview: RowsPreview | null = null,
) => {
  const { filters, whole, selectedContractorId: contractorId } = state;
  const actions = useMemo(
    (): TableActions => ({
      setSorting: (sorting) => update(() => ({ sorting })),
      setCardSorting: (cardSorting) => update(() => ({ cardSorting, page: 1 })),
      setHidden: (hidden) => update(() => ({ hidden })),
      setFilters: (change) => update((before) => ({ filters: { ...before.filters, ...change }, page: 1 })),
      setContractor: (id) => update(() => ({ selectedContractorId: id, page: 1 })),
      setPage: (page) => update(() => ({ page })),
      setWhole: (next) => update(() => ({ whole: next })),
      reset: () => update(() => ({ filters: withoutFilters, selectedContractorId: null, page: 1 })),
    }),
    [update],
  );
  const nick = contractorId === null ? null : (names.contractors.get(contractorId)?.adminUsername ?? null);
  const drawn = useDrawn('workspace');
  useFollowMerge({
    contractorId,
    nick,
    missing: drawn && contractorId !== null && nick === null,
    onMerged: actions.setContractor,
  });
  const [filter] = useState(() => filterKeeper<PlacementRow>());
  const fits = useMemo(() => fitsFilters(filters, contractorId, names), [filters, contractorId, names]);
  const reasonOf = useMemo(() => whyUnfit(filters, contractorId, names), [filters, contractorId, names]);
  const inSight = useMemo(() => isInSight(fits), [fits]);
  const shown = useMemo(() => filter(rows, inSight), [filter, rows, inSight]);
  const [countTakenDown] = useState(() => countKeeper(isTakenDown));
  const takenDown = useMemo(() => countTakenDown(rows), [countTakenDown, rows]);
  const chips = filterChips(filters, names).map(({ text, whole: words, clears }) => ({
    text,
    whole: words,
    onRemove: () => actions.setFilters(Object.fromEntries(clears.map((name) => [name, withoutFilters[name]]))),
  }));
  const contractor = `Контрагент: ${nick ?? '…'}`;
  if (contractorId !== null)
    chips.unshift({
      text: contractor,
      whole: contractor,
      onRemove: () => actions.setContractor(null),
    });
  const count = preview?.total ?? shown.length;
  const number = Math.min(state.page, pagesOf(count));
  const isCut = preview !== null;
  const page = useMemo(
    (): GridPage | undefined => (whole ? undefined : { number, size: pageSize, isCut }),
    [whole, number, isCut],
  );
  return {
    state,
    actions,
    shown,
    /** Of all that fit, here or still on their way. */
    count,
    fits,
    whyUnfit: reasonOf,
    chips,
    page,
    takenDown: isCut ? 0 : hiddenCount(takenDown, filters),
  };
};
