import { Search } from '@blueprintjs/icons';
import { lazy, Suspense, useEffect, useState } from 'react';
import type { PaletteAction } from './palette-item.ts';
import './palette.css';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));

const isEditing = (element: EventTarget | null): boolean =>
  element instanceof HTMLElement &&
  (element.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(element.tagName));

/** The search field of the top bar; it, Ctrl K and `/` open the palette. By code: the same keys in every keyboard layout. */
export const PaletteHost = ({ actions }: { readonly actions: readonly PaletteAction[] }) => {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const plain = !event.altKey && !event.shiftKey;
      const combined = plain && event.code === 'KeyK' && (event.ctrlKey || event.metaKey);
      const slash = plain && event.code === 'Slash' && !event.ctrlKey && !event.metaKey && !isEditing(event.target);
      if (event.defaultPrevented || !(combined || slash)) return;
      if (document.querySelector('[role="dialog"], [role="alertdialog"]')) return;
      event.preventDefault();
      setOpen(true);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <>
      <button
        type="button"
        className="z-palette-button"
        aria-label="Поиск и команды"
        aria-keyshortcuts="Control+K"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Search size={14} />
        <span>Поиск и команды</span>
        <kbd>Ctrl K</kbd>
      </button>
      {open && (
        <Suspense fallback={null}>
          <Palette actions={actions} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
};
