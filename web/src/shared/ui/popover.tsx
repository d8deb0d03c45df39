import { PopoverNext, type PopoverNextProps, type PopoverNextRef } from '@blueprintjs/core';
import { type RefAttributes, useState } from 'react';

/**
 * A floating part tied to a button. It goes at once and gives the focus back: one that fades away would swallow the keys of whoever
 * types on, Escape above all.
 */
export const Popover = ({ onOpening, onClosing, ...props }: PopoverNextProps & RefAttributes<PopoverNextRef>) => {
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
