import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { CellEditing } from './grid-cell.tsx';
import type { CellEditor, GridColumn } from './grid-column.ts';
import type { PastedClip } from '../ui/single-value-paste.ts';
import { isGroupLine } from './grid-groups.ts';
import { type CellPlace, type EditorExit, exitFrom } from './grid-navigation.ts';
import { placeFinder } from './place-finder.ts';

interface Editing<Row> {
  readonly rowId: string;
  readonly columnId: string;
  readonly typed: string | null;
  /** Where the row stood when the editing began: it stays there until the end. */
  readonly at: number;
  /** As it was when the editing began; shown when the row goes away meanwhile. */
  readonly row: Row;
}

interface CellEditingSpec<Row> {
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  readonly columns: readonly GridColumn<Row>[];
  readonly readOnly: boolean;
  /** A cell got a new, valid value. The row is as it is now, or, where another changed the cell meanwhile, as it was when the editing began. */
  readonly onSave: (row: Row, columnId: string, value: unknown) => void;
  /** An editor opened in the table. */
  readonly onStart: (place: CellPlace) => void;
  /** It closed; the place is where the key that ended it leads, `null` = nowhere. */
  readonly onDone: (next: CellPlace | null) => void;
  /** Several cells were pasted into the editor, which has closed without a change. */
  readonly onSpread?: ((clip: PastedClip) => void) | undefined;
}

export interface CellEditingState<Row> {
  /** The rows with the one under edit where it was when that began. */
  readonly shown: readonly Row[];
  /** Where a row is among `shown`, looked for where it was last; −1 = it is not there. */
  readonly placeOf: (rowId: string, lastAt?: number) => number;
  readonly editing: { readonly rowId: string; readonly columnId: string; readonly at: number } | null;
  /** The cell that was saved last, until another is opened: what is refused there is said though the keyboard has gone on. */
  readonly saved: { readonly rowId: string; readonly columnId: string } | null;
  /** What the cell under edit is given; the same object until the end. */
  readonly editor: { readonly columnId: string; readonly cell: CellEditing } | null;
  /** Saves what is typed; false while it is not valid. */
  readonly commit: RefObject<(() => boolean) | null>;
  /** Opens the editor of a cell, with what was typed on it; false where there is none. */
  readonly start: (place: CellPlace, typed: string | null) => boolean;
}

const heldRow = <Row>(
  rows: readonly Row[],
  { rowId: id, at, row: before }: Editing<Row>,
  rowId: (row: Row) => string,
): readonly Row[] => {
  const there = rows[at];
  // Most often it stands where it stood: among 100,000 to take it out and put it back takes milliseconds.
  if (there && rowId(there) === id) return rows;
  const row = rows.find((one) => rowId(one) === id) ?? before;
  const others = rows.filter((one) => one !== row);
  return others.toSpliced(Math.min(at, others.length), 0, row);
};

/** One cell under edit at the most. Its row stays where it is, and nothing from outside touches the open editor. */
export const useCellEditing = <Row extends object>({
  rows,
  rowId,
  columns,
  readOnly,
  onSave,
  onStart,
  onDone,
  onSpread,
}: CellEditingSpec<Row>): CellEditingState<Row> => {
  const commit = useRef<() => boolean>(null);
  const [editing, setEditing] = useState<Editing<Row> | null>(null);
  const [saved, setSaved] = useState<CellEditingState<Row>['saved']>(null);
  const shown = useMemo(() => (editing ? heldRow(rows, editing, rowId) : rows), [rows, editing, rowId]);
  const [finder] = useState(placeFinder);
  const placeOf = (id: string, lastAt = 0): number => finder(shown, rowId, id, lastAt);

  const editorAt = ({ row: at, column: columnAt }: CellPlace) => {
    const [row, column] = [shown[at], columns[columnAt]];
    const isRow = row !== undefined && !isGroupLine(row);
    const editor: CellEditor | null = (!readOnly && isRow && column?.editor?.(row)) || null;
    return row && column && editor && { row, column, editor };
  };

  const start = (place: CellPlace, typed: string | null): boolean => {
    const found = editorAt(place);
    if (!found) return false;
    const { row, column, editor } = found;
    if (editor.kind === 'dialog') {
      if (typed !== null) return false;
      editor.open();
      return true;
    }
    onStart(place);
    setSaved(null);
    setEditing({ rowId: rowId(row), columnId: column.id, typed, at: place.row, row });
    return true;
  };

  const finish = (result: { value: unknown } | null, exit: EditorExit): void => {
    if (!editing) return;
    const { row: seen, columnId } = editing;
    const at = Math.max(0, placeOf(editing.rowId, editing.at));
    const row = shown[at];
    const column = columns.findIndex(({ id }) => id === columnId);
    setEditing(null);
    if (result && row) {
      setSaved({ rowId: editing.rowId, columnId });
      // What another person set meanwhile was never shown: the change then stands on the row as it was seen.
      const value = columns[column]?.value;
      onSave(value?.(seen) === value?.(row) ? row : seen, columnId, result.value);
    }
    const size = { rows: shown.length, columns: columns.length };
    onDone(exitFrom({ row: at, column }, exit, size, (place) => Boolean(editorAt(place))));
  };
  const latest = useRef({ finish, onSpread });
  useEffect(() => {
    latest.current = { finish, onSpread };
  });

  const spreads = onSpread !== undefined;
  const editor = useMemo(() => {
    // Taken once: what arrives meanwhile does not touch the open editor.
    const cellEditor = editing && columns.find(({ id }) => id === editing.columnId)?.editor?.(editing.row);
    if (!editing || !cellEditor) return null;
    const cell: CellEditing = {
      editor: cellEditor,
      typed: editing.typed,
      commit,
      onDone: (result, exit) => latest.current.finish(result, exit),
      onSpread: spreads
        ? (clip) => {
            latest.current.finish(null, 'stay');
            latest.current.onSpread?.(clip);
          }
        : undefined,
    };
    return { columnId: editing.columnId, cell };
  }, [editing, columns, spreads]);

  return { shown, placeOf, editing, saved, editor, commit, start };
};
