import { useState, useSyncExternalStore } from 'react';
import type { CellBlock } from '../../../shared/table/grid-range.ts';
import { lazyPart } from '../../../shared/ui/lazy-part.tsx';
import { SlotFill } from '../../../shared/ui/slots.tsx';
import type { PlacementRow } from '../rows/placement-row.ts';

const SelectionText = lazyPart(async () => (await import('./selection-text.tsx')).SelectionText);

type Selected = CellBlock<PlacementRow> | null;

const selectionStore = () => {
  let selected: Selected = null;
  const listeners = new Set<() => void>();
  return {
    get: (): Selected => selected,
    set: (next: Selected): void => {
      if (next === selected) return;
      selected = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/** What is selected in the table, beside it: the table is not drawn anew for whoever shows it. */
export const useSelected = () => useState(selectionStore)[0];

/** What the selected cells come to, in the status bar. */
export const SelectionStatus = ({
  selected,
  onChange,
}: {
  readonly selected: ReturnType<typeof selectionStore>;
  /** Changes all its rows at once; `null` = none may be changed. */
  readonly onChange: ((block: CellBlock<PlacementRow>) => void) | null;
}) => {
  const block = useSyncExternalStore(selected.subscribe, selected.get);
  return (
    block && (
      <SlotFill name="status-left">
        <SelectionText block={block} onChange={onChange} />
      </SlotFill>
    )
  );
};
