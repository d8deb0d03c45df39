/**
 * The SQLite engine: `node:sqlite` where the runtime has it with a SQLite that is safe, else the pinned package with the same API.
 */
import { createRequire } from 'node:module';

export type SqliteValue = null | number | bigint | string | Uint8Array;

export interface SqliteStatement {
  run(...values: readonly SqliteValue[]): { readonly changes: number | bigint };
  get(...values: readonly SqliteValue[]): unknown;
  all(...values: readonly SqliteValue[]): readonly unknown[];
}

/** One synchronous connection. */
export interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  /** Undoes an open transaction. */
  close(): void;
}

interface SqliteModule {
  readonly DatabaseSync: new (file: string) => SqliteDatabase;
}

/** Before 3.51.3 a WAL reset at the wrong moment can corrupt the file. */
const safeVersion = [3, 51, 3] as const;

const isSafe = (version: string | undefined): boolean => {
  if (version === undefined) return false;
  const parts = version.split('.').map(Number);
  const differing = safeVersion.findIndex((least, index) => parts[index] !== least);
  return differing === -1 || (parts[differing] ?? 0) > (safeVersion[differing] ?? 0);
};

const chooseModule = (): SqliteModule =>
  isSafe(process.versions['sqlite'])
    ? (process.getBuiltinModule('node:sqlite') as unknown as SqliteModule)
    : (createRequire(import.meta.url)('@photostructure/sqlite') as SqliteModule);

let chosen: SqliteModule | undefined;

/** Opens a connection to the file, creating it when absent. Throws the engine's error when it cannot. */
export const openDatabase = (file: string): SqliteDatabase => {
  chosen ??= chooseModule();
  const connection = new chosen.DatabaseSync(file);
  return {
    exec: (sql) => connection.exec(sql),
    prepare: (sql) => connection.prepare(sql),
    close: () => {
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
