import type { ComponentProps, JSX, ReactNode } from 'react';
import { Popover } from './popover.tsx';
import '../theme/blueprint.css';

/** A button that opens a menu; the keyboard goes on into the menu. */
export const MenuButton = ({
  menu,
  placement = 'bottom-end',
  isOpen,
  onOpenChange,
  onClosed,
  children,
  ...button
}: Omit<ComponentProps<'button'>, 'ref' | 'type'> & {
  readonly menu: JSX.Element;
  readonly placement?: 'bottom-start' | 'bottom-end';
  /** Absent = the button alone opens and closes it. */
  readonly isOpen?: boolean;
  readonly onOpenChange?: (isOpen: boolean) => void;
  /** The menu is gone and the button has the focus back: what opens now keeps it. */
  readonly onClosed?: () => void;
  readonly children: ReactNode;
}) => (
  <Popover
    placement={placement}
    arrow={false}
    {...(isOpen !== undefined && { isOpen })}
    {...(onOpenChange && { onInteraction: onOpenChange })}
    {...(onClosed && { onClosed })}
    onOpened={(popover) => popover.querySelector<HTMLElement>('[role="menuitem"]')?.focus()}
    content={menu}
    renderTarget={({ isOpen: opened, ref, ...target }) => (
      <button {...target} {...button} ref={ref} type="button" aria-haspopup="menu" aria-expanded={opened}>
        {children}
      </button>
    )}
  />
);
