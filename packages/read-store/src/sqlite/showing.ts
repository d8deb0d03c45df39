import type { Pokes } from '../pokes.ts';
import { checkCommit, checkQuery, checkWalk, refusalOf } from '../documents.ts';
import {
  type Commit,
  type CommitResult,
  CorruptDocument,
  type DeclaredFields,
  type ReadDocument,
  type ReadStore,
  type ScannedDocument,
} from '../read-store.ts';
import { changesIn } from './changes.ts';
import { type ActiveCheckpoints, storedCheckpoint } from './checkpoints.ts';
import { type DocumentRow, documentOf, rowColumns } from './document-rows.ts';
import { eachSql, type QuerySql, querySql, walkSql } from './query-sql.ts';
import { emptied, raiseStoreFloor, type Tables } from './schema.ts';
import { type Prepare, type StoreConnection, shortRead, sliceRows, turn } from './store-connection.ts';

/** So many are read and taken between two turns: whoever reads all of them does more with each than a query. */
const passingRows = 200;
/** Who reads each document looks at every page once: what is kept of them is of no use. */
const passingCache = 'PRAGMA cache_size = -2048';

/** What a store does with one of its contents. */
export type Showing = Pick<
  ReadStore,
  | 'get'
  | 'getMany'
  | 'query'
  | 'readEach'
  | 'commit'
  | 'checkpoint'
  | 'changesSince'
  | 'scan'
  | 'walk'
  | 'onPoke'
  | 'clear'
>;

export interface ShowingDeps {
  readonly connection: StoreConnection;
  readonly declared: DeclaredFields;
  readonly checkpoints: ActiveCheckpoints;
  readonly listeners: Pokes;
  /** Writes a commit into these tables, inside the caller's transaction. */
  readonly write: (tables: Tables, commit: Commit) => void;
}

/** The store as it shows one content, whichever that is when it is asked. Only who reads the active one is poked. */
export const showing = (
  { connection, declared, checkpoints, listeners, write }: ShowingDeps,
  tablesNow: (prepareOn: Prepare) => Tables,
  isActive: boolean,
): Showing => {
  const { file, database, prepare, answer, within, inSnapshot } = connection;

  const toDocument = (row: DocumentRow): ReadDocument => documentOf(file, row);
  const toScanned = (row: DocumentRow): ScannedDocument => {
    const { kind, id } = row;
    try {
      return { kind, id, doc: toDocument(row) };
    } catch (error) {
      if (error instanceof CorruptDocument) return { kind, id, doc: null };
      throw error;
    }
  };

  const commitNow = (commit: Commit): CommitResult => {
    const tables = tablesNow(prepare);
    const refused = refusalOf(commit, storedCheckpoint(prepare, tables, commit.checkpoint.partition));
    if (refused !== null) return refused;
    write(tables, commit);
    return { kind: 'committed' };
  };

  return {
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

    query: async (kind, query) => {
      checkQuery(declared, kind, query);
      return answer(async () => {
        const total = (prepareOn: Prepare, sql: QuerySql): number =>
          (prepareOn(sql.count).get(...sql.values) as { readonly total: number }).total;
        if (query.limit !== undefined && query.limit <= shortRead) {
          return within('BEGIN', () => {
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
        const result = within('BEGIN IMMEDIATE', () => commitNow(commit));
        if (result.kind === 'committed' && isActive) {
          const { partition, position } = commit.checkpoint;
          checkpoints.forget(partition);
          listeners.send({ partition, position });
        }
        return result;
      });
    },

    checkpoint: (partition) =>
      answer(() => (isActive ? checkpoints.get(partition) : storedCheckpoint(prepare, tablesNow(prepare), partition))),

    changesSince: (request) => answer(() => changesIn(connection, tablesNow, request)),

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
        within('BEGIN IMMEDIATE', () => {
          const tables = tablesNow(prepare);
          database.exec(`${isActive ? raiseStoreFloor([tables]) : ''} ${emptied(tables)}`);
        });
        checkpoints.forget();
      }),
  };
};
