import type { RecordedEvent } from '../event-store.ts';
import { openForReading, unavailable } from './log-file.ts';
import { logReader } from './log-reader.ts';
import { skipStream } from './skipped-positions.ts';

/** The events of one append, in log order. */
export interface LoggedAppend {
  readonly events: readonly [RecordedEvent, ...RecordedEvent[]];
  /** By which the index of commands finds them; null = by none. */
  readonly commandKey: string | null;
}

/** A log that nobody writes, read append by append to be moved elsewhere. */
export interface LogToMove {
  /** How many commands the index knows. */
  readonly commands: number;
  /**
   * Appends behind a position, in order. Events that only tell of positions that were skipped are left out: they say nothing of another
   * log. Throws `CorruptEvent`, or `EventStoreUnavailable` naming the file.
   */
  appends(after: number): Generator<LoggedAppend, void, undefined>;
  close(): void;
}

const atOnce = 500;

/** `keyOf`: the key of a command, from what its events tell of it. */
export const logToMove = (
  file: string,
  keyOf: (actorId: string, commandId: string, part?: string) => string,
): LogToMove => {
  const db = openForReading(file);
  const reader = logReader(db, file);
  const commandOf = ([first, ...more]: LoggedAppend['events']): string | null => {
    const { actorId, commandId, part } = first.metadata;
    const key = keyOf(actorId, commandId, part);
    const found = reader.command(key);
    return found?.[0] === first.position && found[1] === (more.at(-1) ?? first).position ? key : null;
  };
  let commands: number;
  try {
    ({ commands } = db.prepare('SELECT count(*) AS commands FROM commands').get() as { readonly commands: number });
  } catch (error) {
    reader.close();
    throw unavailable(file, error);
  }
  return {
    commands,
    *appends(after) {
      let open: RecordedEvent[] = [];
      for (let last = after; ; ) {
        const page = reader.entries(last, atOnce);
        for (const { event, endsAppend } of page) {
          last = event.position;
          if (event.stream !== skipStream) open.push(event);
          if (!endsAppend) continue;
          const [first, ...more] = open;
          open = [];
          if (first === undefined) continue;
          yield { events: [first, ...more], commandKey: commandOf([first, ...more]) };
        }
        if (page.length === 0) return;
      }
    },
    close: () => reader.close(),
  };
};
