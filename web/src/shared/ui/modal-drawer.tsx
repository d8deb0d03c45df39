import { Drawer, type DrawerProps } from '@blueprintjs/core';
import { Cross } from '@blueprintjs/icons';
import { type ReactNode, useId } from 'react';
import '../theme/blueprint.css';
import { Button } from './button.tsx';
import { useEscape } from './use-escape.ts';

export interface ModalDrawerProps extends Required<Pick<DrawerProps, 'position' | 'size' | 'className'>> {
  /** What whoever does not see it hears of it. */
  readonly name: string;
  /** Of what holds the children. */
  readonly bodyClassName?: string;
  /** Of its button «Закрыть»; absent = what it holds has one. */
  readonly closeClassName?: string;
  /** Default true. */
  readonly isOpen?: boolean;
  /** In ms; default 160. */
  readonly transitionDuration?: number;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Blueprint gives what a drawer holds the focus, but no role; the element `dialog` would come with a look and a place of its own. */
const modal = { role: 'dialog', 'aria-modal': true } as const;

/**
 * A drawer over the page that traps focus, gives it back to the opener, and closes by Escape, wherever the keyboard is, and a click beside it.
 */
export const ModalDrawer = ({
  name,
  bodyClassName,
  closeClassName,
  isOpen = true,
  transitionDuration = 160,
  onClose,
  children,
  ...drawer
}: ModalDrawerProps) => {
  const id = useId();
  useEscape(id, onClose);
  return (
    <Drawer {...drawer} isOpen={isOpen} onClose={onClose} transitionDuration={transitionDuration}>
      <div {...modal} id={id} aria-label={name} className={bodyClassName}>
        {closeClassName !== undefined && (
          <Button
            className={closeClassName}
            look="plain"
            icon={<Cross size={16} />}
            aria-label="Закрыть"
            onClick={onClose}
          />
        )}
        {children}
      </div>
    </Drawer>
  );
};
