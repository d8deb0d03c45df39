import { stat } from 'node:fs/promises';
import { countDocuments } from '@zakup/read-store/sqlite/count-documents';
import { openDatabase, type Database } from '@zakup/sqlite/engine';
import type { StoreFiles } from '../data-dir/store-files.ts';

/** One file of the data folder: bytes of it and of what SQLite keeps beside, and how many rows its tables have. */
export interface StoreFigures {
  readonly bytes: number;
  readonly walBytes: number;
  /** Version of its form. */
  readonly version: number;
  /** Of its pages, those that hold nothing. */
  readonly pages: { readonly all: number; readonly free: number };
  readonly rows: Readonly<Record<string, number>>;
}

/** Why a file could not be looked at: the engine's code alone, as its words may quote what is in it. */
export interface Unreadable {
  readonly unreadable: string;
}

const bytesOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  );

const numberOf = (database: Database, sql: string): number =>
  Number(Object.values((database.prepare(sql).get() ?? {}) as Record<string, unknown>)[0] ?? 0);

const textsOf = (database: Database, sql: string): readonly string[] =>
  (database.prepare(sql).all() as Record<string, unknown>[]).map((row) => String(Object.values(row)[0]));

const codeOf = (error: unknown): string => {
  const { code, errcode } = error as { readonly code?: string; readonly errcode?: number };
  return `${code ?? 'unknown'} ${errcode ?? ''}`.trim();
};

/** Opens a file to be read and asks it; it may be in use. */
const asked = <Result>(file: string, ask: (database: Database) => Result): Result | Unreadable => {
  try {
    const database = openDatabase(file, { readOnly: true });
    try {
      return ask(database);
    } finally {
      database.close();
    }
  } catch (error) {
    return { unreadable: codeOf(error) };
  }
};

const figuresOf = async (file: string): Promise<StoreFigures | Unreadable | null> => {
  const [bytes, walBytes] = await Promise.all([bytesOf(file), bytesOf(`${file}-wal`)]);
  if (bytes === 0) return null;
  return asked(file, (database) => ({
    bytes,
    walBytes,
    version: numberOf(database, 'PRAGMA user_version'),
    pages: { all: numberOf(database, 'PRAGMA page_count'), free: numberOf(database, 'PRAGMA freelist_count') },
    rows: Object.fromEntries(
      textsOf(database, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").map(
        (table) => [table, numberOf(database, `SELECT count(*) FROM "${table}"`)],
      ),
    ),
  }));
};

/** What an error said, without anything that it may quote: of Latin letters alone, up to the first quotation. */
export const withoutQuotes = (reason: string): string =>
  (/^[^"'«`“]*/u.exec(reason)?.[0] ?? '')
    .replaceAll(/[^\u0020-\u007e]/gu, '·')
    .slice(0, 160)
    .trim();

/** A licence that is not folded any further. */
export interface ParkedFigure {
  readonly licenceId: string;
  /** −1: what is stored of it cannot be read. */
  readonly position: number;
  readonly reason: string;
  /** Its log is not what was sealed. */
  readonly halted: boolean;
}

const parkedFigure = (licenceId: string, data: string): ParkedFigure => {
  try {
    const stored = JSON.parse(data) as Readonly<Record<string, unknown>>;
    const reason = typeof stored['reason'] === 'string' ? withoutQuotes(stored['reason']) : '';
    return { licenceId, position: Number(stored['position']), reason, halted: stored['halted'] === true };
  } catch {
    return { licenceId, position: -1, reason: '', halted: false };
  }
};

const documentsOf = (file: string) =>
  asked(file, (database) => {
    const { kinds, parked } = countDocuments(database, file);
    return { kinds, parked: parked.map(({ licenceId, data }) => parkedFigure(licenceId, data)) };
  });

/** Figures of the embedded stores, read beside a process that uses them. `null`: there is no such file. */
export const storeFigures = async ({ events, readModels, credentials, seals }: StoreFiles) => ({
  events: await figuresOf(events),
  readModels: await figuresOf(readModels),
  credentials: await figuresOf(credentials),
  seals: await figuresOf(seals),
  documents: (await bytesOf(readModels)) === 0 ? null : documentsOf(readModels),
});
