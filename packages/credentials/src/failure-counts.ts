import type { Millis } from './credentials.ts';

const mostKeys = 10_000;
const mostPerKey = 100;

/** Times of failures by key. The key longest without one is forgotten first. */
export const failureCounts = () => {
  const times = new Map<string, readonly Millis[]>();
  return {
    record: (key: string, now: Millis): void => {
      const earlier = times.get(key) ?? [];
      times.delete(key);
      times.set(key, [...earlier.slice(1 - mostPerKey), now]);
      if (times.size > mostKeys) {
        for (const oldest of times.keys()) {
          times.delete(oldest);
          break;
        }
      }
    },
    count: (key: string, since: Millis): number => (times.get(key) ?? []).filter((at) => at >= since).length,
    clear: (key: string): void => {
      times.delete(key);
    },
  };
};
