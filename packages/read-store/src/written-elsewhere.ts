import { type CommitSignal, commitSignals } from './commit-signals.ts';
import type { ReadStore } from './read-store.ts';

/** A store that another thread writes, as this one has it. */
export interface WrittenElsewhere {
  /** Reads are its own, `note` is handed on; whatever else would write rejects. */
  readonly readStore: ReadStore;
  /** Tells the listeners of `onCommit` of a commit that was made there; what it wrote must be there to be read. */
  readonly committed: (commitSignal: CommitSignal) => void;
}

const refuse = async (): Promise<never> => {
  throw new Error('The read models are written by a thread of their own');
};

/** `opened`: a store of this thread on the same file. `note`: has whoever writes it keep a note. */
export const writtenElsewhere = (opened: ReadStore, note: ReadStore['note']): WrittenElsewhere => {
  const listeners = commitSignals();
  return {
    readStore: {
      ...opened,
      onCommit: (listener) => listeners.add(listener),
      note,
      commit: refuse,
      clear: refuse,
      noteVersion: refuse,
      beginNext: refuse,
      discard: refuse,
      purge: refuse,
      close() {
        listeners.clear();
        return opened.close();
      },
    },
    committed: listeners.send,
  };
};
