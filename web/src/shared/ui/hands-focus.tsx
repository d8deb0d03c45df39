import { type ReactNode, useLayoutEffect, useRef } from 'react';

/** Gives the focus that is in its children to what they belong to as they go: buttons that end what they stand for. */
export const HandsFocusTo = ({
  element,
  children,
}: {
  /** Null = not known yet; `article` = the one they stand in. */
  readonly element: HTMLElement | null | 'article';
  readonly children: ReactNode;
}) => {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const held = box.current;
    const owner = element === 'article' ? (held?.closest<HTMLElement>('article') ?? null) : element;
    return () => {
      if (owner?.isConnected === true && held?.contains(document.activeElement) === true)
        owner.focus({ preventScroll: true });
    };
  }, [element]);
  return <div ref={box}>{children}</div>;
};
