import { type RefObject, useEffect } from 'react';

/** After so long a finger that has not moved asks for the menu, in ms; later than browsers that ask for it themselves. */
const longPress = 700;
/** How far it may move meanwhile, in px. */
const slack = 10;

/** A finger that rests on a cell asks for its menu, also where the browser does not ask for one (Safari). */
export const useLongPress = (scroller: RefObject<HTMLElement | null>): void => {
  useEffect(() => {
    const grid = scroller.current;
    if (!grid) return undefined;
    const listening = new AbortController();
    const on = { signal: listening.signal, capture: true };
    let timer: number | undefined;
    let from = { x: 0, y: 0 };
    let isAsked = false;
    let isOwn = false;
    const stop = (): void => window.clearTimeout(timer);

    grid.addEventListener(
      'pointerdown',
      ({ pointerType, clientX, clientY, target, isPrimary }) => {
        stop();
        isAsked = false;
        const cell = target instanceof Element ? target.closest('[data-column]') : null;
        if (pointerType !== 'touch' || !isPrimary || cell === null) return;
        from = { x: clientX, y: clientY };
        timer = window.setTimeout(() => {
          isOwn = true;
          const asking = new MouseEvent('contextmenu', {
            bubbles: true,
            cancelable: true,
            clientX,
            clientY,
            button: 2,
            view: window,
          });
          isAsked = !cell.dispatchEvent(asking);
          isOwn = false;
        }, longPress);
      },
      on,
    );
    grid.addEventListener(
      'pointermove',
      ({ clientX, clientY }) => {
        if (Math.hypot(clientX - from.x, clientY - from.y) > slack) stop();
      },
      on,
    );
    for (const type of ['pointerup', 'pointercancel', 'scroll'] as const) grid.addEventListener(type, stop, on);
    grid.addEventListener(
      'contextmenu',
      (event) => {
        stop();
        if (isOwn || !isAsked) return;
        // It was asked for already.
        event.preventDefault();
        event.stopPropagation();
      },
      on,
    );
    // Else the finger that goes presses what the menu has under it.
    grid.addEventListener(
      'touchend',
      (event) => {
        if (isAsked && event.cancelable) event.preventDefault();
      },
      { ...on, passive: false },
    );
    return () => {
      stop();
      listening.abort();
    };
  }, [scroller]);
};
