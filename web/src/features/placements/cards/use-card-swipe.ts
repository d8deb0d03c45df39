import { type PointerEvent, useCallback, useRef } from 'react';

/** From here on, in px, letting go does it. */
const enough = 96;
/** So far a finger may tremble, in px, before it is known which way it goes. */
const tremble = 10;
/** Beside the edges of the screen, in px, a finger means the browser's way back. */
const edge = 24;

interface Swipe {
  readonly pointerId: number;
  readonly x: number;
  readonly y: number;
  /** It goes to the right: the card follows it, and says this behind it. Null = not yet. */
  label: string | null;
}

const reachOf = (swipe: Swipe, { clientX }: PointerEvent): number => Math.max(0, clientX - swipe.x - tremble);

/**
 * Draws a card to the right under a finger, and does what is told once it is let go far enough; back to the left, up and down it does
 * nothing, nor where letting go would do something else than was said when it began. `label`: what letting go does, shown behind the card. The
 * mouse has its button. Null = it cannot be drawn now.
 */
export const useCardSwipe = (swipe: { readonly label: string; readonly run: () => void } | null) => {
  const going = useRef<Swipe | null>(null);
  const rest = (card: HTMLElement): void => {
    going.current = null;
    delete card.dataset['swipe'];
    delete card.dataset['swiped'];
    card.style.removeProperty('--swipe');
  };
  /** The swipe that an event belongs to, if any. */
  const swipeOf = ({ pointerId }: PointerEvent): Swipe | null =>
    going.current?.pointerId === pointerId ? going.current : null;
  /** A finger that draws a card flings nothing: to a browser that thinks so, the next tap only ends the fling. */
  const withoutFling = useCallback((card: HTMLElement) => {
    const prevent = (event: TouchEvent): void => {
      if (event.cancelable && typeof going.current?.label === 'string') event.preventDefault();
    };
    card.addEventListener('touchmove', prevent, { passive: false });
    return () => card.removeEventListener('touchmove', prevent);
  }, []);
  return {
    ref: withoutFling,
    'data-swipes': swipe === null ? undefined : '',
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const { pointerType, isPrimary, pointerId, clientX: x, clientY: y } = event;
      rest(event.currentTarget);
      if (swipe === null || pointerType === 'mouse' || !isPrimary || x < edge || x > window.innerWidth - edge) return;
      going.current = { pointerId, x, y, label: null };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const current = swipeOf(event);
      const card = event.currentTarget;
      if (current === null) return;
      if (swipe === null || (current.label !== null && current.label !== swipe.label)) return rest(card);
      const [right, down] = [event.clientX - current.x, Math.abs(event.clientY - current.y)];
      if (current.label === null) {
        if (Math.max(Math.abs(right), down) <= tremble) return;
        if (right <= down) return rest(card);
        current.label = swipe.label;
        card.setPointerCapture?.(current.pointerId);
        card.dataset['swipe'] = swipe.label;
      }
      const reach = reachOf(current, event);
      card.style.setProperty('--swipe', `${Math.min(reach, enough * 1.5)}px`);
      card.toggleAttribute('data-swiped', reach >= enough);
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const current = swipeOf(event);
      if (current === null) return;
      const isFar = current.label !== null && reachOf(current, event) >= enough;
      rest(event.currentTarget);
      if (isFar && swipe?.label === current.label) swipe.run();
    },
    onPointerCancel: ({ currentTarget }: PointerEvent<HTMLElement>) => rest(currentTarget),
  };
};
