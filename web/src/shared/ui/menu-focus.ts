import { Classes } from '@blueprintjs/core';

/** The keyboard goes on into a menu; `place`: what it is in. */
export const focusFirstItem = (place: HTMLElement): void =>
  place.querySelector<HTMLElement>('[role="menuitem"]')?.focus({ preventScroll: true });

/** The same for a menu that came after its popover had opened. Before that the popover has yet to see to what it gives the focus back. */
export const focusLateMenu = (menu: HTMLElement | null): void => {
  if (menu?.closest(`.${Classes.PORTAL}`)?.contains(document.activeElement)) focusFirstItem(menu);
};
