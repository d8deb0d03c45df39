import { type CSSProperties, useMemo, useRef, useState } from 'react';
import { columnLayout } from './column-layout.ts';
import { useFigureRooms } from './figure-room.ts';
import { GridBody } from './grid-body.tsx';
import { GridHead, GridTotals } from './grid-ends.tsx';
import type { EditableGridProps } from './grid-props.ts';
import { asGrid, asTreeGrid } from './roles.ts';
import { useEditableGrid } from './use-editable-grid.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import './grid.css';

/** Without it a finger selects no range, and all else is as before. */
const RangeHandle = lazyPart(async () => (await import('./range-handle.tsx')).RangeHandle, { failed: () => null });

/**
 * The table: one Tab stop; arrows move, Enter, F2, double click or typing edit, Enter saves and goes down, Escape restores, Tab saves and
 * goes on; Shift, the mouse and a finger on the corner of what is selected select a range, which is copied, filled and cleared as one. Rows are virtual, the row under edit stays where
 * it is, and nothing from outside touches an open editor.
 */
export const EditableGrid = <Row extends object>(props: EditableGridProps<Row>) => {
  const { label, rows, rowId, columns, sorting, readOnly = false, revealed = null, totals, empty } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const grid = useEditableGrid(props, scroller);
  const { cellEditing, active, inSight, offset } = grid;
  const { shown, editing, editor } = cellEditing;
  const { template, wide, least, cells } = useMemo(() => columnLayout(columns), [columns]);
  const [isTouched, setIsTouched] = useState(false);
  const figureRooms = useFigureRooms(scroller, columns);
  const isGrouped = (props.groups ?? null) !== null;
  const rowCount = isGrouped ? shown.length : Math.max(props.rowCount ?? rows.length, offset + shown.length);
  return (
    <div ref={scroller} className="z-grid">
      <table
        {...(isGrouped ? asTreeGrid : asGrid)}
        {...grid.events}
        onPointerDown={(event) => {
          inSight.onPointerDown(event);
          setIsTouched(event.pointerType === 'touch');
        }}
        aria-label={label}
        aria-rowcount={rowCount + 1 + (totals ? 1 : 0)}
        aria-colcount={columns.length}
        aria-multiselectable
        {...(readOnly && { 'aria-readonly': true })}
        className="z-grid-table"
        data-ticked={grid.selection.ticked.size > 0 || undefined}
        data-empty={shown.length === 0 || undefined}
        style={{ '--columns': template, '--columns-wide': wide, minWidth: least } as CSSProperties}
      >
        <GridHead
          columns={columns}
          layout={cells}
          sorting={sorting}
          active={active.row < 0 ? active.column : null}
          onSort={grid.sortBy}
        />
        <GridBody
          columns={columns}
          layout={cells}
          rowId={rowId}
          inSight={inSight}
          isGrouped={isGrouped}
          shown={shown}
          rowsToCome={props.page ? 0 : rowCount - shown.length}
          flashes={grid.flashes}
          figureRooms={figureRooms}
          offset={offset}
          isOutOfPlace={grid.isOutOfPlace}
          activeRow={active.row}
          activeColumn={active.column}
          selected={grid.selection.block}
          ticked={grid.selection.ticked}
          revealed={revealed}
          editing={editing}
          saved={grid.cellEditing.saved}
          editor={editor}
          readOnly={readOnly}
          cellMark={grid.cellMark}
          rowMark={grid.rowMark}
          {...(props.colleagues && { colleagues: props.colleagues })}
        />
        {totals && shown.length > 0 && (
          <GridTotals columns={columns} layout={cells} cells={totals} rowIndex={rowCount + 2} />
        )}
      </table>
      {isTouched && active.row >= 0 && editing === null && (
        <RangeHandle
          scroller={scroller}
          block={
            grid.selection.block ?? {
              top: active.row,
              bottom: active.row,
              left: active.column,
              right: active.column,
            }
          }
          rowCount={shown.length}
          onDraw={grid.selectFrom}
        />
      )}
      {shown.length === 0 && empty}
      {props.tools}
    </div>
  );
};
