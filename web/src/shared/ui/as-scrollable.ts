/** For what scrolls and may hold nothing that takes the focus: the keyboard has to reach it to scroll it. */
export const asScrollable = (label: string) => ({ role: 'region', 'aria-label': label, tabIndex: 0 }) as const;
