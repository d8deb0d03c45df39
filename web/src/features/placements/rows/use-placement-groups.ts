import { useCallback, useEffect, useMemo, useState } from 'react';
import type { GridSorting } from '../../../shared/table/grid-column.ts';
import { toasts } from '../../../shared/toasts/toasts.ts';
import type { Grouping } from '@zakup/domain/views/view-parameters';
import type * as placementGroups from './placement-groups.ts';
import type { PlacementRow } from './placement-row.ts';

const allOpen: ReadonlySet<string> = new Set();

/** The groups of the table, open until they are closed; null = its rows stand in one list. */
export const usePlacementGroups = (grouping: Grouping | null, { columnId, order }: GridSorting) => {
  const [closed, setClosed] = useState(allOpen);
  const toggle = useCallback(
    (key: string): void =>
      setClosed((before) =>
        before.has(key) ? new Set([...before].filter((one) => one !== key)) : new Set([...before, key]),
      ),
    [],
  );
  // Not of the first load.
  const [part, setPart] = useState<Pick<typeof placementGroups, 'placementGroups'> | null>(null);
  const isWanted = grouping !== null && part === null;
  useEffect(() => {
    if (!isWanted) return;
    import('./placement-groups.ts').then(setPart, () => toasts.error('Группы не загрузились. Попробуйте ещё раз'));
  }, [isWanted]);
  const groups = useMemo(
    () =>
      grouping === null || part === null ? null : part.placementGroups(grouping, { columnId, order }, closed, toggle),
    [grouping, part, columnId, order, closed, toggle],
  );
  /** Whatever stands in its group is in sight then. */
  const openGroupOf = (row: PlacementRow): void => {
    const key = groups?.keyOf(row);
    if (key !== undefined && closed.has(key)) toggle(key);
  };
  return { groups, openGroupOf };
};
