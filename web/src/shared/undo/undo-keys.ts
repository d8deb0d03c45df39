import { useEffect, useEffectEvent } from 'react';

/** Where the keys belong to the text that is typed, something else asks first, or the screen shows the past. */
const isTaken = (target: EventTarget | null): boolean =>
  (target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null) ||
  document.querySelector('[role="dialog"], [role="alertdialog"]') !== null ||
  'past' in document.documentElement.dataset;

/** Ctrl+Z undoes, Ctrl+Shift+Z and Ctrl+Y repeat, wherever the keyboard is but in a field or a dialog. */
export const useUndoKeys = (onKey: (way: 'undo' | 'redo') => void): void => {
  const run = useEffectEvent(onKey);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { code, ctrlKey, metaKey, altKey, shiftKey, target } = event;
      // By code: the same key in every keyboard layout.
      const isRedo = (code === 'KeyZ' && shiftKey) || (code === 'KeyY' && !shiftKey);
      const isUndo = code === 'KeyZ' && !shiftKey;
      if ((!isUndo && !isRedo) || !(ctrlKey || metaKey) || altKey || isTaken(target)) return;
      event.preventDefault();
      event.stopPropagation();
      run(isUndo ? 'undo' : 'redo');
    };
    // Before the table, which has keys of its own.
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, []);
};
