/**
 * The ReadStore in a SQLite file of its own. Everything in it can be folded again from the log.
 */
import {
  byPositionKindAndId,
  checkCommit,
  checkDeclaration,
  checkQuery,
  needsReset,
  scopeEntries,
} from '../documents.ts';
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
import { type DocumentRow, documentOf, rowColumns, rowOf } from './document-rows.ts';
import type { SqliteDatabase, SqliteStatement } from './engine.ts';
import { querySql } from './query-sql.ts';
import { connect, openSchema } from './schema.ts';

export interface SqliteReadStoreOptions {
  /** Path of the database; made when absent, its folder must exist. */
  readonly file: string;
  readonly declared: DeclaredFields;
}

/** More rows than this are read on a connection of their own, in slices between which other work runs. */
const shortRead = 1_000;
const sliceRows = 500;
const keptStatements = 256;

const documentColumns = rowColumns
  .split(', ')
  .map((column) => `d.${column}`)
  .join(', ');

const changesSql = (condition: string): string => `
  SELECT e.position AS at, e.document, e.gone, ${documentColumns}
  FROM entries e JOIN documents d ON d.key = e.document
  WHERE e.scope = ? AND (e.position, e.document) > (?, ?)${condition}
  ORDER BY e.position, e.document LIMIT ?`;
const presentSql = changesSql(' AND e.gone = 0');
const changedSql = changesSql('');
/** Above every key, so that a slice begins behind all documents of a position. */
const lastDocument = Number.MAX_SAFE_INTEGER;

interface ChangeRow extends DocumentRow {
  readonly at: Position;
  readonly document: number;
  readonly gone: number;
}

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** Statements of one connection by their text. */
const statements = (database: SqliteDatabase) => {
  const kept = new Map<string, SqliteStatement>();
  return (sql: string): SqliteStatement => {
    const known = kept.get(sql);
    if (known !== undefined) return known;
    if (kept.size >= keptStatements) kept.clear();
    const statement = database.prepare(sql);
    kept.set(sql, statement);
    return statement;
  };
};

type Prepare = (sql: string) => SqliteStatement;

