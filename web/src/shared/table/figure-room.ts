import { createContext, type RefObject, useContext, useLayoutEffect, useState } from 'react';
import { figureWidths, forgetFigureWidths } from './figure-width.ts';

/** What stands in the columns of a table has room there; asking reads nothing of the page. */
export interface FigureRooms {
  /** In px, by the column's id. */
  readonly rooms: ReadonlyMap<string, number>;
  readonly widthOf: (text: string) => number;
}

/** Widths of characters are rounded, and the browser's of a text is not their sum to the last bit. */
const roundingOff = 0.5;

const FigureRoomContext = createContext<FigureRooms | null>(null);
export const FigureRoomProvider = FigureRoomContext.Provider;

/** The room of one column, in px, and how wide a figure is there; null = nothing is known of it. */
export const useFigureRoom = (columnId: string): { readonly room: number; widthOf: FigureRooms['widthOf'] } | null => {
  const known = useContext(FigureRoomContext);
  const room = known?.rooms.get(columnId);
  return known === null || room === undefined ? null : { room: room + roundingOff, widthOf: known.widthOf };
};

const roomIn = (cell: HTMLElement): number => {
  const { paddingLeft, paddingRight } = getComputedStyle(cell);
  return cell.clientWidth - (Number.parseFloat(paddingLeft) || 0) - (Number.parseFloat(paddingRight) || 0);
};

const isSame = (one: FigureRooms, other: FigureRooms): boolean =>
  [...one.rooms].every(([id, room]) => other.rooms.get(id) === room) && one.widthOf('0') === other.widthOf('0');

/** Measures the columns by their headings: once, and again as the table or the font becomes another. Stable `columns`. */
export const useFigureRooms = (
  table: RefObject<HTMLElement | null>,
  columns: readonly { readonly id: string }[],
): FigureRooms | null => {
  const [known, setKnown] = useState<FigureRooms | null>(null);
  useLayoutEffect(() => {
    const place = table.current;
    if (place === null) return undefined;
    const heads = [...place.querySelectorAll<HTMLElement>('th')];
    const look = (): void => {
      // Out of sight nothing has a width.
      const rooms = new Map<string, number>();
      for (const [at, { id }] of columns.entries()) {
        const room = heads[at] ? roomIn(heads[at]) : 0;
        if (room > 0) rooms.set(id, room);
      }
      const now = { rooms, widthOf: figureWidths(place) };
      setKnown((old) => (old && old.rooms.size === rooms.size && isSame(old, now) ? old : now));
    };
    look();
    const watch = new ResizeObserver(look);
    for (const head of heads) watch.observe(head);
    const onFont = (): void => {
      forgetFigureWidths();
      look();
    };
    document.fonts?.addEventListener('loadingdone', onFont);
    return () => {
      watch.disconnect();
      document.fonts?.removeEventListener('loadingdone', onFont);
    };
  }, [table, columns]);
  return known;
};
