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

/** What may lie over an anchor without taking it out of sight; a dialog, a drawer and what they lay over the page may not. */
const passing = '[data-floating], [data-told], .bp6-popover';

/**
 * Whether the middle of the place, which is the anchor's or within it, is scrolled away or lies under something else. `over`: selects
 * parts of the anchor that lie over others of it.
 */
export const isOutOfSight = (anchor: Element, { left, top, width, height }: DOMRect, over?: string): boolean => {
  const there = document.elementFromPoint(left + width / 2, top + height / 2);
  if (there === null) return true;
  if (anchor.contains(there)) return over !== undefined && there.closest(over) !== null;
  return there.closest(passing) === null;
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

/** What may move an element or what lies over it: anything in the page that comes, goes or is drawn otherwise, a scroll, the end of a motion. */
const moves = { childList: true, subtree: true, characterData: true, attributes: true } as const;
const motions = ['scroll', 'transitionend', 'animationend'] as const;

/**
 * Calls `follow` at once and before each frame for which anything may have moved; answers how to end that. Not in every frame: a page that
 * asks for one after the other never rests, and is told to answer late where nothing of them is painted.
 */
export const followMoves = (follow: () => void): (() => void) => {
  let frame = 0;
  const soon = (): void => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      follow();
      // What it changed itself moves nothing.
      observer.takeRecords();
    });
  };
  const observer = new MutationObserver(soon);
  follow();
  observer.observe(document.body, moves);
  for (const motion of motions) document.addEventListener(motion, soon, { capture: true, passive: true });
  window.addEventListener('resize', soon);
  return () => {
    observer.disconnect();
    for (const motion of motions) document.removeEventListener(motion, soon, { capture: true });
    window.removeEventListener('resize', soon);
    cancelAnimationFrame(frame);
  };
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
    return followMoves(() => putBeside(box, anchor, wide));
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
