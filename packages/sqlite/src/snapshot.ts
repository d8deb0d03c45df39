import { type CopiedPages, openDatabase } from './engine.ts';
import { unusableFile } from './unusable-file.ts';

/** A database as it was at one moment, however it is written to meanwhile, also by other processes. */
export interface Snapshot {
  /** Of the database now, an upper bound of what a copy takes. */
  readonly bytes: number;
  /**
   * Copies it to a file of its owner's alone, which needs no other beside it. What `onPages` throws ends it, leaving part of a file. Throws
   * `UnusableFile` naming the copy.
   */
  copyTo(file: string, onPages?: (pages: CopiedPages) => void): Promise<void>;
  close(): void;
}

/** Keeps what a database in WAL mode is now, until it is closed; its WAL grows as long. Throws `UnusableFile` naming it. */
export const databaseSnapshot = (file: string): Snapshot => {
  let stop: (() => void) | undefined;
  try {
    const database = openDatabase(file, { readOnly: true });
    stop = () => database.close();
    database.exec('BEGIN');
    // The moment is that of the first read.
    const { bytes } = database
      .prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()')
      .get() as { readonly bytes: number };
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    return {
      bytes,
      async copyTo(to, onPages) {
        let refusal: unknown;
        const taken = (pages: CopiedPages): void => {
          try {
            onPages?.(pages);
          } catch (error) {
            refusal = error;
            throw error;
          }
        };
        try {
          await database.copyTo(to, taken);
          const copy = openDatabase(to);
          try {
            copy.exec('PRAGMA journal_mode = DELETE');
          } finally {
            copy.close();
          }
        } catch (error) {
          throw refusal ?? unusableFile(to, error);
        }
      },
      close: () => database.close(),
    };
  } catch (error) {
    stop?.();
    throw unusableFile(file, error);
  }
};
