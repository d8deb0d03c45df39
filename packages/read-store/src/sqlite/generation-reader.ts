import { yieldToEventLoop } from '@zakup/async/event-loop';
import type { CommitSignals } from '../commit-signals.ts';
import { checkCommit, checkQuery, checkWalk, declaredFor, memberAt, refusalOf } from '../documents.ts';
import {
  type Commit,
  type CommitResult,
  CorruptDocument,
  type DeclaredFields,
  type ReadDocument,
  type ReadStore,
  type ScannedDocument,
} from '../read-store.ts';
import { changesIn, readScopeIn } from './changes.ts';
import { type ActiveCheckpoints, storedCheckpoint } from './checkpoints.ts';
import { type DocumentRow, documentOf, rowColumns, rowOf } from './document-rows.ts';
import { queried } from './queried.ts';
import { eachSql, walkSql } from './query-sql.ts';
import { emptied, member, memberColumn, raiseStoreFloor, type Tables, tieBreaker } from './schema.ts';
import {
  aloneWriting,
  type Prepare,
  passingCache,
  type StoreConnection,
  unwatchedWriting,
  watchedWriting,
} from './store-connection.ts';

/** So many are read and taken between two turns: whoever reads all of them does more with each than a query. */
const passingRows = 200;

/** A commit of more documents, or of more characters, is written in steps between which others get their turn. */
const [shortDocuments, shortContent] = [100, 500_000] as const;

/** Takes all steps at once. */
const allSteps = <Result>(steps: Generator<void, Result>): Result => {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
};

/** What a store does with one of its contents. */
export type GenerationReader = Pick<
  ReadStore,
  | 'get'
  | 'getMany'
  | 'query'
  | 'readEach'
  | 'commit'
  | 'checkpoint'
  | 'changesSince'
  | 'readScope'
  | 'scan'
  | 'scanIndex'
  | 'onCommit'
  | 'clear'
>;

export interface GenerationReaderDeps {
  readonly connection: StoreConnection;
  readonly declared: DeclaredFields;
  readonly checkpoints: ActiveCheckpoints;
  readonly listeners: CommitSignals;
  /** Writes a commit, whose documents have these rows, into these tables, inside the caller's transaction. */
  readonly write: (
    prepareOn: Prepare,
    tables: Tables,
    commit: Commit,
    rows: Iterable<DocumentRow>,
  ) => Generator<void, void>;
}

/** Of one content. */
export interface ShownContent {
  readonly isActive: boolean;
  /** Nobody else waits for the thread while it is written. */
  readonly isAlone: boolean;
  readonly tablesWritten: (prepareOn: Prepare) => Tables;
  /** Which of the declared fields have indexes. */
  readonly findable: DeclaredFields;
}

type TablesOn = (prepareOn: Prepare) => Tables;

/** What it is found and sorted by stands beside the document's content, outside its checksum. */
const isFoundAsItSays = (row: DocumentRow, { data }: ReadDocument, fields: readonly string[]): boolean =>
  fields.every((field) => Reflect.get(row, memberColumn(field)) === memberAt(data, field));

const toScanned = (file: string, row: DocumentRow, fields: readonly string[]): ScannedDocument => {
  const { kind, id } = row;
  try {
    const doc = documentOf(file, row);
    return { kind, id, doc: isFoundAsItSays(row, doc, fields) ? doc : null };
  } catch (error) {
    if (error instanceof CorruptDocument) return { kind, id, doc: null };
    throw error;
  }
};

/** `ReadStore.readEach`, after its checks. */
const readEachIn = (
  { file, inSnapshot }: StoreConnection,
  tablesNow: TablesOn,
  ...[kind, query, take]: Parameters<ReadStore['readEach']>
): Promise<void> =>
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
      await take(rows.map((row) => documentOf(file, row)));
      after = last.key;
      await yieldToEventLoop();
    }
  });

/** `ReadStore.scan`. */
const scanIn = (
  { file, prepare }: StoreConnection,
  declared: DeclaredFields,
  { documents }: Tables,
  ...[licenceId, { after, limit }]: Parameters<ReadStore['scan']>
): readonly ScannedDocument[] => {
  const nextKind = prepare(`SELECT min(kind) AS kind FROM ${documents} WHERE kind > ?`);
  const fieldsOf = (kind: string): readonly string[] => [...new Set([tieBreaker, ...declaredFor(declared, kind)])];
  const page = (fields: readonly string[]) =>
    prepare(
      `SELECT ${[rowColumns, ...fields.map(member)].join(', ')} FROM ${documents}
             WHERE kind = ? AND licence = ? AND deleted = 0 AND id > ? ORDER BY id LIMIT ?`,
    );
  const found: ScannedDocument[] = [];
  let { kind, id } = after ?? { kind: '', id: '' };
  for (;;) {
    const fields = fieldsOf(kind);
    const rows = page(fields).all(kind, licenceId, id, limit - found.length) as readonly DocumentRow[];
    found.push(...rows.map((row) => toScanned(file, row, fields)));
    const next = (nextKind.get(kind) as { readonly kind: string | null }).kind;
    if (found.length >= limit || next === null) return found;
    [kind, id] = [next, ''];
  }
};

