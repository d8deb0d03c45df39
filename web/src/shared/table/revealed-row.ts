/** A row that is on screen wherever the order has it. */
export interface RevealedRow<Row> {
  readonly row: Row;
  /** Whose cell is gone to; null = the first. */
  readonly columnId?: string | null;
  /** Another one each time it is to be gone to. */
  readonly turn: number;
  /** It is none of the rows that are shown otherwise. */
  readonly isOutside: boolean;
  /** It is to catch the eye. */
  readonly isMarked: boolean;
}

/** The rows of a page with the revealed one in its place, or before all others where that is elsewhere. */
export const withRevealed = <Row>(
  part: readonly Row[],
  revealed: RevealedRow<Row> | null,
  rowId: (row: Row) => string,
): { readonly rows: readonly Row[]; readonly isOutOfPlace: boolean } => {
  if (revealed === null) return { rows: part, isOutOfPlace: false };
  const id = rowId(revealed.row);
  const others = part.filter((row) => rowId(row) !== id);
  const isInPlace = others.length < part.length && !revealed.isOutside;
  return isInPlace ? { rows: part, isOutOfPlace: false } : { rows: [revealed.row, ...others], isOutOfPlace: true };
};
