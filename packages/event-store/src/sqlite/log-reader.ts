import type { Database, Statement } from '@zakup/sqlite/engine';
import type { Position, RecordedEvent, Revision, StreamName } from '../event-store.ts';
import { CorruptEvent } from '../event-store.ts';
import type { LogEntry } from '../live-feed.ts';
import { storedKey, unavailable } from './log-file.ts';
import { payloadDecoder, readBack } from './payload.ts';
import { isSkipped } from './skipped-positions.ts';
import { textsIn } from './texts.ts';

type Row = readonly [position: number, stream: number, revision: number, licence: number, payload: Uint8Array];

/** Reads of at most `limit` events each, in one snapshot. All throw `CorruptEvent`, or `EventStoreUnavailable` naming the file. */
export interface LogReader {
  /** Entries above `after`; throws where a position is missing that was not skipped. */
  entries(after: Position, limit: number): readonly LogEntry[];
  /** Revisions `from` to `to`, both inclusive and in either order: the direction is from the one to the other. */
  stream(stream: StreamName, from: Revision, to: Revision, limit: number): readonly RecordedEvent[];
  /** The licence's events above `after` up to `to`. */
  licence(licenceId: string, after: Position, to: Position, limit: number): readonly RecordedEvent[];
  /** First and last position of a command's events. */
  command(commandKey: string): readonly [first: Position, last: Position] | undefined;
  /** Revision of the stream's last event. */
  lastRevision(stream: StreamName): Revision | undefined;
  /** Position of the last event in the file. */
  head(): Position;
  close(): void;
}

/** Reads `file` through a connection of its own. */
export const logReader = (db: Database, file: string): LogReader => {
  const prepare = (sql: string) => {
    const statement = db.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  };
  const columns = 'position, stream, revision, licence, payload';
  const inLog = prepare(`SELECT ${columns} FROM events WHERE position > ? ORDER BY position LIMIT ?`);
  const upwards = prepare(
    `SELECT ${columns} FROM events WHERE stream = ? AND revision BETWEEN ? AND ? ORDER BY revision LIMIT ?`,
  );
  const downwards = prepare(
    `SELECT ${columns} FROM events WHERE stream = ? AND revision BETWEEN ? AND ? ORDER BY revision DESC LIMIT ?`,
  );
  const inLicence = prepare(
    `SELECT ${columns} FROM events WHERE licence = ? AND position > ? AND position <= ? ORDER BY position LIMIT ?`,
  );
  // With the first question: a log that lost its index can be read, so that what is whole in it can be kept.
  let ofCommand: Statement | undefined;
  const lastRevision = prepare('SELECT max(revision) FROM events WHERE stream = ?');
  const headPosition = prepare('SELECT max(position) FROM events');
  const streamTexts = textsIn(db, 'streams');
  const names = textsIn(db, 'names');

  const guarded = <Result>(read: () => Result): Result => {
    try {
      return read();
    } catch (error) {
      if (error instanceof CorruptEvent) throw error;
      throw unavailable(file, error);
    }
  };

  let textsFit = true;
  const decode = payloadDecoder((id) => {
    const text = names.textOf(id);
    if (text === undefined) textsFit = false;
    return text ?? '';
  });

  const entryOf = ([position, stream, revision, licence, payload]: Row): LogEntry => {
    textsFit = true;
    const unpacked = decode(payload, { position, stream, revision, licence });
    const name = streamTexts.textOf(stream);
    if (unpacked === undefined || name === undefined || !textsFit) throw new CorruptEvent(file, position);
    const event = readBack(unpacked.event, name, revision, position, unpacked.recordedAt);
    if (event === undefined) throw new CorruptEvent(file, position);
    return { event, endsAppend: unpacked.endsAppend };
  };

  const eventOf = (row: Row): RecordedEvent => entryOf(row).event;

  return {
    entries: (after, limit) =>
      guarded(() => {
        const rows = inLog.all(after, limit) as unknown as readonly Row[];
        let last = after;
        return rows.map((row) => {
          const entry = entryOf(row);
          if (row[0] !== last + 1 && !isSkipped(entry.event, last)) throw new CorruptEvent(file, last + 1);
          [last] = row;
          return entry;
        });
      }),

    stream: (stream, from, to, limit) =>
      guarded(() => {
        const id = streamTexts.find(stream);
        if (id === undefined) return [];
        const step = from <= to ? 1 : -1;
        const rows = (step === 1
          ? upwards.all(id, from, to, limit)
          : downwards.all(id, to, from, limit)) as unknown as readonly Row[];
        const first = rows[0]?.[2] ?? 0;
        return rows.map((row, index) => {
          if (row[2] !== first + index * step) throw new CorruptEvent(file, row[0]);
          return eventOf(row);
        });
      }),

    licence: (licenceId, after, to, limit) =>
      guarded(() => {
        const id = names.find(licenceId);
        if (id === undefined) return [];
        return (inLicence.all(id, after, to, limit) as unknown as readonly Row[]).map(eventOf);
      }),

    command: (commandKey) =>
      guarded(() => {
        ofCommand ??= prepare('SELECT first, last FROM commands WHERE key = ?');
        return ofCommand.get(storedKey(commandKey)) as readonly [number, number] | undefined;
      }),

    lastRevision: (stream) =>
      guarded(() => {
        const id = streamTexts.find(stream);
        if (id === undefined) return undefined;
        return (lastRevision.get(id) as [number | null])[0] ?? undefined;
      }),

    head: () => guarded(() => (headPosition.get() as [number | null])[0] ?? 0),

    close: () => db.close(),
  };
};
