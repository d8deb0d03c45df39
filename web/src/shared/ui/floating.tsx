import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import './floating.css';

export interface FloatingProps {
  readonly anchor: HTMLElement | null;
  readonly children: ReactNode;
  readonly className?: string;
  /** At least as wide as the anchor. */
  readonly wide?: boolean;
  /** Escape was pressed inside. */
  readonly onEscape?: () => void;
}

const gap = 4;

/** What may lie over an anchor without taking it out of sight. */
const passing = '[data-floating], [data-told]';

/** Whether the middle of the anchor is scrolled away, or lies under something else. */
const isOutOfSight = (anchor: HTMLElement, { left, top, width, height }: DOMRect): boolean => {
  const there = document.elementFromPoint(left + width / 2, top + height / 2);
  return there === null || (!anchor.contains(there) && there.closest(passing) === null);
};

/** Puts the box beside the anchor; it is not seen while the anchor is not, and keeps the focus that may be in it. */
const putBeside = (box: HTMLElement, anchor: HTMLElement, wide: boolean): void => {
  const at = anchor.getBoundingClientRect();
  if (wide) box.style.minWidth = `${at.width}px`;
  const { offsetWidth, offsetHeight } = box;
  const below = at.bottom + gap + offsetHeight <= window.innerHeight;
  const top = below ? at.bottom + gap : Math.max(gap, at.top - gap - offsetHeight);
  const left = Math.max(gap, Math.min(at.left, window.innerWidth - offsetWidth - gap));
  box.style.transform = `translate(${left}px, ${top}px)`;
  box.toggleAttribute('data-out-of-sight', isOutOfSight(anchor, at));
};

/**
 * Shows its children below an element (above it where there is no room), out of reach of any scrolling box. It stays with the element
 * whatever moves that: a scroll, rows that come above it, a bar that opens.
 */
export const Floating = ({ anchor, children, className, wide = false, onEscape }: FloatingProps) => {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const box = ref.current;
    if (!anchor || !box) return undefined;
    let frame = 0;
    const follow = (): void => {
      putBeside(box, anchor, wide);
      frame = requestAnimationFrame(follow);
    };
    follow();
    return () => cancelAnimationFrame(frame);
  }, [anchor, wide]);
  useEffect(() => {
    const box = ref.current;
    if (!box || !onEscape) return undefined;
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      onEscape();
    };
    box.addEventListener('keydown', listen);
    return () => box.removeEventListener('keydown', listen);
  }, [onEscape]);
  return createPortal(
    <div ref={ref} className={['z-floating', className].filter(Boolean).join(' ')} data-floating="">
      {children}
    </div>,
    document.body,
  );
};
