import { useEffect } from 'react';

/** In ms: a line may be lost before a busy browser, or one that does not tell, is idle. */
const longestWait = 2000;

/** Loads code that a click will need, once the browser has nothing better to do or some time has passed; stable. Absent = nothing is to be loaded. */
export const usePreload = (preload: (() => void) | undefined): void => {
  useEffect(() => {
    if (!preload) return undefined;
    if ('requestIdleCallback' in window) {
      const handle = window.requestIdleCallback(preload, { timeout: longestWait });
      return () => window.cancelIdleCallback(handle);
    }
    // Safari does not tell when it is idle.
    const timer = setTimeout(preload, longestWait);
    return () => clearTimeout(timer);
  }, [preload]);
};
