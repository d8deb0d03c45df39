import { Menu, type PopoverNextRef } from '@blueprintjs/core';
import { type ReactNode, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { followMoves, isOutOfSight } from './floating.tsx';
import { onMenuKey } from './menu-keys.ts';
import { Popover } from './popover.tsx';
import '../theme/blueprint.css';

interface ContextMenuProps {
  readonly label: string;
  /** What the menu is about: the menu moves with it, and closes once it is scrolled away, lies under something else or is gone. */
  readonly about: Element;
  /** The menu is about one place in `about`, at the height of its middle, which such parts of it may come to lie over: a selector. */
  readonly over?: string | undefined;
  /** Where it was asked for, in px of the window. */
  readonly left: number;
  readonly top: number;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A menu at a point of the screen. Its first item has the keyboard. */
export const ContextMenu = ({ label, about, over, left, top, onClose, children }: ContextMenuProps) => {
  const point = useRef<HTMLSpanElement>(null);
  const popover = useRef<PopoverNextRef>(null);
  const close = useEffectEvent(onClose);
  useLayoutEffect(() => {
    const from = about.getBoundingClientRect();
    const stop = followMoves(() => {
      if (point.current === null || !about.isConnected) return;
      const now = about.getBoundingClientRect();
      const x = left + now.left - from.left;
      const place = over === undefined ? now : new DOMRect(x, now.top, 2, now.height);
      // Before anything has moved it is where it was asked for.
      const hasMoved = now.left !== from.left || now.top !== from.top;
      if (hasMoved && isOutOfSight(about, place, over)) {
        close();
        return;
      }
      point.current.style.left = `${x}px`;
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
  }, [about, over, left, top]);
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
