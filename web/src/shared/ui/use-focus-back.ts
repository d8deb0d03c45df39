import { useEffect, useState } from 'react';
import { focusAt, focusIsLost, type FocusPlace, focusPlaceOf, topModal } from './focus-place.ts';

/** What a dialog that has just gone gives the focus back to, until it has done so. */
let due: FocusPlace | null = null;

/** What has the focus now, or is about to get it; of a menu, which goes when something is chosen from it, the button that opened it. */
const openerPlace = (): FocusPlace | null => {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLElement) || activeElement === document.body) return due;
  const place = focusPlaceOf(activeElement);
  if (place !== null) return place;
  const opener = [...document.querySelectorAll<HTMLElement>('[aria-haspopup][aria-expanded="true"]')].at(-1);
  return opener ? focusPlaceOf(opener) : null;
};

/**
 * Gives the focus back to what had it when the dialog came, or to what stands there now, once the dialog has gone: Blueprint does so when
 * a dialog closes, not when it is taken away. Leaves it alone where something else has it by then, or another dialog lies over it. One
 * that comes as another goes, such as what the palette opens, gives it back to what had it before both.
 */
export const useFocusBack = (): void => {
  const [place] = useState(openerPlace);
  useEffect(() => {
    const back = place?.scope.isConnected ? place : due;
    return () => {
      due = back;
      requestAnimationFrame(() => {
        due = null;
        const over = topModal();
        if (back !== null && focusIsLost() && (over === null || over === back.scope)) focusAt(back);
      });
    };
  }, [place]);
};
