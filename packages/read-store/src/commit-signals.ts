import type { Position } from './read-store.ts';

export interface CommitSignal {
  readonly partition: string;
  readonly position: Position;
}

export type CommitSignals = ReturnType<typeof commitSignals>;

/** Listeners of commits, called one microtask later so that none of them can make a finished commit look failed. */
export const commitSignals = () => {
  const listeners = new Set<{ readonly call: (commitSignal: CommitSignal) => void }>();
  return {
    add: (listener: (commitSignal: CommitSignal) => void): (() => void) => {
      const entry = { call: listener };
      listeners.add(entry);
      return () => {
        listeners.delete(entry);
      };
    },
    send: (commitSignal: CommitSignal): void => {
      for (const entry of listeners) {
        queueMicrotask(() => {
          if (listeners.has(entry)) entry.call(commitSignal);
        });
      }
    },
    clear: (): void => listeners.clear(),
  };
};
