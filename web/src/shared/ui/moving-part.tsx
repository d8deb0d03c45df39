import { type ReactNode, useState } from 'react';
import { createPortal } from 'react-dom';

/**
 * A part of a screen that stands in one place or another, such as beside a list or over it, and stays the same part: what was typed in it and
 * what it asks are not lost on the way. `part` is drawn once for as long as it is wanted, after the places; it is seen where `place` is.
 */
export const useMovingPart = (children: ReactNode): { readonly part: ReactNode; readonly place: ReactNode } => {
  const [home] = useState(() => {
    const element = document.createElement('div');
    element.style.display = 'contents';
    return element;
  });
  const [settle] = useState(() => (place: HTMLElement | null) => place?.append(home));
  return { part: createPortal(children, home), place: <div ref={settle} /> };
};
