import { useCallback, useState } from 'react';
import { keepItem } from '../../../shared/storage/keep-item.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { useMedia } from '../../../shared/ui/use-media.ts';

const key = 'cardSwipeKnown';

/** Whether this browser's person knows that cards can be drawn, or has no finger to do it with; and a way to say that they know. */
export const useSwipeHint = (): readonly [boolean, () => void] => {
  const isTouched = useMedia('(pointer: coarse)');
  const [isKnown, setKnown] = useState(() => localStorage.getItem(key) !== null);
  const learn = useCallback(() => {
    setKnown(true);
    // Where there is no room it is told once more the next time.
    keepItem(localStorage, key, '1');
  }, []);
  return [isKnown || !isTouched, learn];
};

/** Says once that a card can be drawn. */
export const SwipeHint = ({ onClose }: { readonly onClose: () => void }) => (
  <div className="z-swipe-hint">
    <span>Потяните карточку вправо, чтобы отметить оплату</span>
    <Button look="plain" onClick={onClose}>
      Понятно
    </Button>
  </div>
);
