/** Which of the two lists of a lineage a page is of. */
export type LineList = 'counted' | 'leftOut';

/** Where a list goes on: after so many of its lines, as they were at a position. */
export interface LineCursor {
  readonly list: LineList;
  readonly position: number;
  readonly offset: number;
}

const form = /^(counted|leftOut)-(\d{1,15})-(\d{1,9})$/u;

export const cursorText = ({ list, position, offset }: LineCursor): string => `${list}-${position}-${offset}`;

/** Null = it is none of ours. */
export const parseCursor = (text: string): LineCursor | null => {
  const [, list, position, offset] = form.exec(text) ?? [];
  return list === undefined ? null : { list: list as LineList, position: Number(position), offset: Number(offset) };
};

/** Which lines of each list are wanted; null = none of it. */
export interface Slices {
  readonly counted: number | null;
  readonly leftOut: number | null;
  readonly limit: number;
}

/** Of both lists the page of this number, or what follows the cursor in its own. */
export const slicesOf = ({
  cursor,
  page,
  pageSize,
}: {
  readonly cursor?: string | undefined;
  readonly page: number;
  readonly pageSize: number;
}): Slices => {
  const from = cursor === undefined ? null : parseCursor(cursor);
  if (from === null) return { counted: (page - 1) * pageSize, leftOut: (page - 1) * pageSize, limit: pageSize };
  return {
    counted: from.list === 'counted' ? from.offset : null,
    leftOut: from.list === 'leftOut' ? from.offset : null,
    limit: pageSize,
  };
};

/** The cursor behind a page; null = nothing is left. */
export const nextCursor = (
  list: LineList,
  {
    offset,
    shown,
    total,
    position,
  }: { readonly offset: number | null; readonly shown: number; readonly total: number; readonly position: number },
): string | null =>
  offset === null || shown === 0 || offset + shown >= total
    ? null
    : cursorText({ list, position, offset: offset + shown });
