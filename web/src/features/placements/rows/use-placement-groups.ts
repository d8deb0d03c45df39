import { useCallback, useEffect, useMemo, useState } from 'react';
import type { GridSorting } from '../../../shared/table/grid-column.ts';
import { toasts } from '../../../shared/toasts/toasts.ts';
import type { Grouping } from '@zakup/domain/views/view-parameters';
import type * as placementGroups from './placement-groups.ts';
import type { PlacementRow } from './placement-row.ts';

const allOpen: ReadonlySet<string> = new Set();

/** The groups of a campaign's table, open until they are closed, as this browser remembers; null = its rows stand in one list. */
export const usePlacementGroups = (campaignId: string, grouping: Grouping | null, { columnId, order }: GridSorting) => {
  // Not of the first load.
  const [part, setPart] = useState<typeof placementGroups | null>(null);
  const [changed, setChanged] = useState<{ readonly campaignId: string; readonly keys: ReadonlySet<string> } | null>(
    null,
  );
  const closed = useMemo(
    () => (changed?.campaignId === campaignId ? changed.keys : (part?.closedGroupsOf(campaignId) ?? allOpen)),
    [changed, campaignId, part],
  );
  const toggle = useCallback(
    (key: string): void => {
      const keys = closed.has(key) ? new Set([...closed].filter((one) => one !== key)) : new Set([...closed, key]);
      setChanged({ campaignId, keys });
      part?.rememberClosedGroups(campaignId, keys);
    },
    [closed, campaignId, part],
  );
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
