import { type Database, openDatabase } from '@zakup/sqlite/engine';
import type { Position, RecordedEvent } from '../event-store.ts';
import { refuseOwnCode, unavailable } from './log-file.ts';
import { payloadDecoder, readBack } from './payload.ts';
import { isSkipped } from './skipped-positions.ts';
import { textsIn } from './texts.ts';

export type SalvageRow = readonly [
  position: number,
  stream: number,
  revision: number,
  licence: number,
  payload: Uint8Array,
];

/** Positions that are lost, both inclusive. */
export interface LostRun {
  readonly from: Position;
  readonly to: Position;
}

/** What a licence loses: everything from the first lost event on, so that its history stays whole up to there. */
export interface LostHistory {
  readonly licenceId: string;
  readonly events: number;
  readonly from: Position;
  /** UTC, ISO 8601, of the first lost event that can be read; null where none can. */
  readonly since: string | null;
}

/** What can be kept of a log, and what is lost. */
export interface Salvage {
  /** Events that are kept, and the position of the last one. */
  readonly kept: number;
  readonly head: Position;
  readonly lost: readonly LostRun[];
  readonly licences: readonly LostHistory[];
  /** Appends under a key of which an event is lost; null = their index cannot be read. */
  readonly commands: number | null;
  /** From here on nobody knows whose events were lost: nothing of any licence is kept; null = it is known of all. */
  readonly end: Position | null;
  /** Everything can be read, but not by every way that leads to it. */
  readonly isTangled: boolean;
}

const atOnce = 500;

/** Rows in log order as far as they can be read; the last one that comes may not be the last that was written. */
export function* rowsOf(db: Database): Generator<readonly SalvageRow[], { readonly isWhole: boolean }, undefined> {
  let after = 0;
  let size = atOnce;
  for (;;) {
    try {
      const page = db.prepare(
        'SELECT position, stream, revision, licence, payload FROM events WHERE position > ? ORDER BY position LIMIT ?',
      );
      page.setReturnArrays(true);
      const rows = page.all(after, size) as unknown as readonly SalvageRow[];
      if (rows.length === 0) return { isWhole: true };
      after = rows.at(-1)?.[0] ?? after;
      yield rows;
    } catch {
      if (size === 1) return { isWhole: false };
      size = 1;
    }
  }
}

const isIntact = (db: Database): boolean => {
  try {
    const found = db.prepare('PRAGMA integrity_check(1)').get() as Readonly<Record<string, unknown>> | undefined;
    return Object.values(found ?? {})[0] === 'ok';
  } catch {
    return false;
  }
};

/** Rows that no append has written. */
const isForeign =
  "typeof(key) <> 'blob' OR length(key) <> 16 OR typeof(first) <> 'integer' OR typeof(last) <> 'integer' OR NOT (first BETWEEN 1 AND last)";

const commandsLosing = (db: Database, isLost: (from: Position, to: Position) => boolean): number | null => {
  try {
    if (db.prepare(`SELECT 1 FROM commands WHERE ${isForeign} LIMIT 1`).get() !== undefined) return null;
    const rows = db.prepare('SELECT first, last FROM commands').all() as readonly {
      readonly first: number;
      readonly last: number;
    }[];
    return rows.filter(({ first, last }) => isLost(first, last)).length;
  } catch {
    return null;
  }
};

const joined = (runs: readonly LostRun[]): readonly LostRun[] => {
  const all: LostRun[] = [];
  for (const run of runs.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last !== undefined && run.from <= last.to + 1) all[all.length - 1] = { ...last, to: Math.max(last.to, run.to) };
    else all.push(run);
  }
  return all;
};

/** Whether a run takes any position between two. */
export const losesAny =
  (lost: readonly LostRun[]) =>
  (from: Position, to: Position): boolean => {
    let [low, high] = [0, lost.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((lost[middle]?.to ?? 0) < from) low = middle + 1;
      else high = middle;
    }
    const run = lost[low];
    return run !== undefined && run.from <= to;
  };

/** What is found on one way through the log; of a licence nothing is kept behind its first loss. */
class LogSurvey {
  readonly #read: (row: SalvageRow) => { readonly event: RecordedEvent; readonly endsAppend: boolean } | null;
  readonly #ownerOf: (row: SalvageRow) => string | null;
  readonly #lost: LostRun[] = [];
  readonly #histories = new Map<string, LostHistory>();
  readonly #revisions = new Map<number, number>();
  /** Of the append that has not ended yet. */
  #open: readonly SalvageRow[] = [];
  kept = 0;
  head = 0;
  last = 0;
  end: Position | null = null;

