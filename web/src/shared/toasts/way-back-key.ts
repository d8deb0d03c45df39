import { useEffect } from 'react';
import { toastStore, toasts } from './toasts.ts';

/** Where Ctrl+Z belongs to the text that is typed, or something else asks first. */
const isTaken = (target: EventTarget | null): boolean =>
  (target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null) ||
  document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;

/**
 * Ctrl+Z takes back what the newest toast offers back, wherever the keyboard is but in a field or a dialog. With the screens of the person
 * who took it away the offers go.
 */
export const useWayBackKey = (): void => {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { code, ctrlKey, metaKey, altKey, shiftKey, target } = event;
      // By code: the same key in every keyboard layout.
      if (code !== 'KeyZ' || !(ctrlKey || metaKey) || altKey || shiftKey || isTaken(target)) return;
      const offer = toastStore.read().shown.findLast(({ wayBack }) => wayBack);
      if (offer?.action === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      toasts.dismiss(offer.id);
      offer.action.run();
    };
    // Before the table, which has keys of its own.
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => {
      window.removeEventListener('keydown', onKeyDown, { capture: true });
      toasts.withdrawWaysBack();
    };
  }, []);
};