type Reading = Pick<
  GenerationReader,
  'get' | 'getMany' | 'query' | 'readEach' | 'changesSince' | 'readScope' | 'scan' | 'scanIndex'
>;

const readingOf = (
  { connection, declared }: GenerationReaderDeps,
  tablesNow: TablesOn,
  findable: DeclaredFields,
): Reading => {
  const { file, prepare, answer } = connection;
  const toDocument = (row: DocumentRow): ReadDocument => documentOf(file, row);

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
      return answer(() => queried({ connection, declared: findable, tablesNow, toDocument }, kind, query));
    },

    readEach: async (kind, query, take) => {
      checkQuery(declared, kind, query);
      return answer(() => readEachIn(connection, tablesNow, kind, query, take));
    },

    changesSince: (request) => answer(() => changesIn(connection, tablesNow, request)),

    readScope: (request, taker) => answer(() => readScopeIn(connection, tablesNow, request, taker)),

    scan: (licenceId, page) => answer(() => scanIn(connection, declared, tablesNow(prepare), licenceId, page)),

    scanIndex: async (kind, walk) => {
      checkWalk(declared, kind, walk);
      return answer(() => {
        const { select, values } = walkSql(tablesNow(prepare).documents, kind, walk);
        return prepare(select)
          .all(...values)
          .map((row) => toDocument(row as DocumentRow));
      });
    },
  };
};

/** The rows of a commit that is short, else null. */
const shortRows = ({ docs }: Commit): readonly DocumentRow[] | null => {
  if (docs.length > shortDocuments) return null;
  const rows: DocumentRow[] = [];
  let content = 0;
  for (const doc of docs) {
    const row = rowOf(doc);
    content += row.data?.length ?? 0;
    if (content > shortContent) return null;
    rows.push(row);
  }
  return rows;
};

/** Each row is made when it is written, so that no more than one of a long commit is there at a time. */
function* rowsOneByOne({ docs }: Commit): Generator<DocumentRow, void> {
  for (const doc of docs) yield rowOf(doc);
}

const writingOf = (
  { connection, declared, checkpoints, listeners, write }: GenerationReaderDeps,
  tablesNow: TablesOn,
  { isActive, isAlone, tablesWritten }: ShownContent,
): Omit<GenerationReader, keyof Reading> => {
  const { database, prepare, answer, alone, within, inSteps } = connection;
  const writing = isActive ? watchedWriting : isAlone ? aloneWriting : unwatchedWriting;

  function* written(prepareOn: Prepare, commit: Commit, rows: Iterable<DocumentRow>): Generator<void, CommitResult> {
    const tables = tablesWritten(prepareOn);
    const refused = refusalOf(commit, storedCheckpoint(prepareOn, tables, commit.checkpoint.partition));
    if (refused !== null) return refused;
    yield* write(prepareOn, tables, commit, rows);
    return { kind: 'committed' };
  }

  return {
    commit: async (commit) => {
      checkCommit(declared, commit);
      return answer(async () => {
        const result = await alone(() => {
          const rows = shortRows(commit);
          return rows === null
            ? inSteps((prepareOn) => written(prepareOn, commit, rowsOneByOne(commit)), writing)
            : within('BEGIN IMMEDIATE', () => allSteps(written(prepare, commit, rows)));
        });
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

    onCommit: (listener) => (isActive ? listeners.add(listener) : () => undefined),

    clear: () =>
      answer(() =>
        alone(() => {
          within('BEGIN IMMEDIATE', () => {
            const tables = tablesWritten(prepare);
            database.exec(`${isActive ? raiseStoreFloor([tables]) : ''} ${emptied(tables)}`);
          });
          checkpoints.forget();
        }),
      ),
  };
};

/**
 * The store as it shows one content, whichever that is when it is asked, and whichever it is when something is written. Only who reads
 * the active one is poked.
 */
export const generationReader = (
  deps: GenerationReaderDeps,
  tablesNow: TablesOn,
  shown: ShownContent,
): GenerationReader => ({
  ...readingOf(deps, tablesNow, shown.findable),
  ...writingOf(deps, tablesNow, shown),
});
