import type { ImportRow } from '@zakup/domain/import/import-row';

/** Rows that are written in one append. */
const rowsOfPart = 250;
/** Characters of them as JSON at most; an event of a log has well below a megabyte. */
const charactersOfPart = 150_000;

/** Rows as they are staged and written: part by part, in order. */
export const stagedParts = (rows: readonly ImportRow[]): readonly (readonly ImportRow[])[] => {
  const parts: ImportRow[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    const { length } = JSON.stringify(row);
    const last = parts.at(-1);
    if (last === undefined || last.length === rowsOfPart || characters + length > charactersOfPart) {
      parts.push([row]);
      characters = length;
    } else {
      last.push(row);
      characters += length;
    }
  }
  return parts;
};
