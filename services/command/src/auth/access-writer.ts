import type { Delay } from '@zakup/async/delay';
import type { EventStore } from '@zakup/event-store/event-store';
import type { AccessEntry } from './access-entry.ts';

/** The part of a logger that is used. */
export interface AccessLog {
  warn(about: object, message: string): void;
}

export interface AccessWriterDeps {
  readonly eventStore: Pick<EventStore, 'append'>;
  readonly log: AccessLog;
  /** Why nothing may be written now. */
  readonly readOnly: () => string | null;
  readonly wait: Delay;
  /** Aborted = what cannot be written now is lost. */
  readonly signal: AbortSignal;
  readonly onLost: (entries: number) => void;
}

/** Appends entries of the audit. Nothing of it rejects. */
export interface AccessWriter {
  /** False = not now; what went wrong is in the log. */
  write(entry: AccessEntry): Promise<boolean>;
  /** Resolves when the entry is written, or is kept in memory and tried again. */
  writeOrKeep(entry: AccessEntry): Promise<void>;
  /** Resolves when nothing is tried any more; the signal must be aborted. */
  settled(): Promise<void>;
}

const retryAfter = 5_000;
const mostUnwritten = 1000;

export const accessWriter = ({ eventStore, log, readOnly, wait, signal, onLost }: AccessWriterDeps): AccessWriter => {
  const unwritten: AccessEntry[] = [];
  let retrying: Promise<void> | null = null;

  const write = async ({ stream, events }: AccessEntry): Promise<boolean> => {
    if (readOnly() !== null) return false;
    try {
      await eventStore.append([{ stream, expectedRevision: 'any', events }], {});
      return true;
    } catch (error) {
      const { commandId } = events[0].metadata;
      log.warn({ err: error, correlationId: commandId, commandId }, 'An entry of the audit could not be written');
      return false;
    }
  };

  const retry = async (): Promise<void> => {
    while (unwritten.length > 0) {
      await wait(retryAfter, signal);
      for (let first = unwritten[0]; first !== undefined && (await write(first)); first = unwritten[0])
        unwritten.shift();
      if (signal.aborted) return;
    }
    retrying = null;
  };

  return {
    write,

    async writeOrKeep(entry) {
      if (await write(entry)) return;
      if (unwritten.length >= mostUnwritten || signal.aborted) {
        onLost(1);
        return;
      }
      unwritten.push(entry);
      retrying ??= retry();
    },

    async settled() {
      await retrying;
      onLost(unwritten.length);
    },
  };
};
