/** Roles of lists that are steered from their field, for which there is no native element. */
export const asListbox = { role: 'listbox' } as const;

/** Entries of a listbox under one heading. */
export const asGroup = { role: 'group' } as const;

/** One entry of a listbox that never has focus itself. */
export const asOption = (selected: boolean) => ({ role: 'option', 'aria-selected': selected, tabIndex: -1 }) as const;
