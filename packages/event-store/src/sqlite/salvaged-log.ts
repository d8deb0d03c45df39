import { type Database, openDatabase } from '@zakup/sqlite/engine';
import type { RecordedEvent } from '../event-store.ts';
import { openForWriting, storedKey, unavailable } from './log-file.ts';
import { losesAny, rowsOf, type Salvage, type SalvageRow } from './log-salvage.ts';
import { logReader } from './log-reader.ts';
import { packed, payloadEncoder } from './payload.ts';
import { skipEvent, skipOf, skipStream } from './skipped-positions.ts';
import { textsIn } from './texts.ts';

interface TextRow {
  readonly id: number;
  readonly text: string;
  readonly checksum: number;
}

/** So many numbers in a row that have no text, or none that can be read, are behind the last one. */
const mostMissing = 10_000;

const readable = <Result>(read: () => Result): Result | undefined => {
  try {
    return read();
  } catch {
    return undefined;
  }
};

/** Where they cannot be read all at once, those that can be found by their numbers. */
function* textRows(db: Database, table: 'streams' | 'names'): Generator<TextRow, void> {
  const sql = `SELECT id, text, checksum FROM ${table}`;
  const all = readable(() => db.prepare(sql).all() as readonly TextRow[]);
  if (all !== undefined) {
    yield* all;
    return;
  }
  const byId = db.prepare(`${sql} WHERE id = ?`);
  for (let [id, missing] = [1, 0]; missing < mostMissing; id += 1) {
    const row = readable(() => byId.get(id) as TextRow | undefined);
    missing = row === undefined ? missing + 1 : 0;
    if (row !== undefined) yield row;
  }
}

/** Texts by their numbers, as far as they can be read. */
const copyTexts = (from: Database, to: Database, table: 'streams' | 'names'): void => {
  const insert = to.prepare(`INSERT INTO ${table} (id, text, checksum) VALUES (?, ?, ?)`);
  for (const { id, text, checksum } of textRows(from, table)) insert.run(id, text, checksum);
};

const copyEvents = (from: Database, to: Database, file: string, salvage: Salvage, now: number): void => {
  const isLost = losesAny(salvage.lost);
  const insert = to.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?)');
  const [streams, names] = [textsIn(to, 'streams'), textsIn(to, 'names')];
  const encode = payloadEncoder();
  const reader = logReader(from, file);
  let [last, skips, recordedAt] = [0, 0, 0];
  /** Gaps of the log itself stand in the same stream: all of them are numbered anew. */
  const skip = (position: number, event: Parameters<typeof encode>[0], at: number): void => {
    const place = { position, stream: streams.intern(skipStream), revision: skips, licence: names.intern(event[3]) };
    const texts = { type: names.intern(event[1]), actor: names.intern(event[4]), source: names.intern(event[5]) };
    insert.run(position, place.stream, place.revision, place.licence, encode(event, place, texts, at, true));
    skips += 1;
  };
  const keep = ([position, stream, revision, licence, payload]: SalvageRow): void => {
    if (position !== last + 1 && isLost(position - 1, position - 1))
      skip(position - 1, skipEvent(last, { reason: 'recovered', now }), recordedAt);
    const before = last;
    last = position;
    if (streams.textOf(stream) === skipStream) {
      const [event] = reader.stream(skipStream, revision, revision, 1);
      const told = event === undefined ? null : skipOf(event);
      if (event === undefined || told === null) return;
      recordedAt = Date.parse(event.recordedAt);
      // What is lost right before it is in its gap now.
      return skip(
        position,
        packed({ ...event, data: { ...event.data, after: Math.min(told.after, before) } }),
        recordedAt,
      );
    }
    recordedAt = Math.max(recordedAt, Buffer.from(payload).readUIntLE(5, 6));
    insert.run(position, stream, revision, licence, payload);
  };
  const rows = rowsOf(from);
  for (let next = rows.next(); next.done !== true; next = rows.next())
    for (const row of next.value) {
      if (salvage.end !== null && row[0] >= salvage.end) return;
      if (!isLost(row[0], row[0])) keep(row);
    }
};

/** The key of the append that an event came by. */
export type KeyOf = (event: RecordedEvent) => string;

/** Keys of what is kept whole. */
const copyCommands = (from: Database, to: Database, { lost, end }: Salvage): void => {
  const isLost = losesAny(lost);
  const insert = to.prepare('INSERT OR IGNORE INTO commands VALUES (?, ?, ?)');
  for (const { key, first, last } of from.prepare('SELECT key, first, last FROM commands').all() as readonly {
    readonly key: Uint8Array;
    readonly first: number;
    readonly last: number;
  }[])
    if (!isLost(first, last) && (end === null || last < end)) insert.run(key, first, last);
};

/** Where the index of the keys cannot be read. */
const remakeCommands = (to: Database, file: string, keyOf: KeyOf): void => {
  const insert = to.prepare('INSERT OR IGNORE INTO commands VALUES (?, ?, ?)');
  const reader = logReader(to, file);
  let [position, first] = [0, 0];
  for (let entries = reader.entries(0, 500); entries.length > 0; entries = reader.entries(position, 500))
    for (const { event, endsAppend } of entries) {
      ({ position } = event);
      if (first === 0) first = position;
      if (!endsAppend) continue;
      insert.run(storedKey(keyOf(event)), first, position);
      first = 0;
    }
};

/**
 * Writes what can be kept of a log into a new one; the log itself is only read. Positions, streams and licences stay what they were, and each
 * gap ends with an event that tells of it. Throws `EventStoreUnavailable` naming a file.
 */
export const writeSalvaged = (
  file: string,
  to: string,
  salvage: Salvage,
  { now, keyOf }: { readonly now: number; readonly keyOf: KeyOf },
): void => {
  let from: Database | undefined;
  let db: Database | undefined;
  try {
    from = openDatabase(file, { readOnly: true });
    db = openForWriting(to);
    db.exec('BEGIN IMMEDIATE');
    copyTexts(from, db, 'streams');
    copyTexts(from, db, 'names');
    copyEvents(from, db, file, salvage, now);
    if (salvage.commands === null) remakeCommands(db, to, keyOf);
    else copyCommands(from, db, salvage);
    db.exec('COMMIT');
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    throw unavailable(to, error);
  } finally {
    db?.close();
    from?.close();
  }
};
