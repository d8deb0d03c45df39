import { crc32 } from 'node:zlib';
import type { Database } from '@zakup/sqlite/engine';

const mostKept = 200_000;

/** Texts stored once and meant by a number. */
export interface Texts {
  /** The text's number, or undefined when it was never stored. */
  find(text: string): number | undefined;
  /** The text's number, storing the text where it is new; only on the writing connection. */
  intern(text: string): number;
  /** The number's text; undefined when it is missing or does not fit its checksum. */
  textOf(id: number): string | undefined;
  /** Forgets what was kept in memory, after a transaction that did not come to be. */
  forget(): void;
}

/** Reads and writes one of the tables `streams` and `names`. */
export const textsIn = (db: Database, table: 'streams' | 'names'): Texts => {
  // Looked up by a 4-byte checksum instead of the text itself: the index stays small.
  const byText = db.prepare(`SELECT id FROM ${table} WHERE checksum = ? AND text = ?`);
  const byId = db.prepare(`SELECT text, checksum FROM ${table} WHERE id = ?`);
  const insert = db.prepare(`INSERT INTO ${table} (text, checksum) VALUES (?, ?)`);
  byId.setReturnArrays(true);
  byText.setReturnArrays(true);
  const ids = new Map<string, number>();
  const texts = new Map<number, string>();

  const keep = (id: number, text: string) => {
    if (ids.size >= mostKept || texts.size >= mostKept) {
      ids.clear();
      texts.clear();
    }
    ids.set(text, id);
    texts.set(id, text);
  };

  const find = (text: string): number | undefined => {
    const kept = ids.get(text);
    if (kept !== undefined) return kept;
    const row = byText.get(crc32(text), text) as [number] | undefined;
    if (row === undefined) return undefined;
    keep(row[0], text);
    return row[0];
  };

  return {
    find,
    intern(text) {
      const known = find(text);
      if (known !== undefined) return known;
      const id = Number(insert.run(text, crc32(text)).lastInsertRowid);
      keep(id, text);
      return id;
    },
    textOf(id) {
      const kept = texts.get(id);
      if (kept !== undefined) return kept;
      const row = byId.get(id) as [string, number] | undefined;
      if (row === undefined || crc32(row[0]) !== row[1]) return undefined;
      keep(id, row[0]);
      return row[0];
    },
    forget() {
      ids.clear();
      texts.clear();
    },
  };
};
