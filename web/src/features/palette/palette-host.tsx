import { Search } from '@blueprintjs/icons';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { ErrorBoundary } from '../../shared/ui/error-boundary.tsx';
import { FailedDialog } from '../../shared/ui/failed-dialog.tsx';
import { Palette } from './palette.tsx';
import type { PaletteAction } from './palette-item.ts';
import './palette.css';

const isEditing = (element: EventTarget | null): boolean =>
  element instanceof HTMLElement &&
  (element.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(element.tagName));

/**
 * The search field of the top bar; it, Ctrl K and `/` open the palette. By code: the same keys in every keyboard layout. Whoever presses
 * Ctrl K types on at once: the palette comes with the frame rather than when it is asked for, and its field has the focus before the event
 * of the key is over, so that the next key cannot come earlier.
 */
export const PaletteHost = ({ actions }: { readonly actions: readonly PaletteAction[] }) => {
  const [open, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const plain = !event.altKey && !event.shiftKey;
      const combined = plain && event.code === 'KeyK' && (event.ctrlKey || event.metaKey);
      const slash = plain && event.code === 'Slash' && !event.ctrlKey && !event.metaKey && !isEditing(event.target);
      if (event.defaultPrevented || !(combined || slash)) return;
      if (document.querySelector('[role="dialog"], [role="alertdialog"]')) return;
      event.preventDefault();
      flushSync(() => setOpen(true));
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <>
      <button
        type="button"
        className="z-palette-button"
        aria-keyshortcuts="Control+K"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Search size={14} />
        <span>Поиск и команды</span>
        <kbd>Ctrl K</kbd>
      </button>
      {open && (
        <ErrorBoundary renderFailed={(retry) => <FailedDialog onRetry={retry} onClose={close} />}>
          <Palette actions={actions} onClose={close} />
        </ErrorBoundary>
      )}
    </>
  );
};
