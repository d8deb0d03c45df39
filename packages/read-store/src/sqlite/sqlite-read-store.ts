/**
 * The ReadStore in a SQLite file of its own. Everything in it can be folded again from the log.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Database, Statement } from '@zakup/sqlite/engine';
import { unusableFile } from '@zakup/sqlite/unusable-file';
import {
  byPositionKindAndId,
  checkCommit,
  checkDeclaration,
  checkQuery,
  checkWalk,
  needsReset,
  noFloor,
  refusalOf,
} from '../documents.ts';
import { pokes } from '../pokes.ts';
import {
  type Changes,
  type Checkpoint,
  type Commit,
  type CommitResult,
  CorruptDocument,
  type DeclaredFields,
  type Generation,
  type JsonObject,
  type NextGeneration,
  type Position,
  type Query,
  type ReadDocument,
  type ReadStore,
  type ScannedDocument,
} from '../read-store.ts';
import { type Bound, type ChangeRow, changedPages, presentPages } from './changes-sql.ts';
import { type DocumentRow, documentOf, rowColumns } from './document-rows.ts';
import { eachSql, type QuerySql, querySql, walkSql } from './query-sql.ts';
import {
  connect,
  createTables,
  dropTables,
  emptied,
  openSchema,
  raiseStoreFloor,
  reachedPosition,
  type Tables,
  tablesOf,
} from './schema.ts';
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
/** Rows of a former content that are removed before others get their turn. */
const removedAtOnce = 500;
/** So many are read and taken between two turns: whoever reads all of them does more with each than a query. */
const passingRows = 200;
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

/** What is of the store, and of none of its contents. */
type WholeStore = Pick<
  ReadStore,
  'generations' | 'noteVersion' | 'beginNext' | 'dropNext' | 'removeFormer' | 'notice' | 'note' | 'close'
