import { type ReactNode, useEffect, useRef } from 'react';
import { announce } from './toasts.ts';

/**
 * Words that a screen reader is told of when they come and whenever they change, through the one region of the app instead of a region of
 * their own.
 */
export const LiveRegion = ({
  children,
  className,
  later = false,
}: {
  readonly children: ReactNode;
  readonly className?: string;
  /** They are told of changes alone: whoever comes to the screen reads them where they stand. */
  readonly later?: boolean;
}) => {
  const place = useRef<HTMLSpanElement>(null);
  const before = useRef<string | null>(null);
  useEffect(() => {
    const text = place.current?.textContent?.trim() ?? '';
    const known = later && before.current === null ? text : before.current;
    before.current = text;
    if (text !== '' && text !== known) announce(text);
  });
  return (
    <span ref={place} className={className}>
      {children}
    </span>
  );
};
