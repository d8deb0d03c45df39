import { CaretDown } from '@blueprintjs/icons';
import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { ColumnArrangement } from './arranged-columns.ts';
import { isMovable, widthWithin, withPlace, withWidth } from './column-changes.ts';
import { ColumnMenu, type ColumnMenuRequest } from './column-menu.tsx';
import { fittingWidth } from './fitting-width.ts';
import type { GridColumn } from './grid-column.ts';
import { showAcross } from './show-across.ts';
import { useColumnDrag } from './use-column-drag.ts';
import './column-tools.css';

interface ColumnToolsProps {
  /** Shown or not, in the usual order. */
  readonly all: readonly GridColumn<never>[];
  /** As they are shown. */
  readonly columns: readonly GridColumn<never>[];
  readonly arrangement: ColumnArrangement;
  readonly onArrange: (arrangement: ColumnArrangement) => void;
}

/** What lays the columns of the table around it: the menu of a heading, its edge and the heading itself to drag. */
export const ColumnTools = ({ all, columns, arrangement, onArrange }: ColumnToolsProps) => {
  const [grid, setGrid] = useState<HTMLElement | null>(null);
  const place = useCallback((mark: HTMLElement | null) => setGrid(mark?.closest<HTMLElement>('.z-grid') ?? null), []);
  const [menu, setMenu] = useState<ColumnMenuRequest | null>(null);
  /** The headings with the pointer and the focus. */
  const [pointed, setPointed] = useState<HTMLElement | null>(null);
  const [focused, setFocused] = useState<HTMLElement | null>(null);
  const isDone = useRef(false);

  const drag = useColumnDrag({
    grid,
    columns,
    widthOf: widthWithin,
    mayMove: (column, target) =>
      target === null ? isMovable(column, arrangement) : withPlace(arrangement, all, column, target) !== null,
    onResize: (column, width) => onArrange(withWidth(arrangement, column, width)),
    onFit: (column, at) => grid && onArrange(withWidth(arrangement, column, fittingWidth(grid, at))),
    onMove: (column, target) => {
      const next = withPlace(arrangement, all, column, target);
      if (next) onArrange(next);
    },
  });

  const columnOf = (head: HTMLElement | null): GridColumn<never> | undefined =>
    head ? columns.at(Number(head.dataset['column'])) : undefined;

  const open = (head: HTMLElement): void => {
    const column = columnOf(head);
    if (!column || column.fixed) return;
    const { left, bottom } = head.getBoundingClientRect();
    isDone.current = false;
    setMenu({ columnId: column.id, left, top: bottom });
  };
  const openMenu = useEffectEvent(open);
  const closeMenu = (): void => {
    if (menu === null || isDone.current) return;
    isDone.current = true;
    const at = columns.findIndex(({ id }) => id === menu.columnId);
    const heading = grid?.querySelector<HTMLElement>(`th[data-column="${at}"]`);
    heading?.focus({ preventScroll: true });
    if (grid && heading) showAcross(grid, heading);
    setMenu(null);
  };

  const isFixed = useEffectEvent((head: HTMLElement): boolean => columnOf(head)?.fixed === true);

  useEffect(() => {
    const head = grid?.querySelector<HTMLElement>('.z-grid-head');
    if (!head) return undefined;
    const listening = new AbortController();
    const on = { signal: listening.signal };
    const headingOf = (target: EventTarget | null): HTMLElement | null =>
      target instanceof Element && head.contains(target) ? target.closest<HTMLElement>('th') : null;
    head.addEventListener('pointerover', ({ target }) => setPointed(headingOf(target)), on);
    head.addEventListener('pointerleave', () => setPointed(null), on);
    head.addEventListener('focusin', ({ target }) => setFocused(headingOf(target)), on);
    head.addEventListener('focusout', ({ relatedTarget }) => setFocused(headingOf(relatedTarget)), on);
    // Shift+F10 and the menu key too.
    head.addEventListener(
      'contextmenu',
      (event) => {
        const heading = headingOf(event.target);
        if (!heading || isFixed(heading)) return;
        event.preventDefault();
        openMenu(heading);
      },
      on,
    );
    return () => listening.abort();
  }, [grid]);

  useLayoutEffect(() => {
    for (const head of grid?.querySelectorAll('th') ?? []) {
      if (columns.at(Number(head.dataset['column']))?.fixed) continue;
      head.setAttribute('aria-haspopup', 'menu');
      head.setAttribute('aria-keyshortcuts', 'Shift+F10');
    }
  }, [grid, columns]);

  const shown = [pointed, focused].find((head) => head?.isConnected) ?? null;
  const column = columnOf(shown);
  const line = drag?.line ?? null;
  const ghost = drag?.ghost;
  const { top = 0, height = 0 } = line === null || !grid ? {} : grid.getBoundingClientRect();
  return (
    <>
      <span ref={place} hidden />
      {shown &&
        column &&
        !column.fixed &&
        createPortal(
          // Said by the heading itself, whose name it would be a part of.
          <button
            type="button"
            tabIndex={-1}
            aria-hidden="true"
            className="z-column-button"
            title={`Столбец «${column.header}»: ширина и место`}
            onClick={() => open(shown)}
          >
            <CaretDown size={12} />
          </button>,
          shown,
          column.id,
        )}
      {line !== null && <div className="z-column-line" style={{ left: line, top, height }} />}
      {ghost && (
        <div
          className="z-column-ghost"
          data-refused={line === null || undefined}
          style={{ left: ghost.left, top: ghost.top }}
          aria-hidden="true"
        >
          {ghost.header}
        </div>
      )}
      {grid && menu && (
        <ColumnMenu
          request={menu}
          grid={grid}
          all={all}
          columns={columns}
          arrangement={arrangement}
          onArrange={onArrange}
          onClose={closeMenu}
        />
      )}
    </>
  );
};
