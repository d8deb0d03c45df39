import { useEffect, useRef, useState } from 'react';
import { useMoment } from '../past/moment-context.ts';
import type { ChangeAuthor } from './grid-column.ts';

export interface Flash {
  readonly phase: 'on' | 'fading';
  /** What the cell showed before. */
  readonly was: unknown;
  readonly author: ChangeAuthor | null;
}

const flashTime = 150;
/** How long the name and the old value stay, in milliseconds. */
export const authorTime = 3000;

/**
 * Set for a moment after the value changed by somebody else's hand; `own` = the cell is under one's own hand.
 * `authorOf` tells whose hand it was, if that can be found out meanwhile.
 */
export const useFlash = (
  value: unknown,
  own: boolean,
  authorOf: (() => Promise<ChangeAuthor | null>) | undefined,
): Flash | null => {
  // Another moment on the screen is nobody's change.
  const at = useMoment()?.position ?? null;
  const before = useRef({ value, own, at });
  const latest = useRef(authorOf);
  const [flash, setFlash] = useState<Flash | null>(null);
  useEffect(() => {
    latest.current = authorOf;
  });
  useEffect(() => {
    const { value: was, own: wasOwn, at: wasAt } = before.current;
    before.current = { value, own, at };
    if (was === value || own || wasOwn || at !== wasAt) {
      setFlash(null);
      return undefined;
    }
    setFlash({ phase: 'on', was, author: null });
    let over = false;
    const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    const fading = still ? null : setTimeout(() => setFlash((now) => now && { ...now, phase: 'fading' }), flashTime);
    const end = setTimeout(() => setFlash(null), authorTime);
    latest.current?.().then(
      (author) => !over && setFlash((now) => now && { ...now, author }),
      () => undefined,
    );
    return () => {
      over = true;
      if (fading !== null) clearTimeout(fading);
      clearTimeout(end);
    };
  }, [value, own, at]);
  return flash;
};
