/**
 * Roles of the table and of lists that are steered from their field. Table elements laid out as a CSS grid lose their
 * meaning in some browsers, so each states it; there is no native element for the others.
 */
export const asGrid = { role: 'grid' } as const;
export const asRowGroup = { role: 'rowgroup' } as const;
export const asRow = { role: 'row' } as const;
export const asHeader = { role: 'columnheader' } as const;
export const asCell = { role: 'gridcell' } as const;
export const asListbox = { role: 'listbox' } as const;

/** One entry of a listbox that never has focus itself. */
export const asOption = (selected: boolean) => ({ role: 'option', 'aria-selected': selected, tabIndex: -1 }) as const;
