/**
 * The ReadStore in a SQLite file of its own. Everything in it can be folded again from the log.
 */
import type { Database, Statement } from '@zakup/sqlite/engine';
import { unusableFile } from '@zakup/sqlite/unusable-file';
import { byPositionKindAndId, checkCommit, checkDeclaration, checkQuery, needsReset, noFloor } from '../documents.ts';
import { pokes } from '../pokes.ts';
import {
  type Changes,
  type Checkpoint,
  type Commit,
  type CommitResult,
  CorruptDocument,
  type DeclaredFields,
  type Position,
  type Query,
  type ReadDocument,
  type ReadStore,
} from '../read-store.ts';
import { type Bound, type ChangeRow, changedPages, presentPages } from './changes-sql.ts';
import { type DocumentRow, documentOf, rowColumns } from './document-rows.ts';
import { querySql, eachSql } from './query-sql.ts';
import { clearAll, connect, openSchema, reachedPosition } from './schema.ts';
import { writer } from './writer.ts';

export interface SqliteReadStoreOptions {
  /** Path of the database; made when absent, its folder must exist. */
  readonly file: string;
  readonly declared: DeclaredFields;
}

/** A read store in a file, which also knows how far the log had come. */
export interface SqliteReadStore extends ReadStore {
  /** The highest checkpoint that this file ever held, also before a clearing or in an earlier schema: the log must reach at least as far. */
  reached(): Promise<Position>;
}

/** More rows than this are read on a connection of their own, in slices between which other work runs. */
const shortRead = 1_000;
const sliceRows = 500;
const keptStatements = 256;
/** Who reads each document looks at every page once: what is kept of them is of no use. */
const passingCache = 'PRAGMA cache_size = -2048';

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** Statements of one connection by their text. */
const statements = (database: Database) => {
  const kept = new Map<string, Statement>();
  return (sql: string): Statement => {
    const known = kept.get(sql);
    if (known !== undefined) return known;
    if (kept.size >= keptStatements) kept.clear();
    const statement = database.prepare(sql);
    kept.set(sql, statement);
    return statement;
  };
};

type Prepare = (sql: string) => Statement;

const within = <Result>(database: Database, begin: string, work: () => Result): Result => {
  database.exec(begin);
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    try {
      database.exec('ROLLBACK');
    } catch {
      // A full disk or a broken file may have ended the transaction already; the first error is the one to tell.
    }
    throw error;
  }
};

/**
 * Opens or makes the store. Throws an Error naming the file when it is corrupt, no read store, or written by a newer version.
 * Reads and commits run on the calling thread; long reads yield between slices and see one snapshot.
 */
