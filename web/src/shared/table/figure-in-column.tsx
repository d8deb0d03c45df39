import { shortFigure } from '@zakup/domain/short-figure';

/**
 * A figure in a column of a fixed width: whole up to so many characters, else shortened, and told whole to whoever points at it or has it
 * read. Nothing is measured: rows are drawn while the table is scrolled.
 */
export const FigureInColumn = ({ children: text, most }: { readonly children: string; readonly most: number }) => {
  const short = text.length > most ? shortFigure(text) : null;
  if (short === null) return text;
  return (
    <span title={text}>
      <span aria-hidden="true">{short}</span>
      <span className="z-visually-hidden">{text}</span>
    </span>
  );
};
