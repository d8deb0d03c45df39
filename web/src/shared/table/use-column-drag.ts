import { useEffect, useEffectEvent, useState } from 'react';
import type { GridColumn } from './grid-column.ts';

/** How near to its right edge a heading is taken by the edge, and how far it goes before it is moved, in px. */
const edge = 7;
const begun = 6;

const headOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('.z-grid-head [data-column]') : null;

const isOnButton = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('.z-column-button') !== null;

interface ColumnDragSpec {
  readonly grid: HTMLElement | null;
  /** As they are shown. */
  readonly columns: readonly GridColumn<never>[];
  /** The width that a column takes when this one is asked for, in px. */
  readonly widthOf: (column: GridColumn<never>, wanted: number) => number;
  readonly mayMove: (column: GridColumn<never>, target: GridColumn<never> | null) => boolean;
  readonly onResize: (column: GridColumn<never>, width: number) => void;
  readonly onFit: (column: GridColumn<never>, at: number) => void;
  readonly onMove: (column: GridColumn<never>, target: GridColumn<never>) => void;
}

/** What is shown of a drag, in px of the window. */
export interface ShownDrag {
  /** Where it would end; null = nowhere. */
  readonly line: number | null;
  /** The heading that is moved, under the pointer; null = its edge is drawn. */
  readonly ghost: { readonly header: string; readonly left: number; readonly top: number } | null;
}

/** Where a drag is now: the line that shows it, in px of the window, and what its end does; null = nothing. */
interface DragStep {
  readonly line: number | null;
  readonly end: (() => void) | null;
}

/**
 * Headings are dragged by the mouse or a pen, never by a finger, which scrolls: the right edge for the width, the heading itself for the
 * place. Escape takes it back. Returned: what is shown of it; null = nothing is dragged.
 */
export const useColumnDrag = ({
  grid,
  columns,
  widthOf,
  mayMove,
  onResize,
  onFit,
  onMove,
}: ColumnDragSpec): ShownDrag | null => {
  const [shown, setShown] = useState<ShownDrag | null>(null);
  const columnOf = useEffectEvent((head: HTMLElement): GridColumn<never> | undefined =>
    columns.at(Number(head.dataset['column'])),
  );
  /** The heading whose edge the pointer is on. */
  const edgeAt = useEffectEvent(({ target, clientX }: MouseEvent): HTMLElement | null => {
    const head = headOf(target);
    if (!head || columnOf(head)?.fixed || isOnButton(target)) return null;
    const { right, width } = head.getBoundingClientRect();
    return width > 0 && right >= clientX && right - clientX <= edge ? head : null;
  });
  const resizing = useEffectEvent((head: HTMLElement, x: number): DragStep => {
    const column = columnOf(head);
    if (!column) return { line: null, end: null };
    const { left } = head.getBoundingClientRect();
    const width = widthOf(column, x - left);
    return { line: left + width, end: () => onResize(column, width) };
  });
  const moving = useEffectEvent((head: HTMLElement, over: HTMLElement | null): DragStep => {
    const column = columnOf(head);
    const target = over && columnOf(over);
    if (!column || !over || !target || !mayMove(column, target)) return { line: null, end: null };
    const { left, right } = over.getBoundingClientRect();
    const isLater = columns.indexOf(target) > columns.indexOf(column);
    return { line: isLater ? right : left, end: () => onMove(column, target) };
  });
  const headerOf = useEffectEvent((head: HTMLElement): string | null => columnOf(head)?.header ?? null);
  const mayBegin = useEffectEvent((head: HTMLElement): boolean => {
    const column = columnOf(head);
    return column !== undefined && mayMove(column, null);
  });
  const fit = useEffectEvent((head: HTMLElement): void => {
    const column = columnOf(head);
    if (column) onFit(column, Number(head.dataset['column']));
  });

  useEffect(() => {
    const place = grid?.querySelector<HTMLElement>('.z-grid-head');
    if (!grid || !place) return undefined;
    const all = new AbortController();
    let drag: AbortController | null = null;
    let isDone = false;

    const stop = (): void => {
      drag?.abort();
      drag = null;
      setShown(null);
    };
    const begin = (head: HTMLElement, from: number, isEdge: boolean): void => {
      stop();
      drag = new AbortController();
      const on = { signal: drag.signal };
      let step: DragStep = { line: null, end: null };
      window.addEventListener(
        'pointermove',
        ({ clientX, clientY }) => {
          if (!isDone && Math.abs(clientX - from) < (isEdge ? 1 : begun)) return;
          isDone = true;
          step = isEdge ? resizing(head, clientX) : moving(head, headOf(document.elementFromPoint(clientX, clientY)));
          const header = isEdge ? null : headerOf(head);
          setShown({ line: step.line, ghost: header === null ? null : { header, left: clientX, top: clientY } });
        },
        on,
      );
      window.addEventListener(
        'pointerup',
        () => {
          stop();
          step.end?.();
        },
        on,
      );
      window.addEventListener('pointercancel', stop, on);
      window.addEventListener('blur', stop, on);
      window.addEventListener(
        'keydown',
        (event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          stop();
        },
        { ...on, capture: true },
      );
    };

    const on = { signal: all.signal };
    place.addEventListener(
      'pointerdown',
      (event) => {
        isDone = false;
        const head = headOf(event.target);
        if (!head || event.button !== 0 || event.pointerType === 'touch') return;
        if (isOnButton(event.target)) return;
        const isEdge = edgeAt(event) !== null;
        // The keyboard stays where it is.
        if (isEdge) event.preventDefault();
        if (isEdge || mayBegin(head)) begin(head, event.clientX, isEdge);
      },
      on,
    );
    place.addEventListener(
      'pointermove',
      (event) => {
        place.toggleAttribute('data-edge', drag === null && event.pointerType !== 'touch' && edgeAt(event) !== null);
      },
      on,
    );
    // What was dragged is not pressed, and an edge sorts nothing.
    place.addEventListener(
      'click',
      (event) => {
        if (isDone || (event.detail > 0 && edgeAt(event))) event.stopPropagation();
        isDone = false;
      },
      { ...on, capture: true },
    );
    place.addEventListener(
      'dblclick',
      (event) => {
        const head = edgeAt(event);
        if (!head) return;
        event.stopPropagation();
        fit(head);
      },
      { ...on, capture: true },
    );
    return () => {
      all.abort();
      stop();
    };
  }, [grid]);
  return shown;
};
