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

/** Shows its children below an element (above it where there is no room), out of reach of any scrolling box. */
export const Floating = ({ anchor, children, className, wide = false, onEscape }: FloatingProps) => {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const box = ref.current;
    if (!anchor || !box) return undefined;
    const place = (): void => {
      const at = anchor.getBoundingClientRect();
      const { offsetWidth, offsetHeight } = box;
      const below = at.bottom + gap + offsetHeight <= window.innerHeight;
      const top = below ? at.bottom + gap : Math.max(gap, at.top - gap - offsetHeight);
      const left = Math.max(gap, Math.min(at.left, window.innerWidth - offsetWidth - gap));
      if (wide) box.style.minWidth = `${at.width}px`;
      box.style.transform = `translate(${left}px, ${top}px)`;
    };
    place();
    window.addEventListener('scroll', place, { capture: true, passive: true });
    window.addEventListener('resize', place);
    const observer = new ResizeObserver(place);
    observer.observe(box);
    return () => {
      window.removeEventListener('scroll', place, { capture: true });
      window.removeEventListener('resize', place);
      observer.disconnect();
    };
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
