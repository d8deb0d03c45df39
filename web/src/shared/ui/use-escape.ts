import { useEffect, useEffectEvent } from 'react';

const modals = '[role="dialog"][aria-modal="true"], [role="alertdialog"][aria-modal="true"]';

/**
 * Escape when the keyboard is nowhere: what had it went away or was switched off, and the page's body has it. Only the modal opened last
 * is asked; `titleId` is the element that names it.
 */
export const useEscape = (titleId: string, onEscape: () => void): void => {
  const escape = useEffectEvent(onEscape);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.target !== document.body) return;
      const own = document.getElementById(titleId)?.closest(modals);
      if (!own || [...document.querySelectorAll(modals)].at(-1) !== own) return;
      event.preventDefault();
      escape();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [titleId]);
};
