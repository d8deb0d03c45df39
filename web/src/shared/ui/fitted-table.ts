import { widthWithin, writeFigure } from './fitted-figure.ts';

/** A table in its place that scrolls. */
interface FittedTable {
  readonly figures: Set<HTMLElement>;
  /** Fits all its figures at once, before the next paint. */
  readonly fit: () => void;
  readonly stop: () => void;
}

const tables = new WeakMap<Element, FittedTable>();

const columnOf = (figure: HTMLElement): number => figure.closest<HTMLTableCellElement>('td, th')?.cellIndex ?? -1;

/** By column, the widest first: what is shortened there leaves the others most room. */
const byWidth = (figures: Iterable<HTMLElement>): readonly (readonly HTMLElement[])[] => {
  const columns = new Map<number, HTMLElement[]>();
  for (const figure of figures) {
    const column = columns.get(columnOf(figure));
    if (column === undefined) columns.set(columnOf(figure), [figure]);
    else column.push(figure);
  }
  const widthOf = (column: readonly HTMLElement[]): number => Math.max(...column.map(({ offsetWidth }) => offsetWidth));
  return [...columns.values()]
    .map((column) => ({ column, width: widthOf(column) }))
    .sort((one, other) => other.width - one.width)
    .map(({ column }) => column);
};

/** On a phone its columns have widths of their own, and nothing of it lies behind a scroll. */
const isStacked = (place: Element): boolean => {
  const row = place.querySelector('.z-table-stacked tr');
  return row !== null && getComputedStyle(row).display === 'grid';
};

const leavesItsCell = (figure: HTMLElement): boolean => {
  const cell = figure.closest('td, th');
  return cell !== null && widthWithin(cell) > cell.clientWidth + 0.5;
};

/** Whole columns give way, one after another, until nothing of the table lies behind the scroll: figures below each other are read together. */
const fitNow = (place: Element, figures: ReadonlySet<HTMLElement>): void => {
  const hasRoom = (): boolean => place.scrollWidth <= place.clientWidth;
  for (const figure of figures) writeFigure(figure, false);
  if (isStacked(place))
    for (const column of byWidth(figures).filter((one) => one.some(leavesItsCell)))
      for (const figure of column) writeFigure(figure, true);
  if (hasRoom()) return;
  for (const column of byWidth(figures)) {
    for (const figure of column) writeFigure(figure, true);
    if (hasRoom()) return;
  }
};

const watched = (place: Element): FittedTable => {
  const figures = new Set<HTMLElement>();
  let isDue = false;
  const fit = (): void => {
    if (isDue) return;
    isDue = true;
    // All figures of what was drawn ask in one go.
    queueMicrotask(() => {
      isDue = false;
      fitNow(place, figures);
    });
  };
  const watch = new ResizeObserver(() => fitNow(place, figures));
  watch.observe(place);
  return { figures, fit, stop: () => watch.disconnect() };
};

/** Lets a figure give way with the others of its table; answers how to take it out again. */
export const fitInTable = (place: Element, figure: HTMLElement): (() => void) => {
  const table = tables.get(place) ?? watched(place);
  tables.set(place, table);
  table.figures.add(figure);
  table.fit();
  return () => {
    table.figures.delete(figure);
    if (table.figures.size > 0) return;
    table.stop();
    tables.delete(place);
  };
};
