import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useMoment } from '../moment/moment-context.ts';
import type { CellMark, ChangeAuthor, GridColumn } from './grid-column.ts';

export interface Flash {
  readonly phase: 'on' | 'fading';
  /** What the cell showed before. */
  readonly was: unknown;
  readonly author: ChangeAuthor | null;
}

/** By the column's id. */
export type RowFlashes = ReadonlyMap<string, Flash>;

type Flashes = ReadonlyMap<string, RowFlashes>;
type EditedCell = { readonly rowId: string; readonly columnId: string } | null;

type RowsById<Row> = ReadonlyMap<string, { readonly row: Row }>;

interface FlashesSpec<Row> {
  /** Those in sight, by id. */
  readonly rows: RowsById<Row>;
  readonly columns: readonly GridColumn<Row>[];
  readonly editing: EditedCell;
  readonly cellMark: (row: Row, columnId: string) => CellMark | null;
  /** Whose hand it was, where that is known. */
  readonly authorOf: ((row: Row, columnId: string) => ChangeAuthor | null) | undefined;
}

const flashTime = 150;
/** How long the name and the old value stay, in milliseconds. */
const authorTime = 3000;

const none: Flashes = new Map();

const withFlash = (known: Flashes, id: string, columnId: string, next: Flash | null): Flashes => {
  const before = known.get(id);
  if (next === null && !before?.has(columnId)) return known;
  const cells = new Map(before);
  if (next === null) cells.delete(columnId);
  else cells.set(columnId, next);
  const all = new Map(known);
  if (cells.size === 0) all.delete(id);
  else all.set(id, cells);
  return all;
};

const fade = (known: Flashes, id: string, columnId: string): Flashes => {
  const flash = known.get(id)?.get(columnId);
  return flash ? withFlash(known, id, columnId, { ...flash, phase: 'fading' }) : known;
};

/**
 * What has just changed by somebody else's hand, by the row's id: set for a moment for each cell in sight, unless it was or is under one's
 * own hand. What a row shows is the same object while nothing of it changed.
 */
export const useFlashes = <Row>({ rows, columns, editing, cellMark, authorOf }: FlashesSpec<Row>): Flashes => {
  // Another moment on the screen is nobody's change.
  const at = useMoment()?.position ?? null;
  const [flashes, setFlashes] = useState(none);
  const before = useRef<{ rows: RowsById<Row>; editing: EditedCell; at: number | null }>(null);
  /** By cell: what ends its flash before its time. */
  const [ends] = useState(() => new Map<string, () => void>());

  const end = (id: string, columnId: string): void => {
    ends.get(`${id} ${columnId}`)?.();
    ends.delete(`${id} ${columnId}`);
    setFlashes((known) => withFlash(known, id, columnId, null));
  };
  const begin = (id: string, columnId: string, flash: Flash): void => {
    end(id, columnId);
    setFlashes((known) => withFlash(known, id, columnId, flash));
    const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    const fading = still ? undefined : setTimeout(() => setFlashes((known) => fade(known, id, columnId)), flashTime);
    const ending = setTimeout(() => end(id, columnId), authorTime);
    ends.set(`${id} ${columnId}`, () => {
      clearTimeout(fading);
      clearTimeout(ending);
    });
  };

  const look = useEffectEvent((): void => {
    const was = before.current;
    before.current = { rows, editing, at };
    if (was === null) return;
    if (was.at !== at) {
      for (const stop of ends.values()) stop();
      ends.clear();
      setFlashes(none);
      return;
    }
    const isOwn = (id: string, row: Row, columnId: string, edited: EditedCell): boolean =>
      (edited?.rowId === id && edited.columnId === columnId) || cellMark(row, columnId) !== null;
    for (const [id, { row }] of rows) {
      const rowBefore = was.rows.get(id)?.row;
      const isSettled = rowBefore === row && was.editing === editing;
      if (rowBefore === undefined || isSettled) continue;
      for (const column of columns) {
        const value = column.value(rowBefore);
        const isSame = Object.is(value, column.value(row));
        const wasOwn = isOwn(id, rowBefore, column.id, was.editing);
        const own = isOwn(id, row, column.id, editing);
        if (isSame && own === wasOwn) continue;
        if (isSame || own || wasOwn) end(id, column.id);
        else begin(id, column.id, { phase: 'on', was: value, author: authorOf?.(row, column.id) ?? null });
      }
    }
  });
  useEffect(() => look());

  useEffect(
    () => () => {
      for (const stop of ends.values()) stop();
    },
    [ends],
  );
  return flashes;
};
