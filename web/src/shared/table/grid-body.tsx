import type { CellLayout } from './column-layout.ts';
import { FigureRoomProvider, type useFigureRooms } from './figure-room.ts';
import { groupLineOf, placeInGroup } from './grid-groups.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import type { EditableGridProps } from './grid-props.ts';
import type { CellBlock } from './grid-range.ts';
import { GridRow } from './grid-row.tsx';
import { asRowGroup } from './roles.ts';
import type { CellEditingState } from './use-cell-editing.ts';
import type { useFlashes } from './use-flashes.ts';
import { heights, type RowsInSight } from './use-rows-in-sight.ts';

const GridGroupRow = lazyPart(async () => (await import('./grid-group-row.tsx')).GridGroupRow);

interface GridBodyProps<Row extends object>
  extends Pick<EditableGridProps<Row>, 'columns' | 'revealed' | 'rowId' | 'colleagues'>,
    Required<Pick<EditableGridProps<Row>, 'readOnly' | 'cellMark' | 'rowMark'>>,
    Pick<CellEditingState<Row>, 'editing' | 'saved' | 'editor'> {
  readonly layout: readonly CellLayout[];
  readonly inSight: RowsInSight<Row>;
  readonly flashes: ReturnType<typeof useFlashes>;
  readonly figureRooms: ReturnType<typeof useFigureRooms>;
  /** Its rows stand in groups. */
  readonly isGrouped: boolean;
  /** All rows of the page, and the lines of groups among them. */
  readonly shown: readonly Row[];
  /** Of this page, whose place is kept below. */
  readonly rowsToCome: number;
  /** How many rows stand on the pages before. */
  readonly offset: number;
  /** The first row is the revealed one, whose place is elsewhere. */
  readonly isOutOfPlace: boolean;
  readonly activeRow: number;
  readonly activeColumn: number;
  readonly selected: Pick<CellBlock<Row>, 'top' | 'bottom' | 'left' | 'right'> | null;
  /** Ids of the ticked rows. */
  readonly ticked: ReadonlySet<string>;
}

/** The rows that are in the document. */
export const GridBody = <Row extends object>(props: GridBodyProps<Row>) => {
  const { inSight, shown, isGrouped, offset, isOutOfPlace, activeRow, revealed, selected, editing, rowId, rowMark } =
    props;
  const isSelected = (index: number): boolean => selected !== null && index >= selected.top && index <= selected.bottom;
  const numberOf = (index: number): number | null => {
    if (isOutOfPlace && index === 0) return null;
    if (isGrouped) return placeInGroup(shown, index);
    return isOutOfPlace ? offset + index : offset + index + 1;
  };
  return (
    <FigureRoomProvider value={props.figureRooms}>
      <tbody
        {...asRowGroup}
        className="z-grid-body"
        data-incomplete={props.rowsToCome > 0 || undefined}
        style={{ height: inSight.height + props.rowsToCome * heights.row }}
      >
        {inSight.elements.map(({ key, id }) => {
          const found = inSight.rows.get(id);
          if (!found) return null;
          const { row, index } = found;
          const line = groupLineOf(row);
          if (line !== null)
            return (
              <GridGroupRow
                key={key}
                line={line}
                index={index}
                top={index * heights.row}
                columnCount={props.columns.length}
                active={index === activeRow ? props.activeColumn : null}
              />
            );
          return (
            <GridRow
              key={key}
              row={row}
              rowId={id}
              index={index}
              offset={offset}
              top={index * heights.row}
              number={numberOf(index)}
              isInGroup={isGrouped}
              isRevealed={revealed?.isMarked === true && rowId(revealed.row) === id}
              columns={props.columns}
              layout={props.layout}
              active={index === activeRow ? props.activeColumn : null}
              isTicked={props.ticked.has(id)}
              selectedFrom={isSelected(index) ? (selected?.left ?? -1) : -1}
              selectedTo={isSelected(index) ? (selected?.right ?? -1) : -1}
              editing={editing?.rowId === id ? props.editor : null}
              saved={props.saved?.rowId === id ? props.saved.columnId : null}
              readOnly={props.readOnly}
              mark={rowMark(row)}
              cellMark={props.cellMark}
              colleagues={props.colleagues?.get(id)}
              flashes={props.flashes.get(id)}
            />
          );
        })}
      </tbody>
    </FigureRoomProvider>
  );
};
