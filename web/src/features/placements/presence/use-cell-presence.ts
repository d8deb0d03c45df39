import { useCallback, useEffect, useMemo } from 'react';
import { useColleagues, useLive } from '../../../shared/live/live-context.tsx';
import type { PresentPerson } from '../../../shared/live/presence.ts';
import type { CellColleague, GridPlace } from '../../../shared/table/grid-column.ts';
import { fieldOfColumn } from '../columns/field-columns.ts';

const columnOf: ReadonlyMap<string, string> = new Map([...fieldOfColumn].map(([column, field]) => [field, column]));

/** Where the others stand, by placement. */
export const colleaguesByRow = (people: readonly PresentPerson[]): ReadonlyMap<string, readonly CellColleague[]> => {
  const rows = new Map<string, CellColleague[]>();
  for (const { userId, name, focus } of people) {
    const columnId = focus && columnOf.get(focus.field);
    if (!focus || columnId === undefined || columnId === null) continue;
    const row = rows.get(focus.placementId) ?? [];
    const twice = row.some((one) => one.userId === userId && one.columnId === columnId && one.mode === focus.mode);
    if (!twice) row.push({ columnId, userId, name, mode: focus.mode });
    rows.set(focus.placementId, row);
  }
  return rows;
};

/** Tells the others of the campaign where one stands, and where they do. */
export const useCellPresence = (scope: string) => {
  const live = useLive();
  const people = useColleagues(scope);
  const onPlaceChange = useCallback(
    (place: GridPlace | null) => {
      const field = place && fieldOfColumn.get(place.columnId);
      live.present(
        scope,
        place && field ? { placementId: place.rowId, field, mode: place.editing ? 'editing' : 'viewing' } : null,
      );
    },
    [live, scope],
  );
  useEffect(() => live.present(scope, null), [live, scope]);
  const colleagues = useMemo(() => colleaguesByRow(people), [people]);
  return { people, colleagues, onPlaceChange };
};
