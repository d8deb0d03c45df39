import type { Database } from '@zakup/sqlite/engine';
import type { Position, Revision, StreamName } from '../event-store.ts';
import { storedKey } from './log-file.ts';
import type { TextIds } from './payload.ts';
import { payloadDecoder, payloadEncoder } from './payload.ts';
import { textsIn } from './texts.ts';
import type { Outcome, PackedAppend } from './writer-messages.ts';
import { anyRevision, noStream } from './writer-messages.ts';

const mostStreamsKept = 100_000;

interface StreamState {
  /** 0 until the stream has a number. */
  id: number;
  last: number;
}

/** The outcomes of one transaction. */
export interface Committed {
  readonly recordedAt: number;
  readonly outcomes: readonly Outcome[];
}

/** The one place that writes the log. */
export interface LogWriter {
  /** Position of the last durable event. */
  head(): Position;
  /**
   * Carries out appends in one transaction, each all or not at all, and returns once they are fsynced; when it throws, none of them was kept
   * by the engine's word. `first`: position of the first event, default the next one; only events that `skipPositions` writes are further.
   */
  commit(appends: readonly PackedAppend[], now: number, first?: Position): Committed;
  /** After a failed commit: goes back to what the file holds. Throws when the transaction cannot be undone. */
  recover(): void;
}

/** Writes through a connection made by `openForWriting`, which nobody else uses. */
export const logWriter = (db: Database): LogWriter => {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const end = db.prepare('COMMIT');
  const insertEvent = db.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?)');
  const insertCommand = db.prepare('INSERT OR IGNORE INTO commands VALUES (?, ?, ?)');
  const findCommand = db.prepare('SELECT first FROM commands WHERE key = ?');
  const lastRevision = db.prepare('SELECT max(revision) AS last FROM events WHERE stream = ?');
  const lastEvent = db.prepare('SELECT * FROM events ORDER BY position DESC LIMIT 1');
  const encode = payloadEncoder();
  const decode = payloadDecoder(String);
  const streamTexts = textsIn(db, 'streams');
  const names = textsIn(db, 'names');
  const states = new Map<StreamName, StreamState>();
  let head = 0;
  let lastRecordedAt = 0;

  const load = () => {
    const row = lastEvent.get() as
      | { position: number; stream: number; revision: number; licence: number; payload: Uint8Array }
      | undefined;
    head = row?.position ?? 0;
    // A damaged last event is reported to whoever reads it; here only its instant matters.
    lastRecordedAt = row === undefined ? 0 : (decode(row.payload, row)?.recordedAt ?? 0);
  };
  load();

  const stateOf = (stream: StreamName): StreamState => {
    const kept = states.get(stream);
    if (kept !== undefined) return kept;
    const id = streamTexts.find(stream);
    const row = id === undefined ? undefined : (lastRevision.get(id) as { last: number | null });
    const state = { id: id ?? 0, last: row?.last ?? noStream };
    if (states.size >= mostStreamsKept) states.clear();
    states.set(stream, state);
    return state;
  };

  const refusal = ([ticket, writes, unchanged]: PackedAppend): Outcome | undefined => {
    for (const [stream, expected] of writes) {
      const { last } = stateOf(stream);
      if (expected !== anyRevision && expected !== last) return [ticket, 'wrong_revision', stream, last];
    }
    for (const [stream, revision] of unchanged) {
      const { last } = stateOf(stream);
      if (revision !== last) return [ticket, 'changed', stream, last];
    }
    return undefined;
  };

  const carryOut = (append: PackedAppend, first: Position, recordedAt: number): Outcome => {
    const [ticket, writes, , commandKey] = append;
    const key = commandKey === null ? undefined : storedKey(commandKey);
    const refused = refusal(append);
    if (refused !== undefined) {
      return key !== undefined && findCommand.get(key) !== undefined ? [ticket, 'command_known'] : refused;
    }
    let last = first - 1;
    for (const [, , events] of writes) last += events.length;
    if (key !== undefined && insertCommand.run(key, first, last).changes === 0) return [ticket, 'command_known'];

    const revisions: Revision[] = [];
    let position = first;
    for (const [stream, , events] of writes) {
      const state = stateOf(stream);
      if (state.id === 0) state.id = streamTexts.intern(stream);
      for (const event of events) {
        const place = { position, stream: state.id, revision: state.last + 1, licence: names.intern(event[3]) };
        const texts: TextIds = {
          type: names.intern(event[1]),
          actor: names.intern(event[4]),
          source: names.intern(event[5]),
        };
        const payload = encode(event, place, texts, recordedAt, position === last);
        insertEvent.run(position, place.stream, place.revision, place.licence, payload);
        state.last = place.revision;
        position += 1;
      }
      revisions.push(state.last);
    }
    return [ticket, 'appended', first, revisions];
  };

  return {
    head: () => head,

    commit(appends, now, first = head + 1) {
      const recordedAt = Math.max(lastRecordedAt, now);
      const outcomes: Outcome[] = [];
      let next = first;
      begin.run();
      for (const append of appends) {
        const outcome = carryOut(append, next, recordedAt);
        if (outcome[1] === 'appended') for (const [, , events] of append[1]) next += events.length;
        outcomes.push(outcome);
      }
      end.run();
      if (next > first) {
        lastRecordedAt = recordedAt;
        head = next - 1;
      }
      return { recordedAt, outcomes };
    },

    recover() {
      states.clear();
      streamTexts.forget();
      names.forget();
      if (db.isTransaction) db.exec('ROLLBACK');
      load();
    },
  };
};
