import { useEffect } from 'react';

/** Loads code that a click will need, once the browser has nothing better to do; stable. Absent = nothing is to be loaded. */
export const usePreload = (preload: (() => void) | undefined): void => {
  useEffect(() => {
    // Safari does not tell when it is idle: there the pointer and the keyboard on the button do.
    if (!preload || !('requestIdleCallback' in window)) return undefined;
    const handle = window.requestIdleCallback(preload);
    return () => window.cancelIdleCallback(handle);
  }, [preload]);
};
