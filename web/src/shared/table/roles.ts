/** Roles of the table: elements of tables that are laid out as a CSS grid lose their meaning in some browsers, so each states it. */
export const asGrid = { role: 'grid' } as const;
/** Of a table whose rows stand in groups that open and close. */
export const asTreeGrid = { role: 'treegrid' } as const;
export const asRowGroup = { role: 'rowgroup' } as const;
export const asRow = { role: 'row' } as const;
export const asHeader = { role: 'columnheader' } as const;
export const asCell = { role: 'gridcell' } as const;