export const sqliteReadStore = ({ file, declared }: SqliteReadStoreOptions): SqliteReadStore => {
  const named = (error: unknown): Error => {
    if (error instanceof CorruptDocument) return error;
    const cause = unusableFile(file, error);
    return new Error(`Read store ${cause.message}`, { cause });
  };
  const naming = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw named(error);
    }
  };

  checkDeclaration(declared);
  const database = naming(() => openSchema(file, declared));
  const { prepare, write, dataVersion, checkpointOf } = naming(() => {
    const ofDatabase = statements(database);
    return {
      prepare: ofDatabase,
      write: writer((sql) => database.prepare(sql), declared),
      dataVersion: database.prepare('PRAGMA data_version'),
      checkpointOf: database.prepare('SELECT partition, position, fence FROM checkpoints WHERE partition = ?'),
    };
  });
  const listeners = pokes();
  const snapshots = new Set<Promise<unknown>>();
  let open = true;

  const ensureOpen = (): void => {
    if (!open) throw new Error(`Read store ${file} is closed`);
  };

  const storedCheckpoint = (prepareOn: Prepare, partition: string): Checkpoint | null =>
    (prepareOn('SELECT partition, position, fence FROM checkpoints WHERE partition = ?').get(partition) as
      | Checkpoint
      | undefined) ?? null;

  // The engine counts the commits of other connections, so what was read stays true until that number moves.
  const cached = new Map<string, Checkpoint | null>();
  let cachedVersion: unknown;
  const checkpoint = (partition: string): Checkpoint | null => {
    const version = (dataVersion.get() as { readonly data_version: number }).data_version;
    if (version !== cachedVersion) cached.clear();
    cachedVersion = version;
    const known = cached.get(partition);
    if (known !== undefined) return known;
    const stored = (checkpointOf.get(partition) as Checkpoint | undefined) ?? null;
    cached.set(partition, stored);
    return stored;
  };

  /** Runs the work on a connection and in a read transaction of its own. */
  const inSnapshot = async <Result>(work: (prepareOn: Prepare) => Promise<Result>): Promise<Result> => {
    const run = async (): Promise<Result> => {
      const connection = connect(file);
      try {
        connection.exec('BEGIN');
        return await work((sql) => connection.prepare(sql));
      } finally {
        connection.close();
      }
    };
    const running = run();
    snapshots.add(running);
    try {
      return await running;
    } finally {
      snapshots.delete(running);
    }
  };

  const toDocument = (row: DocumentRow): ReadDocument => documentOf(file, row);
  const toChange = (row: ChangeRow): Changes['docs'][number] => ({
    doc: documentOf(file, row),
    gone: row.gone === 1,
    position: row.at,
  });

  /** What to read to answer a request for changes, as of the connection's snapshot. */
  const planChanges = (prepareOn: Prepare, request: Parameters<ReadStore['changesSince']>[0]) => {
    const { licenceId, scope, since, partition } = request;
    const position = storedCheckpoint(prepareOn, partition)?.position ?? 0;
    const found = prepareOn('SELECT key, floor FROM scopes WHERE licence = ? AND scope = ?').get(licenceId, scope) as
      | { readonly key: number; readonly floor: Position | null }
      | undefined;
    const store = prepareOn('SELECT position FROM store_floor').get() as { readonly position: Position };
    const floor = Math.max(found?.floor ?? noFloor, store.position);
    const reset = since !== undefined && needsReset(since, position, floor);
    const whole = since === undefined || reset;
    const pages =
      found === undefined
        ? null
        : whole
          ? presentPages(prepareOn, found.key)
          : changedPages(prepareOn, { licenceId, scopeKey: found.key, since });
    return { position, reset, pages };
  };

  const answer = async <Result>(work: () => Result | Promise<Result>): Promise<Result> => {
    ensureOpen();
    try {
      return await work();
    } catch (error) {
      throw named(error);
    }
  };

  const commitNow = (commit: Commit): CommitResult => {
    const stored = storedCheckpoint(prepare, commit.checkpoint.partition);
    if (stored !== null) {
      if (commit.checkpoint.fence < stored.fence) return { kind: 'lost_lease', fence: stored.fence };
      const ahead = commit.checkpoint.position - stored.position;
      if (ahead < 0 || (ahead === 0 && commit.docs.length > 0)) {
        return { kind: 'older_checkpoint', stored: stored.position };
      }
    }
    write(commit);
    return { kind: 'committed' };
  };

  return {
    get: (kind, id) =>
      answer(() => {
        const row = prepare(`SELECT ${rowColumns} FROM documents WHERE kind = ? AND id = ?`).get(kind, id);
        return row === undefined ? null : toDocument(row as DocumentRow);
      }),

    getMany: (kind, ids) =>
      answer(() => {
        const one = prepare(`SELECT ${rowColumns} FROM documents WHERE kind = ? AND id = ?`);
        return ids
          .map((id) => one.get(kind, id) as DocumentRow | undefined)
          .filter((row) => row !== undefined)
          .map(toDocument);
      }),

    query: async (kind, query: Query) => {
      checkQuery(declared, kind, query);
      return answer(async () => {
        const sql = querySql(kind, query);
        const total = (prepareOn: Prepare): number =>
          (prepareOn(sql.count).get(...sql.values) as { readonly total: number }).total;
        if (query.limit !== undefined && query.limit <= shortRead) {
          return within(database, 'BEGIN', () => ({
            docs: prepare(sql.select)
              .all(...sql.values, ...sql.page)
              .map((row) => toDocument(row as DocumentRow)),
            total: total(prepare),
          }));
        }
        return inSnapshot(async (prepareOn) => {
          const keys = prepareOn(sql.selectKeys).all(...sql.values, ...sql.page) as readonly { readonly key: number }[];
          const one = prepareOn(`SELECT ${rowColumns} FROM documents WHERE key = ?`);
          const docs: ReadDocument[] = [];
          for (const { key } of keys) {
            docs.push(toDocument(one.get(key) as DocumentRow));
            if (docs.length % sliceRows === 0) await turn();
          }
          return { docs, total: total(prepareOn) };
        });
      });
    },

    readEach: async (kind, query, take) => {
      checkQuery(declared, kind, query);
      const { select, values } = eachSql(kind, query);
      return answer(() =>
        inSnapshot(async (prepareOn) => {
          prepareOn(passingCache).get();
          const slice = prepareOn(select);
          for (let after = -1; ; ) {
            const rows = slice.all(...values, after, sliceRows) as unknown as readonly (DocumentRow & {
              key: number;
            })[];
            const last = rows.at(-1);
            if (last === undefined) return;
            await take(rows.map(toDocument));
            after = last.key;
            await turn();
          }
        }),
      );
    },

    commit: async (commit) => {
      checkCommit(commit);
      return answer(() => {
        const result = within(database, 'BEGIN IMMEDIATE', () => commitNow(commit));
        if (result.kind === 'committed') {
          const { partition, position } = commit.checkpoint;
          cached.delete(partition);
          listeners.send({ partition, position });
        }
        return result;
      });
    },

    checkpoint: (partition) => answer(() => checkpoint(partition)),

    reached: () => answer(() => (prepare(reachedPosition).get() as { readonly reached: Position }).reached),

    changesSince: (request) =>
      answer(async () => {
        const short = within(database, 'BEGIN', () => {
          const { pages, position, reset } = planChanges(prepare, request);
          if (pages === null) return { docs: [], position, reset };
          const { start, end } = pages;
          if (pages.bound(start, shortRead) !== null) return null;
          return { docs: pages.rows(start, end).map(toChange).sort(byPositionKindAndId), position, reset };
        });
        if (short !== null) return short;
        return inSnapshot(async (prepareOn) => {
          const { pages, position, reset } = planChanges(prepareOn, request);
          const docs: Changes['docs'][number][] = [];
          if (pages === null) return { docs, position, reset };
          for (let from: Bound | null = pages.start; from !== null; ) {
            const to: Bound | null = pages.bound(from, sliceRows);
            for (const row of pages.rows(from, to ?? pages.end)) docs.push(toChange(row));
            from = to;
            await turn();
          }
          return { docs: docs.sort(byPositionKindAndId), position, reset };
        });
      }),

    onPoke: listeners.add,

    clear: () =>
      answer(() => {
        within(database, 'BEGIN IMMEDIATE', () => database.exec(clearAll));
        cached.clear();
      }),

    close: async () => {
      if (!open) return;
      open = false;
      listeners.clear();
      await Promise.allSettled(snapshots);
      naming(() => {
        // Never waits for other connections: what stays in the WAL is read from there.
        database.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
        database.close();
      });
    },
  };
};