const within = <Result>(database: SqliteDatabase, begin: string, work: () => Result): Result => {
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

const writer = (prepare: Prepare) => {
  const scopeByName = prepare('SELECT key FROM scopes WHERE licence = ? AND scope = ?');
  const addScope = prepare('INSERT INTO scopes (licence, scope) VALUES (?, ?) RETURNING key');
  const raiseFloor = prepare('UPDATE scopes SET floor = max(coalesce(floor, 0), ?) WHERE key = ?');
  const findDocument = prepare(
    'SELECT key, licence, position, deleted, scopes, left_scopes FROM documents WHERE kind = ? AND id = ?',
  );
  const addDocument = prepare(`INSERT INTO documents (${rowColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING key`);
  const changeDocument = prepare(
    'UPDATE documents SET licence = ?, position = ?, deleted = ?, scopes = ?, left_scopes = ?, data = ?, checksum = ? WHERE key = ?',
  );
  const addEntry = prepare('INSERT OR REPLACE INTO entries (scope, position, document, gone) VALUES (?, ?, ?, ?)');
  const removeEntry = prepare('DELETE FROM entries WHERE scope = ? AND position = ? AND document = ?');
  const setCheckpoint = prepare('INSERT OR REPLACE INTO checkpoints (partition, position, fence) VALUES (?, ?, ?)');

  return (commit: Commit): void => {
    const scopeKeys = new Map<string, number>();
    const scopeKey = (licence: string, scope: string): number => {
      const name = JSON.stringify([licence, scope]);
      const known = scopeKeys.get(name);
      if (known !== undefined) return known;
      const { key } = (scopeByName.get(licence, scope) ?? addScope.get(licence, scope)) as { readonly key: number };
      scopeKeys.set(name, key);
      return key;
    };

    for (const doc of commit.docs) {
      const row = rowOf(doc);
      const earlier = findDocument.get(row.kind, row.id) as (DocumentRow & { readonly key: number }) | undefined;
      let key: number;
      if (earlier === undefined) {
        const added = addDocument.get(
          row.kind,
          row.id,
          row.licence,
          row.position,
          row.deleted,
          row.scopes,
          row.left_scopes,
          row.data,
          row.checksum,
        );
        key = (added as { readonly key: number }).key;
      } else {
        key = earlier.key;
        const entriesBefore = scopeEntries({
          ...doc,
          position: earlier.position,
          scopes: JSON.parse(earlier.scopes) as ReadDocument['scopes'],
          left: JSON.parse(earlier.left_scopes) as ReadDocument['left'],
        });
        for (const { scope, position } of entriesBefore)
          removeEntry.run(scopeKey(earlier.licence, scope), position, key);
        changeDocument.run(
          row.licence,
          row.position,
          row.deleted,
          row.scopes,
          row.left_scopes,
          row.data,
          row.checksum,
          key,
        );
      }
      for (const { scope, position, gone } of scopeEntries(doc)) {
        addEntry.run(scopeKey(doc.licenceId, scope), position, key, gone ? 1 : 0);
      }
    }
    for (const { licenceId, scope } of commit.floors ?? []) {
      raiseFloor.run(commit.checkpoint.position, scopeKey(licenceId, scope));
    }
    const { partition, position, fence } = commit.checkpoint;
    setCheckpoint.run(partition, position, fence);
  };
};

/**
 * Opens or makes the store. Throws an Error naming the file when it is corrupt, no read store, or written by a newer version.
 * Reads and commits run on the calling thread; long reads yield between slices and see one snapshot.
 */
export const sqliteReadStore = ({ file, declared }: SqliteReadStoreOptions): ReadStore => {
  const named = (error: unknown): Error =>
    error instanceof CorruptDocument
      ? error
      : new Error(`Read store ${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
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
      write: writer((sql) => database.prepare(sql)),
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
    const reset = since !== undefined && needsReset(since, position, found?.floor ?? null);
    const whole = since === undefined || reset;
    return {
      position,
      reset,
      sql: whole ? presentSql : changedSql,
      key: found?.key ?? null,
      after: whole ? -1 : since,
    };
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

    changesSince: (request) =>
      answer(async () => {
        const short = within(database, 'BEGIN', () => {
          const plan = planChanges(prepare, request);
          const rows =
            plan.key === null ? [] : prepare(plan.sql).all(plan.key, plan.after, lastDocument, shortRead + 1);
          return rows.length > shortRead ? null : { plan, docs: rows.map((row) => toChange(row as ChangeRow)) };
        });
        if (short !== null) {
          const { plan, docs } = short;
          return { docs: docs.sort(byPositionKindAndId), position: plan.position, reset: plan.reset };
        }
        return inSnapshot(async (prepareOn) => {
          const plan = planChanges(prepareOn, request);
          const slice = prepareOn(plan.sql);
          const docs: Changes['docs'][number][] = [];
          let from: readonly [Position, number] = [plan.after, lastDocument];
          for (;;) {
            const rows = slice.all(plan.key, ...from, sliceRows) as readonly ChangeRow[];
            for (const row of rows) docs.push(toChange(row));
            const last = rows.at(-1);
            if (last === undefined || rows.length < sliceRows) break;
            from = [last.at, last.document];
            await turn();
          }
          return { docs: docs.sort(byPositionKindAndId), position: plan.position, reset: plan.reset };
        });
      }),

    onPoke: listeners.add,

    clear: () =>
      answer(() => {
        within(database, 'BEGIN IMMEDIATE', () =>
          database.exec('DELETE FROM entries; DELETE FROM documents; DELETE FROM scopes; DELETE FROM checkpoints;'),
        );
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
