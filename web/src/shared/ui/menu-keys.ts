import type { KeyboardEvent } from 'react';

const steps: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** Arrows, Home and End go through the items of a menu. */
export const onMenuKey = (event: KeyboardEvent<HTMLElement>): void => {
  const step = steps[event.key];
  if (!step) return;
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitem"]:not([aria-disabled="true"])')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  items[step(at, items.length)]?.focus();
  event.preventDefault();
};
