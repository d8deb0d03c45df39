import type { ComponentProps, JSX, ReactNode } from 'react';
import { Popover } from './popover.tsx';
import { focusFirstItem } from './menu-focus.ts';
import { Skeleton } from './states.tsx';
import { usePreload } from './use-preload.ts';
import '../theme/blueprint.css';

/** Stands in the place of a menu whose code is loaded when it is opened. */
export const menuWaiting = (rows: number): ReactNode => (
  <div className="z-menu-waiting">
    <Skeleton rows={rows} height={30} label="Загрузка меню" />
  </div>
);

/** A button that opens a menu; the keyboard goes on into the menu. */
export const MenuButton = ({
  menu,
  preload,
  placement = 'bottom-end',
  isOpen,
  onOpenChange,
  onClosed,
  children,
  ...button
}: Omit<ComponentProps<'button'>, 'ref' | 'type'> & {
  readonly menu: JSX.Element;
  /** Loads the code of the menu, where it is not loaded with the button; stable. */
  readonly preload?: () => void;
  readonly placement?: 'bottom-start' | 'bottom-end';
  /** Absent = the button alone opens and closes it. */
  readonly isOpen?: boolean;
  readonly onOpenChange?: (isOpen: boolean) => void;
  /** The menu is gone and the button has the focus back: what opens now keeps it. */
  readonly onClosed?: () => void;
  readonly children: ReactNode;
}) => {
  usePreload(preload);
  return (
    <Popover
      placement={placement}
      arrow={false}
      {...(isOpen !== undefined && { isOpen })}
      {...(onOpenChange && { onInteraction: onOpenChange })}
      {...(onClosed && { onClosed })}
      onOpened={focusFirstItem}
      content={menu}
      renderTarget={({ isOpen: opened, ref, ...target }) => (
        <button
          {...target}
          onPointerEnter={preload}
          onFocus={preload}
          {...button}
          ref={ref}
          type="button"
          aria-haspopup="menu"
          aria-expanded={opened}
        >
          {children}
        </button>
      )}
    />
  );
};
