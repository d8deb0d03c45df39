/** The keyboard goes on into a menu that came; `place`: the menu, or what it is in. */
export const focusFirstItem = (place: HTMLElement | null): void =>
  place?.querySelector<HTMLElement>('[role="menuitem"]')?.focus({ preventScroll: true });
