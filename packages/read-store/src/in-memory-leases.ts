/**
 * Leases within one process, for tests. Nothing runs out by itself.
 */
import type { Lease, Leases } from './leases.ts';

export interface InMemoryLeases extends Leases {
  /** As if the holder could not renew it in time. */
  expire(name: string): void;
}

interface Held {
  readonly lost: AbortController;
}

interface Entry {
  fence: number;
  held: Held | null;
  readonly waiting: Set<() => void>;
}

/** One table, whose every `acquire` is by another holder. */
export const inMemoryLeases = (): InMemoryLeases => {
  const entries = new Map<string, Entry>();
  const entryOf = (name: string): Entry => {
    const known = entries.get(name);
    if (known !== undefined) return known;
    const made: Entry = { fence: 0, held: null, waiting: new Set() };
    entries.set(name, made);
    return made;
  };

  const free = (entry: Entry, held: Held): void => {
    held.lost.abort();
    if (entry.held !== held) return;
    entry.held = null;
    for (const next of entry.waiting) {
      next();
      return;
    }
  };

  const take = (name: string, entry: Entry): Lease => {
    const held: Held = { lost: new AbortController() };
    entry.held = held;
    entry.fence += 1;
    return { name, fence: entry.fence, lost: held.lost.signal, release: async () => free(entry, held) };
  };

  return {
    async acquire(name, signal) {
      if (signal.aborted) return null;
      const entry = entryOf(name);
      if (entry.held === null) return take(name, entry);
      return new Promise<Lease | null>((resolve) => {
        const settle = (lease: Lease | null): void => {
          entry.waiting.delete(next);
          signal.removeEventListener('abort', abandon);
          resolve(lease);
        };
        const next = (): void => settle(take(name, entry));
        const abandon = (): void => settle(null);
        entry.waiting.add(next);
        signal.addEventListener('abort', abandon, { once: true });
      });
    },

    expire(name) {
      const entry = entryOf(name);
      if (entry.held !== null) free(entry, entry.held);
    },
  };
};
