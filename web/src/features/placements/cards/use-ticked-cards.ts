import { useCallback, useMemo, useState } from 'react';
import type { GridColumn } from '../../../shared/table/grid-column.ts';
import { isGroupLine } from '../../../shared/table/grid-groups.ts';
import { type CellBlock, tickedBlock } from '../../../shared/table/grid-range.ts';
import type { PlacementRow } from '../rows/placement-row.ts';

const rowId = (row: PlacementRow): string => row.id;
const none: ReadonlySet<string> = new Set();
const isTickable = (row: PlacementRow): boolean => row.kind === 'stored' && !isGroupLine(row);

export interface TickedCards {
  /** Ids of ticked cards, those that are not shown now among them; null = none are to be ticked. */
  readonly ids: ReadonlySet<string> | null;
  /** The ticked ones that are shown, as the table has them; null = there are none. */
  readonly block: CellBlock<PlacementRow> | null;
  readonly areAll: boolean;
  readonly begin: () => void;
  readonly end: () => void;
  readonly tick: (row: PlacementRow, isOn: boolean) => void;
  readonly tickAll: (isOn: boolean) => void;
}

/** Cards that are ticked one by one, as the rows of the table are by their numbers; `tick` stays the same function. */
export const useTickedCards = (
  rows: readonly PlacementRow[],
  columns: readonly GridColumn<PlacementRow>[],
): TickedCards => {
  const [ids, setIds] = useState<ReadonlySet<string> | null>(null);
  const tick = useCallback(
    (row: PlacementRow, isOn: boolean): void =>
      setIds((before) => {
        const next = new Set(before);
        if (isOn) next.add(row.id);
        else next.delete(row.id);
        return next;
      }),
    [],
  );
  const block = useMemo(() => tickedBlock(rows, columns, ids ?? none, rowId), [rows, columns, ids]);
  const tickable = useMemo(() => (ids === null ? [] : rows.filter(isTickable)), [rows, ids]);
  return {
    ids,
    block,
    areAll: ids !== null && tickable.length > 0 && tickable.every(({ id }) => ids.has(id)),
    begin: () => setIds(none),
    end: () => setIds(null),
    tick,
    tickAll: (isOn) => setIds(isOn ? new Set(tickable.map(rowId)) : none),
  };
};