  constructor(db: Database) {
    const streams = textsIn(db, 'streams');
    const names = textsIn(db, 'names');
    const text = (find: () => string | undefined): string | null => {
      try {
        return find() ?? null;
      } catch {
        return null;
      }
    };
    let fits = true;
    const decode = payloadDecoder((id) => {
      const name = text(() => names.textOf(id));
      if (name === null) fits = false;
      return name ?? '';
    });
    this.#read = ([position, stream, revision, licence, payload]) => {
      fits = true;
      const unpacked = decode(payload, { position, stream, revision, licence });
      const name = text(() => streams.textOf(stream));
      if (unpacked === undefined || name === null || !fits) return null;
      const event = readBack(unpacked.event, name, revision, position, unpacked.recordedAt);
      return event === undefined ? null : { event, endsAppend: unpacked.endsAppend };
    };
    this.#ownerOf = ([position, stream, revision, licence, payload]) => {
      const owner = text(() => names.textOf(licence));
      if (owner === null || owner === '') return null;
      // Its checksum is of the columns too: what is damaged is a text that it needs.
      if (decode(payload, { position, stream, revision, licence }) !== undefined) return owner;
      const name = text(() => streams.textOf(stream));
      // Both columns must say the same: one of them may be what is damaged.
      return name !== null && name.includes(`-${owner}~`) ? owner : null;
    };
  }

  get lost(): readonly LostRun[] {
    return joined(this.#lost);
  }

  get licences(): readonly LostHistory[] {
    return [...this.#histories.values()];
  }

  /** False = nothing behind it can be kept. */
  take(row: SalvageRow): boolean {
    const [position, stream, revision] = row;
    const read = this.#read(row);
    const isNext = position === this.last + 1 || (read !== null && isSkipped(read.event, this.last));
    if (!isNext) return this.cut(this.last + 1);
    this.last = position;
    const owner = read === null ? this.#ownerOf(row) : read.event.metadata.licenceId;
    if (owner === null) return this.cut(position);
    const follows = revision === (this.#revisions.get(stream) ?? -1) + 1;
    if (this.#histories.has(owner)) this.#lose(owner, row, read?.event ?? null);
    else if (read === null || !follows) this.#breaks(owner, row, read?.event ?? null);
    else {
      this.#revisions.set(stream, revision);
      this.kept += 1;
      this.#open = read.endsAppend ? [] : [...this.#open, row];
      if (read.endsAppend) this.head = position;
    }
    return true;
  }

  /** What was begun and has no end is not kept either. */
  finish(): void {
    const [first] = this.#open;
    if (first !== undefined) this.cut(first[0]);
  }

  cut(position: Position): boolean {
    const from = this.#open[0]?.[0] ?? position;
    this.kept -= this.#open.length;
    this.#open = [];
    this.end = from;
    return false;
  }

  loseTo(position: Position): void {
    const from = this.end ?? this.last + 1;
    if (position >= from) {
      this.end = from;
      this.#lost.push({ from, to: position });
    }
  }

  #lose(licenceId: string, [position]: SalvageRow, event: RecordedEvent | null): void {
    this.#lost.push({ from: position, to: position });
    const before = this.#histories.get(licenceId);
    this.#histories.set(licenceId, {
      licenceId,
      events: (before?.events ?? 0) + 1,
      from: before?.from ?? position,
      since: before?.since ?? event?.recordedAt ?? null,
    });
  }

  /** An append is all or nothing. */
  #breaks(licenceId: string, row: SalvageRow, event: RecordedEvent | null): void {
    const begun = this.#open;
    this.#open = [];
    this.kept -= begun.length;
    for (const [index, one] of [...begun, row].entries())
      this.#lose(licenceId, one, index === begun.length ? event : (this.#read(one)?.event ?? null));
  }
}

/**
 * Goes through a log that nobody has open, and changes nothing. `bound`: a position that it had surely come to. Throws `EventStoreUnavailable`
 * naming the file where it is no log at all.
 */
export const surveyLog = (file: string, bound: Position): Salvage => {
  let db: Database | undefined;
  try {
    db = openDatabase(file, { readOnly: true });
    refuseOwnCode(db, file);
    const survey = new LogSurvey(db);
    const pages = rowsOf(db);
    let most = bound;
    for (;;) {
      const { value, done } = pages.next();
      if (done === true) {
        if (!value.isWhole && survey.end === null) survey.cut(survey.last + 1);
        break;
      }
      for (const row of value) {
        most = Math.max(most, row[0]);
        if (survey.end === null) survey.take(row);
      }
    }
    if (survey.end === null) survey.finish();
    // What cannot be read had at least one event.
    survey.loseTo(Math.max(most, survey.end ?? 0));
    const { lost, licences, kept, head, end } = survey;
    const commands = commandsLosing(db, losesAny(lost));
    const isTangled = lost.length === 0 && (commands === null || !isIntact(db));
    return { kept, head, lost, licences, end, isTangled, commands };
  } catch (error) {
    throw unavailable(file, error);
  } finally {
    db?.close();
  }
};
