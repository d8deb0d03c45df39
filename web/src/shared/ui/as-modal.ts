/** For what a drawer holds: Blueprint gives it the focus, but neither role nor name. */
export const asModal = (label: string) => ({ role: 'dialog', 'aria-modal': true, 'aria-label': label }) as const;
