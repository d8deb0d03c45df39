import type { backup, DatabaseSync } from '@photostructure/sqlite';
import { ownersDatabaseFile } from './owner-only.ts';
import { isSafeVersion } from './safe-version.ts';

export type SqliteValue = null | number | bigint | string | Uint8Array;

/** A prepared statement; values are bound in the order of the question marks. All throw the engine's error. */
export interface Statement {
  run(...values: readonly SqliteValue[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
  /** The first row, or undefined. */
  get(...values: readonly SqliteValue[]): unknown;
  all(...values: readonly SqliteValue[]): readonly unknown[];
  /** Rows are objects by column, until this asks for arrays. */
  setReturnArrays(asArrays: boolean): void;
}

/** How far a copy has come. */
export interface CopiedPages {
  readonly totalPages: number;
  readonly remainingPages: number;
}

/** One synchronous connection; another's lock is waited for up to 5 s. All throw the engine's error. */
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  /**
   * Copies the database to a file, which is its owner's alone, some pages at a time in another thread, as it is when the copy ends; where a
   * transaction is open, as that sees it. What `onPages` throws ends it, leaving part of a file.
   */
  copyTo(file: string, onPages?: (pages: CopiedPages) => void): Promise<void>;
  /** Whether a transaction is open. */
  readonly isTransaction: boolean;
  /** Undoes an open transaction first. */
  close(): void;
}

/** `node:sqlite` where it is there and its SQLite is safe, else the same API from a package. */
const engine = isSafeVersion(process.versions['sqlite'])
  ? (process.getBuiltinModule('node:sqlite') as {
      readonly DatabaseSync: typeof DatabaseSync;
      readonly backup: typeof backup;
    })
  : await import('@photostructure/sqlite');

/** 2 MB of the largest pages in use: other work of the process goes between two steps. */
const pagesPerStep = 256;

/** Opens a database file; unless `readOnly`, it is made where it is absent, and its owner's alone. Throws the engine's error. */
export const openDatabase = (file: string, { readOnly = false }: { readonly readOnly?: boolean } = {}): Database => {
  if (!readOnly && file !== ':memory:') ownersDatabaseFile(file);
  const connection = new engine.DatabaseSync(file, { readOnly, timeout: 5000 });
  return {
    exec: (sql) => connection.exec(sql),
    prepare: (sql) => connection.prepare(sql),
    async copyTo(to, onPages) {
      ownersDatabaseFile(to);
      await engine.backup(connection, to, { rate: pagesPerStep, ...(onPages && { progress: onPages }) });
    },
    get isTransaction() {
      return connection.isTransaction;
    },
    close() {
      // The package frees a closed connection only when its statements are collected; until then an open transaction would keep its locks.
      try {
        connection.exec('ROLLBACK');
      } catch {
        // No transaction was open.
      }
      connection.close();
    },
  };
};
