import { useEffect, useEffectEvent } from 'react';

const modals = '[role="dialog"][aria-modal="true"], [role="alertdialog"][aria-modal="true"]';

/** What stands over the page. */
const over = '.bp6-portal';

/**
 * Escape when the keyboard is not in the modal: it did not come there yet, or what had it went away or was switched off, and the page behind
 * has it, or its body. Only the modal opened last is asked; `titleId` is the element that names it.
 */
export const useEscape = (titleId: string, onEscape: () => void): void => {
  const escape = useEffectEvent(onEscape);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest(over) !== null) return;
      const own = document.getElementById(titleId)?.closest(modals);
      if (!own || [...document.querySelectorAll(modals)].at(-1) !== own) return;
      event.preventDefault();
      escape();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [titleId]);
};
