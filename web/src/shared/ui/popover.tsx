import { PopoverNext, type PopoverNextProps } from '@blueprintjs/core';
import { useState } from 'react';

/**
 * A floating part tied to a button. It goes at once and gives the focus back: one that fades away would swallow the keys of whoever
 * types on, Escape above all.
 */
export const Popover = ({ onOpening, onClosing, ...props }: PopoverNextProps) => {
  const [closing, setClosing] = useState(false);
  return (
    <PopoverNext
      inheritDarkTheme={false}
      transitionDuration={0}
      canEscapeKeyClose={!closing}
      onOpening={(popover) => {
        setClosing(false);
        onOpening?.(popover);
      }}
      onClosing={(popover) => {
        setClosing(true);
        onClosing?.(popover);
      }}
      {...props}
    />
  );
};