>;

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
  const { prepare, dataVersion } = naming(() => ({
    prepare: statements(database),
    dataVersion: database.prepare('PRAGMA data_version'),
  }));
  const writers = new Map<number, ReturnType<typeof writer>>();
  const writerOf = (tables: Tables): ReturnType<typeof writer> => {
    const known = writers.get(tables.number) ?? writer((sql) => database.prepare(sql), tables, declared);
    writers.set(tables.number, known);
    return known;
  };
  const listeners = pokes();
  const snapshots = new Set<Promise<unknown>>();
  let open = true;

  const ensureOpen = (): void => {
    if (!open) throw new Error(`Read store ${file} is closed`);
  };

  const answer = async <Result>(work: () => Result | Promise<Result>): Promise<Result> => {
    ensureOpen();
    try {
      return await work();
    } catch (error) {
      throw named(error);
    }
  };

  const inState = (prepareOn: Prepare, state: 'active' | 'next' | 'former'): readonly Generation[] =>
    prepareOn('SELECT number, version FROM generations WHERE state = ? ORDER BY number').all(
      state,
    ) as readonly Generation[];

  const activeTables = (prepareOn: Prepare): Tables => {
    const [active] = inState(prepareOn, 'active');
    if (active === undefined) throw new Error(`Read store ${file} says of no content that it is the one to be read`);
    return tablesOf(active.number);
  };

  const storedCheckpoint = (prepareOn: Prepare, { checkpoints }: Tables, partition: string): Checkpoint | null =>
    (prepareOn(`SELECT partition, position, fence FROM ${checkpoints} WHERE partition = ?`).get(partition) as
      | Checkpoint
      | undefined) ?? null;

  // The engine counts the commits of other connections, so what was read stays true until that number moves.
  const cached = new Map<string, Checkpoint | null>();
  let cachedVersion: unknown;
  const activeCheckpoint = (partition: string): Checkpoint | null => {
    const version = (dataVersion.get() as { readonly data_version: number }).data_version;
    if (version !== cachedVersion) cached.clear();
    cachedVersion = version;
    const known = cached.get(partition);
    if (known !== undefined) return known;
    const stored = storedCheckpoint(prepare, activeTables(prepare), partition);
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
  const toScanned = (row: DocumentRow): ScannedDocument => {
    const { kind, id } = row;
    try {
      return { kind, id, doc: toDocument(row) };
    } catch (error) {
      if (error instanceof CorruptDocument) return { kind, id, doc: null };
      throw error;
    }
  };

  /** The store as it shows one content, whichever that is when it is asked. */
  const showing = (tablesNow: (prepareOn: Prepare) => Tables, isActive: boolean) => {
    /** What to read to answer a request for changes, as of the connection's snapshot. */
    const planChanges = (prepareOn: Prepare, request: Parameters<ReadStore['changesSince']>[0]) => {
      const { licenceId, scope, since, partition } = request;
      const tables = tablesNow(prepareOn);
      const position = storedCheckpoint(prepareOn, tables, partition)?.position ?? 0;
      const found = prepareOn(`SELECT key, floor FROM ${tables.scopes} WHERE licence = ? AND scope = ?`).get(
        licenceId,
        scope,
      ) as { readonly key: number; readonly floor: Position | null } | undefined;
      const store = prepareOn('SELECT position FROM store_floor').get() as { readonly position: Position };
      const floor = Math.max(found?.floor ?? noFloor, store.position);
      const reset = since !== undefined && needsReset(since, position, floor);
      const whole = since === undefined || reset;
      const pages =
        found === undefined
          ? null
          : whole
            ? presentPages(prepareOn, tables, found.key)
            : changedPages(prepareOn, tables, { licenceId, scopeKey: found.key, since });
      return { position, reset, pages };
    };

    const commitNow = (commit: Commit): CommitResult => {
      const tables = tablesNow(prepare);
      const refused = refusalOf(commit, storedCheckpoint(prepare, tables, commit.checkpoint.partition));
      if (refused !== null) return refused;
      writerOf(tables)(commit);
      return { kind: 'committed' };
    };

    const store: Omit<ReadStore, keyof WholeStore> = {
      get: (kind, id) =>
        answer(() => {
          const { documents } = tablesNow(prepare);
          const row = prepare(`SELECT ${rowColumns} FROM ${documents} WHERE kind = ? AND id = ?`).get(kind, id);
          return row === undefined ? null : toDocument(row as DocumentRow);
        }),

      getMany: (kind, ids) =>
        answer(() => {
          const { documents } = tablesNow(prepare);
          const one = prepare(`SELECT ${rowColumns} FROM ${documents} WHERE kind = ? AND id = ?`);
          return ids
            .map((id) => one.get(kind, id) as DocumentRow | undefined)
            .filter((row) => row !== undefined)
            .map(toDocument);
        }),

      query: async (kind, query: Query) => {
        checkQuery(declared, kind, query);
        return answer(async () => {
          const total = (prepareOn: Prepare, sql: QuerySql): number =>
            (prepareOn(sql.count).get(...sql.values) as { readonly total: number }).total;
          if (query.limit !== undefined && query.limit <= shortRead) {
            return within(database, 'BEGIN', () => {
              const sql = querySql(tablesNow(prepare), kind, query);
              return {
                docs: prepare(sql.select)
                  .all(...sql.values, ...sql.page)
                  .map((row) => toDocument(row as DocumentRow)),
                total: total(prepare, sql),
              };
            });
          }
          return inSnapshot(async (prepareOn) => {
            const tables = tablesNow(prepareOn);
            const sql = querySql(tables, kind, query);
            const keys = prepareOn(sql.selectKeys).all(...sql.values, ...sql.page) as readonly {
              readonly key: number;
            }[];
            const one = prepareOn(`SELECT ${rowColumns} FROM ${tables.documents} WHERE key = ?`);
            const docs: ReadDocument[] = [];
            for (const { key } of keys) {
              docs.push(toDocument(one.get(key) as DocumentRow));
              if (docs.length % sliceRows === 0) await turn();
            }
            return { docs, total: total(prepareOn, sql) };
          });
        });
      },

      readEach: async (kind, query, take) => {
        checkQuery(declared, kind, query);
        return answer(() =>
          inSnapshot(async (prepareOn) => {
            const { select, values } = eachSql(tablesNow(prepareOn), kind, query);
            prepareOn(passingCache).get();
            const slice = prepareOn(select);
            for (let after = -1; ; ) {
              const rows = slice.all(...values, after, passingRows) as unknown as readonly (DocumentRow & {
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
        checkCommit(declared, commit);
        return answer(() => {
          const result = within(database, 'BEGIN IMMEDIATE', () => commitNow(commit));
          if (result.kind === 'committed' && isActive) {
            const { partition, position } = commit.checkpoint;
            cached.delete(partition);
            listeners.send({ partition, position });
          }
          return result;
        });
      },

      checkpoint: (partition) =>
        answer(() =>
          isActive ? activeCheckpoint(partition) : storedCheckpoint(prepare, tablesNow(prepare), partition),
        ),

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

      scan: (licenceId, { after, limit }) =>
        answer(() => {
          const { documents } = tablesNow(prepare);
          const nextKind = prepare(`SELECT min(kind) AS kind FROM ${documents} WHERE kind > ?`);
          const page = prepare(
            `SELECT ${rowColumns} FROM ${documents}
               WHERE kind = ? AND licence = ? AND deleted = 0 AND id > ? ORDER BY id LIMIT ?`,
          );
          const found: ScannedDocument[] = [];
          let { kind, id } = after ?? { kind: '', id: '' };
          for (;;) {
            const rows = page.all(kind, licenceId, id, limit - found.length) as readonly DocumentRow[];
            found.push(...rows.map(toScanned));
            const next = (nextKind.get(kind) as { readonly kind: string | null }).kind;
            if (found.length >= limit || next === null) return found;
            [kind, id] = [next, ''];
          }
        }),

      walk: async (kind, walk) => {
        checkWalk(declared, kind, walk);
        return answer(() => {
          const { select, values } = walkSql(tablesNow(prepare).documents, kind, walk);
          return prepare(select)
            .all(...values)
            .map((row) => toDocument(row as DocumentRow));
        });
      },

      onPoke: (listener) => (isActive ? listeners.add(listener) : () => undefined),

      clear: () =>
        answer(() => {
          within(database, 'BEGIN IMMEDIATE', () => {
            const tables = tablesNow(prepare);
            database.exec(`${isActive ? raiseStoreFloor([tables]) : ''} ${emptied(tables)}`);
          });
          cached.clear();
        }),
    };
    return store;
  };

  /** Only the rows of what is read no more: they make the log of changes as long as what others wait for is small. */
  const removeSlice = (tables: Tables): boolean =>
    within(database, 'BEGIN IMMEDIATE', () => {
      const { documents, entries } = tables;
      const isThere = prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(documents);
      if (isThere !== undefined) {
        const some = `DELETE FROM ${documents} WHERE key IN (SELECT key FROM ${documents} LIMIT ${removedAtOnce})`;
        if (database.prepare(some).run().changes !== 0) return false;
        const places = `DELETE FROM ${entries} WHERE (scope, document) IN
          (SELECT scope, document FROM ${entries} LIMIT ${removedAtOnce})`;
        if (database.prepare(places).run().changes !== 0) return false;
      }
      database.exec(dropTables(tables));
      prepare('DELETE FROM generations WHERE number = ?').run(tables.number);
      return true;
    });

  const retired = (state: 'active' | 'next'): void => {
    prepare("UPDATE generations SET state = 'former' WHERE state = ?").run(state);
  };

  const removing = async (): Promise<boolean> => {
    for (;;) {
      if (!open) return false;
      const [former] = inState(prepare, 'former');
      if (former === undefined) return true;
      const began = performance.now();
      removeSlice(tablesOf(former.number));
      writers.delete(former.number);
      // As long for others as for this.
      await delay(performance.now() - began);
    }
  };

  const fenceOf = (...generations: readonly Tables[]): number =>
    Math.max(
      0,
      ...generations.map(
        ({ checkpoints }) =>
          (prepare(`SELECT coalesce(max(fence), 0) AS fence FROM ${checkpoints}`).get() as { readonly fence: number })
            .fence,
      ),
    );

  const beside = (generation: Generation): NextGeneration => {
    const tables = tablesOf(generation.number);
    const stillNext = (): Tables => {
      if (!inState(prepare, 'next').some(({ number }) => number === tables.number)) {
        throw new Error(`Read store ${file}: generation ${tables.number} is no longer built`);
      }
      return tables;
    };
    return {
      ...root,
      ...showing(stillNext, false),
      generation,
      close: async () => undefined,
      takePlace: (fence) =>
        answer(() => {
          const result = within(database, 'BEGIN IMMEDIATE', () => {
            const active = activeTables(prepare);
            const most = fenceOf(active, stillNext());
            if (most > fence) return { kind: 'lost_lease', fence: most } as const;
            database.exec(raiseStoreFloor([active, tables]));
            retired('active');
            prepare("UPDATE generations SET state = 'active' WHERE number = ?").run(tables.number);
            return { kind: 'committed' } as const;
          });
          if (result.kind === 'committed') {
            cached.clear();
            const { checkpoints } = tables;
            for (const poke of prepare(`SELECT partition, position FROM ${checkpoints}`).all())
              listeners.send(poke as Pick<Checkpoint, 'partition' | 'position'>);
          }
          return result;
        }),
    };
  };

  const root: SqliteReadStore = {
    ...showing(activeTables, true),

    reached: () =>
      answer(() => (prepare(reachedPosition(activeTables(prepare))).get() as { readonly reached: Position }).reached),

    generations: () =>
      answer(() =>
        within(database, 'BEGIN', () => {
          const [[active], [next]] = [inState(prepare, 'active'), inState(prepare, 'next')];
          if (active === undefined) throw new Error('No generation is active');
          return { active: { ...active }, next: next === undefined ? null : { ...next } };
        }),
      ),

    noteVersion: (version) =>
      answer(() => {
        prepare("UPDATE generations SET version = ? WHERE state = 'active' AND version IS NULL").run(version);
      }),

    beginNext: (version) =>
      answer(() =>
        within(database, 'BEGIN IMMEDIATE', () => {
          const [begun] = inState(prepare, 'next');
          if (begun?.version === version) return beside({ ...begun });
          retired('next');
          const { last } = prepare('SELECT max(number) AS last FROM generations').get() as { readonly last: number };
          const generation = { number: last + 1, version };
          database.exec(dropTables(tablesOf(generation.number)));
          createTables(database, tablesOf(generation.number), declared);
          prepare("INSERT INTO generations VALUES (?, ?, 'next')").run(generation.number, version);
          return beside(generation);
        }),
      ),

    dropNext: () => answer(() => retired('next')),

    removeFormer: () => answer(removing),

    notice: (name) =>
      answer(() => {
        const row = prepare('SELECT data FROM notices WHERE name = ?').get(name) as
          | { readonly data: string }
          | undefined;
        return row === undefined ? null : (JSON.parse(row.data) as JsonObject);
      }),

    note: (name, data) =>
      answer(() => {
        prepare('INSERT OR REPLACE INTO notices (name, data) VALUES (?, ?)').run(name, JSON.stringify(data));
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
  return root;
};
