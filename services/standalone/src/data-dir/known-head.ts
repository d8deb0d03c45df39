import { existsSync } from 'node:fs';
import { LogBehind, type Position } from '@zakup/event-store/event-store';
import { headMarkFile, readHeadMark } from '@zakup/event-store/sqlite/head-mark';
import { openDatabase } from '@zakup/sqlite/engine';

/** The mark of how far a log had come; null = it is damaged itself. */
export const markedHead = (events: string): Position | null => {
  try {
    return readHeadMark(events);
  } catch {
    return null;
  }
};

/** How far a log was sealed; 0 = nothing of it was. Throws the engine's error. */
export const sealedTo = (seals: string): Position => {
  if (!existsSync(seals)) return 0;
  const database = openDatabase(seals, { readOnly: true });
  try {
    const row = database.prepare('SELECT max(position) AS position FROM seals').get() as {
      readonly position: Position | null;
    };
    return row.position ?? 0;
  } finally {
    database.close();
  }
};

/** Throws `LogBehind` where the log, which ends at `head`, had come further by its mark or by the seals of it. */
export const refuseShorter = (
  events: string,
  head: Position,
  { marked, sealed, seals }: { readonly marked: Position; readonly sealed: Position; readonly seals: string },
): void => {
  if (head < marked) throw new LogBehind(events, head, marked, headMarkFile(events));
  if (head < sealed) throw new LogBehind(events, head, sealed, seals);
};
