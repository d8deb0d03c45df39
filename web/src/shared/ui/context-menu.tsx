import { Menu, type PopoverNextRef } from '@blueprintjs/core';
import { type ReactNode, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { followMoves } from './floating.tsx';
import { onMenuKey } from './menu-keys.ts';
import { Popover } from './popover.tsx';
import '../theme/blueprint.css';

interface ContextMenuProps {
  readonly label: string;
  /** What the menu is about: the menu moves with it, and closes once it is scrolled away or gone. */
  readonly about: Element;
  /** Where it was asked for, in px of the window. */
  readonly left: number;
  readonly top: number;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A menu at a point of the screen. Its first item has the keyboard. */
export const ContextMenu = ({ label, about, left, top, onClose, children }: ContextMenuProps) => {
  const point = useRef<HTMLSpanElement>(null);
  const popover = useRef<PopoverNextRef>(null);
  const close = useEffectEvent(onClose);
  useLayoutEffect(() => {
    const from = about.getBoundingClientRect();
    const stop = followMoves(() => {
      if (point.current === null || !about.isConnected) return;
      const now = about.getBoundingClientRect();
      point.current.style.left = `${left + now.left - from.left}px`;
      point.current.style.top = `${top + now.top - from.top}px`;
      popover.current?.reposition();
    });
    const sight = new IntersectionObserver((seen) => {
      if (seen.at(-1)?.isIntersecting === false) close();
    });
    sight.observe(about);
    return () => {
      stop();
      sight.disconnect();
    };
  }, [about, left, top]);
  return (
    <span ref={point} style={{ position: 'fixed', left, top }}>
      <Popover
        ref={popover}
        isOpen
        arrow={false}
        placement="bottom-start"
        onInteraction={(next) => !next && onClose()}
        onOpened={(element) => element.querySelector<HTMLElement>('[role="menuitem"]')?.focus()}
        renderTarget={({ ref }) => <span ref={ref} style={{ display: 'block', width: 1, height: 1 }} />}
        content={
          <div role="presentation" onKeyDown={onMenuKey}>
            <Menu aria-label={label}>{children}</Menu>
          </div>
        }
      />
    </span>
  );
};
