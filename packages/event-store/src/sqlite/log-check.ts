import type { Position } from '../event-store.ts';
import { openForReading } from './log-file.ts';
import { logReader } from './log-reader.ts';

const eventsAtOnce = 200;

/**
 * Reads a log that nobody writes from its first event to its last, others getting their turn in between; answers the position of the last
 * one, 0 without any. Throws `CorruptEvent` at the first that does not fit its checksum or is missing, `EventStoreUnavailable` naming the
 * file, and what `signal` aborts with.
 */
export const checkLog = async (file: string, signal: AbortSignal): Promise<Position> => {
  const reader = logReader(openForReading(file), file);
  try {
    // Whether there is an index of commands at all.
    reader.command('');
    let position = 0;
    for (;;) {
      signal.throwIfAborted();
      const last = reader.entries(position, eventsAtOnce).at(-1);
      if (last === undefined) return position;
      ({ position } = last.event);
      await new Promise<void>((resolve) => void setImmediate(resolve));
    }
  } finally {
    reader.close();
  }
};
