/** The cells of a table as its document has them. */
export const cellSelector = '[role="gridcell"], [role="columnheader"]';
export const controlSelector = 'button, a, input';

/** Which cell an element is in; the row is that of a `data-row`, absent in the header. `null` = in none of this table. */
export const cellOfElement = (
  target: EventTarget,
  scroller: HTMLElement | null,
): { readonly rowId: string | null; readonly column: number } | null => {
  const cell = (target as Element).closest<HTMLElement>('[data-column]');
  if (!cell || !scroller?.contains(cell)) return null;
  return {
    rowId: cell.closest<HTMLElement>('[data-row]')?.dataset['row'] ?? null,
    column: Number(cell.dataset['column']),
  };
};

/** The number of a row, or the sign above the numbers, that an element is in. */
export const numberAt = (target: EventTarget): Element | null => (target as Element).closest('[data-number]');
