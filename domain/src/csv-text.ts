/** Signs in full width too, which some tables read as the narrow ones; an apostrophe, as one that stands before a text is taken off. */
const startsFormula = /^['=+\-@＝＋－＠\t\r\n]/u;
/** What a table that separates otherwise would take for a cell of its own, with a formula in it. */
const hidesFormula = /[,|\t][\s']*[=+\-@＝＋－＠]/u;

/** With a leading `'` where a table would take the text for a formula, or it begins with one; whoever reads it back takes one off. */
export const formulaSafe = (text: string): string => (startsFormula.test(text) ? `'${text}` : text);

const guarded = /^'['=+\-@＝＋－＠\t\r\n]/u;

/** The text of a cell that `formulaSafe` wrote. */
export const withoutGuard = (cell: string): string => (guarded.test(cell) ? cell.slice(1) : cell);

/** A text as a cell of a file whose cells `;` separates: in quotes where it holds the separator, a quote or a line's end, or hides a formula behind any other separator; see `formulaSafe` for one that begins with it. */
export const csvText = (text: string): string => {
  const safe = formulaSafe(text);
  return /[;"\r\n]/u.test(safe) || hidesFormula.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
