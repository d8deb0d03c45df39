import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { type RowWindow, useRowWindow } from '../../shared/table/use-row-window.ts';
import type { JournalEvent, JournalRow } from './journal-events.ts';

const headHeight = 30;
const dayHeight = 28;
const rowHeight = 32;
const cardHeight = 84;

/**
 * An opened event makes the list narrower and rows higher, a closed one wider and lower: what changes above the pressed one is scrolled
 * away, which keeps it where it was.
 */
const keepInPlace = (windowed: RowWindow, pressed: number): void => {
  windowed.shouldAdjustScrollPositionOnItemSizeChange = ({ index, start }, _, instance) => {
    const top = instance.scrollOffset ?? 0;
    const anchor = instance.measurementsCache[pressed];
    const inSight = anchor !== undefined && anchor.end > top && anchor.start < top + (instance.scrollRect?.height ?? 0);
    return inSight ? index < pressed : start < top;
  };
};

interface JournalGridOptions {
  readonly rows: readonly JournalRow[];
  /** Rows are cards. */
  readonly narrow: boolean;
  /** Position of the opened event; null = none. */
  readonly selected: number | null;
  readonly onSelect: (event: JournalEvent) => void;
  /** Escape: nothing is to be selected. */
  readonly onClear: () => void;
}

/** The rows of the journal that are in sight, and the keys that go through them. */
export const useJournalGrid = ({ rows, narrow, selected, onSelect, onClear }: JournalGridOptions) => {
  const scroller = useRef<HTMLDivElement>(null);
  const focusWanted = useRef(false);
  const [active, setActive] = useState<number | null>(null);
  const windowed = useRowWindow({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.kind === 'day' ? dayHeight : narrow ? cardHeight : rowHeight),
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : row.kind === 'day' ? row.day : row.event.position;
    },
    overscan: 8,
    scrollPaddingStart: narrow ? 0 : headHeight,
    useFlushSync: false,
  });
  const indexOf = useMemo(
    () => new Map(rows.map((row, index) => [row.kind === 'event' ? row.event.position : -1, index])),
    [rows],
  );
  const pressed = selected ?? active;
  useEffect(() => keepInPlace(windowed, (pressed === null ? undefined : indexOf.get(pressed)) ?? -1));
  const first = rows.findIndex(({ kind }) => kind === 'event');
  const activeRow = (active === null ? undefined : indexOf.get(active)) ?? first;

  useEffect(() => {
    if (!focusWanted.current) return;
    const row = scroller.current?.querySelector<HTMLElement>('[data-event][tabindex="0"]');
    if (!row) return;
    focusWanted.current = false;
    row.focus({ preventScroll: true });
  });

  const goTo = (index: number): void => {
    const row = rows[index];
    if (row?.kind !== 'event') return;
    setActive(row.event.position);
    windowed.scrollToIndex(index, { align: 'auto' });
    focusWanted.current = true;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = (from: number, by: 1 | -1): number => (rows[from]?.kind === 'day' ? from + by : from);
    const row = rows[activeRow];
    if (event.key === 'ArrowDown') goTo(step(activeRow + 1, 1));
    else if (event.key === 'ArrowUp') goTo(step(activeRow - 1, -1));
    else if (event.key === 'Home') goTo(first);
    else if (event.key === 'End') goTo(rows.length - 1);
    else if ((event.key === 'Enter' || event.key === ' ') && row?.kind === 'event') onSelect(row.event);
    else if (event.key === 'Escape' && selected !== null) onClear();
    else return;
    event.preventDefault();
  };
  const press = (event: JournalEvent): void => {
    setActive(event.position);
    onSelect(event);
  };
  return { scroller, windowed, activeRow, onKeyDown, press };
};
