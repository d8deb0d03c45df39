import { useMoment } from './moment-context.ts';

/** Screens that can show another moment. */
const travelling: ReadonlySet<string> = new Set(['/', '/dashboard', '/analytics', '/contractors']);

const nameOf = (path: string): string => path.split('?', 1)[0] ?? '';

export const canTravel = (path: string): boolean => travelling.has(nameOf(path));

/** Addresses as they are now, or of the moment on the screen where theirs can show it. */
export const useThenPath = (): ((path: string) => string) => {
  const position = useMoment()?.position ?? null;
  return (path) =>
    position === null || !canTravel(path) ? path : `${path}${path.includes('?') ? '&' : '?'}at=${position}`;
};

/** Whether an address leads from the moment on the screen to now. */
export const useLeadsToNow = (): ((path: string) => boolean) => {
  const isPast = useMoment() !== null;
  return (path) => isPast && !canTravel(path);
};
