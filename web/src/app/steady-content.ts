import { type RefObject, useEffect } from 'react';

/**
 * Keeps what is in `content` where it is under the pointer, or under the hands of who types there, as a bar above comes, grows or goes: the
 * content is scrolled by as much as it was pushed, and has that much room more at its end.
 */
export const SteadyContent = ({
  bars,
  content,
}: {
  readonly bars: RefObject<HTMLElement | null>;
  readonly content: RefObject<HTMLElement | null>;
}): null => {
  useEffect(() => {
    const above = bars.current;
    const below = content.current;
    if (above === null || below === null || typeof ResizeObserver === 'undefined') return undefined;
    let height = above.offsetHeight;
    let begun = false;
    const observer = new ResizeObserver(() => {
      const moved = above.offsetHeight - height;
      height += moved;
      const isFirst = !begun;
      begun = true;
      if (isFirst || moved === 0) return;
      const isUsed =
        below.matches(':hover') || (document.activeElement !== below && below.contains(document.activeElement));
      if (isUsed && moved > 0) below.style.setProperty('--under-bars', `${height}px`);
      // Given back as the bar goes, wherever the pointer is by then.
      if (isUsed || moved < 0) below.scrollTop += moved;
      if (height === 0) below.style.removeProperty('--under-bars');
    });
    observer.observe(above);
    return () => observer.disconnect();
  }, [bars, content]);
  return null;
};
