import type { Position } from './read-store.ts';

export interface Poke {
  readonly partition: string;
  readonly position: Position;
}

export type Pokes = ReturnType<typeof pokes>;

/** Listeners of commits, called one microtask later so that none of them can make a finished commit look failed. */
export const pokes = () => {
  const listeners = new Set<{ readonly call: (poke: Poke) => void }>();
  return {
    add: (listener: (poke: Poke) => void): (() => void) => {
      const entry = { call: listener };
      listeners.add(entry);
      return () => {
        listeners.delete(entry);
      };
    },
    send: (poke: Poke): void => {
      for (const entry of listeners) {
        queueMicrotask(() => {
          if (listeners.has(entry)) entry.call(poke);
        });
      }
    },
    clear: (): void => listeners.clear(),
  };
};
