import { rmSync } from 'node:fs';
import { openDatabase } from '@zakup/sqlite/engine';
import { unusableFile } from '@zakup/sqlite/unusable-file';
import type { Position } from '@zakup/event-store/event-store';

const triggers = ['seals_are_not_changed', 'seals_are_not_removed'];

/**
 * Writes a store of seals without those that attest what a log has lost: of each licence from a position on, `end` of all. The store itself,
 * which nobody has open, stays. Answers how many are left out. Throws `UnusableFile` naming the new file.
 */
export const cutSeals = async (
  file: string,
  to: string,
  { licences, end }: { readonly licences: ReadonlyMap<string, Position>; readonly end: Position | null },
): Promise<number> => {
  try {
    rmSync(to, { force: true });
    const store = openDatabase(file, { readOnly: true });
    try {
      await store.copyTo(to);
    } finally {
      store.close();
    }
    const database = openDatabase(to);
    try {
      const made = triggers.map(
        (name) =>
          (database.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').get(name) as { readonly sql: string }).sql,
      );
      database.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; BEGIN IMMEDIATE');
      for (const name of triggers) database.exec(`DROP TRIGGER ${name}`);
      const ofLicence = database.prepare('DELETE FROM seals WHERE licenceId = ? AND position >= ?');
      let count = 0;
      for (const [licenceId, position] of licences) count += Number(ofLicence.run(licenceId, position).changes);
      if (end !== null) count += Number(database.prepare('DELETE FROM seals WHERE position >= ?').run(end).changes);
      // From here on the log is followed anew: what is sealed already is passed over.
      const least = Math.min(...licences.values(), end ?? Number.POSITIVE_INFINITY);
      if (Number.isFinite(least)) database.exec('UPDATE progress SET followed = 0');
      for (const sql of made) database.exec(sql);
      database.exec('COMMIT');
      return count;
    } finally {
      database.close();
    }
  } catch (error) {
    throw unusableFile(to, error);
  }
};
