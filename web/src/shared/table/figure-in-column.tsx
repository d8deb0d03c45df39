import { shortFigure } from '@zakup/domain/short-figure';
import { useFigureRoom } from './figure-room.ts';

/** What stands in a column for a figure that has no room there beside so many px of other things; null = it is whole. */
export const useShortInColumn = (text: string, column: string, beside = 0): string | null => {
  const known = useFigureRoom(column);
  return known === null || known.widthOf(text) + beside <= known.room ? null : shortFigure(text);
};

/** A figure in a column of a table: whole where the column has room for it, else shortened, and told whole to whoever points at it or has it read. */
export const FigureInColumn = ({ children: text, column }: { readonly children: string; readonly column: string }) => {
  const short = useShortInColumn(text, column);
  if (short === null) return text;
  return (
    <span title={text}>
      <span aria-hidden="true">{short}</span>
      <span className="z-visually-hidden">{text}</span>
    </span>
  );
};

/** An earlier figure is written a size smaller, and so far from the figure of now. */
const sizeBefore = 12 / 13;
const gapAfter = 6;

/** What a figure was, beside what it is now (`shown`): it gives way to that, shortened where it has no room, else not there. */
export const FigureBefore = ({
  children: text,
  column,
  shown,
}: {
  readonly children: string;
  readonly column: string;
  readonly shown: string;
}) => {
  const known = useFigureRoom(column);
  const fits = (was: string | null): boolean =>
    known === null || known.widthOf(was ?? '') * sizeBefore + gapAfter + known.widthOf(shown) <= known.room;
  const written = [text, shortFigure(text)].find((was) => was !== null && fits(was));
  return written === undefined ? null : <s className="z-grid-was">{written}</s>;
};
