import { scrollerOf } from '../ui/use-scroll-place.ts';
import type { CellPlace } from './grid-navigation.ts';
import { heights } from './use-rows-in-sight.ts';

/** What of the table is in sight between what stays there, in px of the window. */
export interface CellsInSight {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

/** The cells that scroll: not the headings, the totals, the numbers and what is pinned. */
export const cellsInSight = (grid: HTMLElement): CellsInSight => {
  const { left, right, top, bottom } = grid.getBoundingClientRect();
  const heightOf = (selector: string): number => grid.querySelector(selector)?.getBoundingClientRect().height ?? 0;
  const staying = [...grid.querySelectorAll('.z-grid-head :is(.z-grid-number, .z-grid-pinned)')];
  const page = scrollerOf(grid).getBoundingClientRect();
  return {
    left: Math.max(left, ...staying.map((one) => one.getBoundingClientRect().right)),
    right: Math.min(right, window.innerWidth),
    top: Math.max(top + heightOf('.z-grid-head'), page.top),
    bottom: Math.min(bottom - heightOf('.z-grid-foot'), page.bottom, window.innerHeight),
  };
};

/** The cell at a point of the window, else the nearest one in sight; null = there is none. */
export const touchedCell = (grid: HTMLElement, x: number, y: number, rowCount: number): CellPlace | null => {
  const body = grid.querySelector('.z-grid-body')?.getBoundingClientRect();
  const heads = [...grid.querySelectorAll<HTMLElement>('.z-grid-head [data-column]')];
  const [first, last] = [heads[0], heads.at(-1)];
  if (!body || !first || !last || rowCount === 0) return null;
  const { top, bottom } = cellsInSight(grid);
  const row = Math.floor((within(y, top, Math.max(top, bottom - 1)) - body.top) / heights.row);
  // What is pinned lies over the others.
  const pinnedFirst = heads.toSorted((a, b) => Number(isPinned(b)) - Number(isPinned(a)));
  const head =
    pinnedFirst.find((one) => {
      const { left, right } = one.getBoundingClientRect();
      return x >= left && x < right;
    }) ?? (x < first.getBoundingClientRect().left ? first : last);
  return { row: within(row, 0, rowCount - 1), column: Number(head.dataset['column']) };
};

const isPinned = (head: Element): boolean => head.classList.contains('z-grid-pinned');
