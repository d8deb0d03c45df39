import { type RefObject, useEffect } from 'react';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;

/** Ctrl+F inside the table searches in it; «?» anywhere but in a field and above dialogs lists the keys. */
export const useTableKeys = (
  section: RefObject<HTMLElement | null>,
  search: RefObject<HTMLInputElement | null>,
  onKeys: () => void,
): void => {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { target, code, key, ctrlKey, metaKey, altKey } = event;
      // By code: the same key in every keyboard layout.
      if (code === 'KeyF' && (ctrlKey || metaKey) && !altKey && !event.shiftKey) {
        if (!(target instanceof Node) || !section.current?.contains(target)) return;
        event.preventDefault();
        if (search.current) search.current.select();
        else section.current.querySelector<HTMLElement>('[data-search]')?.click();
        return;
      }
      if (key !== '?' || ctrlKey || metaKey || altKey || isTyping(target)) return;
      if (document.querySelector('[role="dialog"], [role="alertdialog"]')) return;
      event.preventDefault();
      event.stopPropagation();
      onKeys();
    };
    // Before the table, which would begin to edit.
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [section, search, onKeys]);
};
