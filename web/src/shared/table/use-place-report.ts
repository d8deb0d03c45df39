import { useEffect } from 'react';
import type { GridPlace } from './grid-column.ts';

/** Tells in which cell the person stands, and that there is none, each time that changes and at the end. */
export const usePlaceReport = (
  {
    rowId,
    columnId,
    editing,
  }: { readonly rowId: string | null; readonly columnId: string | null; readonly editing: boolean },
  onPlaceChange: ((place: GridPlace | null) => void) | undefined,
): void => {
  useEffect(() => {
    onPlaceChange?.(rowId === null || columnId === null ? null : { rowId, columnId, editing });
  }, [onPlaceChange, rowId, columnId, editing]);
  useEffect(() => () => onPlaceChange?.(null), [onPlaceChange]);
};
