import { useCallback, useEffect, useMemo, useState } from 'react';
import { anyStatus } from '@zakup/domain/views/view-parameters';
import { onRevealRequest } from '../../../shared/campaign/reveal-requests.ts';
import type { RevealedRow } from '../../../shared/table/revealed-row.ts';
import { columnOfField } from '../columns/cell-notes.tsx';
import { fitsFilters, isInSight, isTakenDown, withoutFilters } from '../filters/placement-filters.ts';
import type { Names, PlacementRow } from './placement-row.ts';
import { pageSize } from '../filters/table-state.ts';
import type { usePlacementTable } from '../filters/use-placement-table.ts';

interface Reveal {
  readonly placementId: string;
  readonly columnId: string | null;
  /** Of which order, page and filters; null = of those that come with it. */
  readonly view: string | null;
}

interface RevealState {
  readonly reveal: Reveal | null;
  /** How many there have been. */
  readonly turns: number;
}

/** How long a row that has just come catches the eye, in milliseconds. */
const markedTime = 3000;

interface RevealSpec {
  readonly campaignId: string;
  readonly rows: readonly PlacementRow[];
  readonly names: Names;
  readonly table: ReturnType<typeof usePlacementTable>;
  readonly narrow: boolean;
}

/**
 * The placement that is on screen whatever order, page and filters, such as the one just added, until one of these is chosen anew; and the
 * way to where it stands by itself.
 */
export const useRevealedPlacement = ({ campaignId, rows, names, table, narrow }: RevealSpec) => {
  const { state, actions, page, fits, ordered, shown } = table;
  const sorting = narrow ? state.cardSorting : state.sorting;
  const { filters, selectedContractorId, grouping } = state;
  const view = JSON.stringify([
    campaignId,
    narrow,
    sorting,
    filters,
    selectedContractorId,
    grouping,
    // As chosen: what is drawn is cut by the count of the former rows while others are prepared.
    page === undefined ? null : state.page,
  ]);
  const [{ reveal, turns }, setState] = useState<RevealState>({ reveal: null, turns: 0 });
  const [markedTurn, setMarkedTurn] = useState(0);
  if (reveal?.view === null) setState({ reveal: { ...reveal, view }, turns });
  else if (reveal !== null && reveal.view !== view) setState({ reveal: null, turns });

  const show = useCallback(
    (placementId: string, columnId: string | null = null): void =>
      setState((before) => ({ reveal: { placementId, columnId, view: null }, turns: before.turns + 1 })),
    [],
  );
  useEffect(
    () =>
      onRevealRequest((request) => {
        if (request.campaignId !== campaignId) return false;
        show(request.placementId, request.field === undefined ? null : columnOfField(request.field));
        return true;
      }),
    [campaignId, show],
  );

  const placementId = reveal?.placementId ?? null;
  const columnId = reveal?.columnId ?? null;
  const row = useMemo(
    () => (placementId === null ? undefined : rows.find(({ id }) => id === placementId)),
    [rows, placementId],
  );
  const turn = row === undefined ? 0 : turns;
  useEffect(() => {
    if (turn === 0) return undefined;
    const timer = setTimeout(() => setMarkedTurn(turn), markedTime);
    return () => clearTimeout(timer);
  }, [turn]);

  const isOutside = row !== undefined && !fits(row);
  const isMarked = markedTurn < turn;
  const revealed = useMemo(
    (): RevealedRow<PlacementRow> | null => (row === undefined ? null : { row, columnId, turn, isOutside, isMarked }),
    [row, columnId, turn, isOutside, isMarked],
  );

  /** Its page, without the filters where they leave it out. */
  const showInPlace = (): void => {
    if (row === undefined) return;
    // One that was taken down stands nowhere but among all of any status.
    const status = isTakenDown(row) ? [anyStatus] : withoutFilters.status;
    const all = isOutside ? ordered.filter(isInSight(fitsFilters({ ...withoutFilters, status }, null, names))) : shown;
    table.openGroupOf(row);
    if (isOutside) {
      actions.reset();
      actions.setFilters({ status });
    }
    if (page) actions.setPage(Math.floor(all.indexOf(row) / pageSize) + 1);
    show(row.id);
  };
  return { revealed, showInPlace, hide: () => setState({ reveal: null, turns }) };
};
