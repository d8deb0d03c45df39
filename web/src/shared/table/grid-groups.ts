import type { CellBlock } from './grid-range.ts';

/** The line over the rows of a group. */
export interface GroupLine {
  /** Unlike that of any row. */
  readonly id: string;
  readonly label: string;
  /** What is said of its rows together. */
  readonly said: string;
  readonly isOpen: boolean;
  readonly toggle: () => void;
}

/** Rows in groups; stable while it stays as it is. */
export interface RowGroups<Row> {
  /** Of rows in one group it is the same. */
  readonly keyOf: (row: Row) => string;
  /** The rows in their groups, in each as they stood, below a line of their group; of a closed one the line alone. */
  readonly arrange: (rows: readonly Row[]) => readonly Row[];
}

const lines = new WeakMap<object, GroupLine>();

/** The line that stands among rows in the place of one; null = it is a row. */
export const groupLineOf = (row: object): GroupLine | null => lines.get(row) ?? null;

export const isGroupLine = (row: object): boolean => lines.has(row);

/** A line takes the place of a row, by an id, wherever rows are only counted and stand; no column is asked about it. */
export const standIn = (line: GroupLine): object => {
  const row = Object.freeze({ id: line.id });
  lines.set(row, line);
  return row;
};

interface Counted<Row> {
  readonly rows: readonly Row[];
  /** How many rows stand before each line, and before the end. */
  readonly before: Int32Array;
  /** The place of each row in its group, from 1; 0 = it is a line of a group. */
  readonly within: Int32Array;
}

const counts = new WeakMap<readonly object[], Counted<object>>();

const countedOf = <Row extends object>(shown: readonly Row[]): Counted<Row> => {
  const known = counts.get(shown);
  if (known) return known as Counted<Row>;
  const before = new Int32Array(shown.length + 1);
  const within = new Int32Array(shown.length);
  const rows: Row[] = [];
  let place = 0;
  for (const [at, row] of shown.entries()) {
    before[at] = rows.length;
    place = isGroupLine(row) ? 0 : place + 1;
    within[at] = place;
    if (place > 0) rows.push(row);
  }
  before[shown.length] = rows.length;
  const counted = { rows, before, within };
  counts.set(shown, counted);
  return counted;
};

/** The place of a row in its group, from 1; null of a line of a group. */
export const placeInGroup = (shown: readonly object[], at: number): number | null =>
  countedOf(shown).within[at] || null;

/** A block without the lines of groups in it; null = it had nothing else. */
export const withoutLines = <Row extends object>(block: CellBlock<Row>): CellBlock<Row> | null => {
  const { rows, before } = countedOf(block.rows);
  const top = before[block.top] ?? rows.length;
  const bottom = (before[block.bottom + 1] ?? rows.length) - 1;
  return bottom < top ? null : { ...block, rows, top, bottom };
};
