import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { showAcross } from './show-across.ts';

interface GridFocusSpec {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly isEditing: boolean;
  /** Of the revealed row; 0 = there is none. */
  readonly turn: number;
  readonly activeRow: number;
  /** Brings a row into sight. */
  readonly show: (row: number) => void;
}

/** Gives the focus to the active cell when it is wanted there, once it is in the document. */
export const useGridFocus = ({ scroller, isEditing, turn, activeRow, show }: GridFocusSpec) => {
  const isWanted = useRef(false);
  const wasRevealed = useRef(false);
  const showRevealed = useEffectEvent((): void => {
    isWanted.current = activeRow >= 0;
    wasRevealed.current = activeRow >= 0;
    show(activeRow);
  });
  useLayoutEffect(() => {
    if (turn > 0) showRevealed();
  }, [turn]);
  useLayoutEffect(() => {
    if (!isWanted.current || isEditing) return;
    const cell = scroller.current?.querySelector<HTMLElement>('[tabindex="0"]');
    if (!cell) return;
    isWanted.current = false;
    cell.focus({ preventScroll: true });
    // By keys: what the mouse pressed stays under it.
    if (scroller.current && cell.matches(':focus-visible')) showAcross(scroller.current, cell);
    // The table itself may lie below the edge of the page.
    if (wasRevealed.current) cell.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    wasRevealed.current = false;
  });
  return {
    want: (): void => {
      isWanted.current = true;
    },
  };
};
