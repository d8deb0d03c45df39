import { useEffect, useEffectEvent } from 'react';
import { toasts } from '../toasts/toasts.ts';

let waiting = false;
const dashboards = new Set<() => void>();

/** Asks for the form of a new placement; where no dashboard is on screen, the next one that comes opens it. */
export const requestAddPlacement = (): void => {
  waiting = dashboards.size === 0;
  for (const open of dashboards) open();
};

/**
 * For the dashboard: told of a request, one that waits at once. `mayAdd`: whether the campaign on it takes new placements, null = none is
 * there yet.
 */
export const useOnAddPlacement = (mayAdd: boolean | null, open: () => void): void => {
  const run = useEffectEvent(() => {
    if (mayAdd === true) open();
    else toasts.info('Сюда размещение не добавить: выберите активную кампанию');
  });
  useEffect(() => {
    if (mayAdd === null) return undefined;
    const host = (): void => run();
    dashboards.add(host);
    if (waiting) {
      waiting = false;
      run();
    }
    return () => void dashboards.delete(host);
  }, [mayAdd]);
};
