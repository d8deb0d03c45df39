/**
 * The ReadStore in a SQLite file of its own. Everything in it can be folded again from the log.
 */
import { checkDeclaration } from '../documents.ts';
import { commitSignals } from '../commit-signals.ts';
import type { DeclaredFields, JsonObject, Position, ReadStore } from '../read-store.ts';
import { activeCheckpoints } from './checkpoints.ts';
import { generations } from './generations.ts';
import { reachedPosition, type Tables } from './schema.ts';
import { type GenerationReaderDeps, generationReader } from './generation-reader.ts';
import { type Prepare, storeConnection } from './store-connection.ts';
import { activeTables } from './stored-generations.ts';
import { CommitWriter } from './writer.ts';

export interface SqliteReadStoreOptions {
  /** Path of the database; made when absent, its folder must exist. */
  readonly file: string;
  readonly declared: DeclaredFields;
  /** Only reads, from another thread of the process whose store has opened the file; writing throws the engine's error. Default false. */
  readonly readOnly?: boolean;
}

/** A transaction of any length costs the same for each document; what it holds in memory is the bound. */
const mostInCommit = 16_000;

/** A read store in a file, which also knows how far the log had come. */
export interface SqliteReadStore extends ReadStore {
  /** The highest checkpoint that this file ever held, also before a clearing or in an earlier schema: the log must reach at least as far. */
  reached(): Promise<Position>;
}

/**
 * Opens or makes the store. Throws an Error naming the file when it is corrupt, no read store, or written by a newer version.
 * Reads and commits run on the calling thread; long ones let others have their turn in between, and reads see one snapshot.
 */
export const sqliteReadStore = ({ file, declared, readOnly = false }: SqliteReadStoreOptions): SqliteReadStore => {
  checkDeclaration(declared);
  const connection = storeConnection(file, declared, readOnly);
  const { prepare, answer, alone } = connection;
  const checkpoints = activeCheckpoints(connection);
  const active = activeTables(file);
  const listeners = commitSignals();
  /** By generation, for each connection. */
  const writers = new Map<Prepare, Map<number, CommitWriter>>();
  const writerOf = (prepareOn: Prepare, tables: Tables): CommitWriter => {
    const ofConnection = writers.get(prepareOn) ?? new Map<number, CommitWriter>();
    writers.set(prepareOn, ofConnection);
    const known = ofConnection.get(tables.number) ?? new CommitWriter(prepareOn, tables, declared);
    ofConnection.set(tables.number, known);
    return known;
  };
  const parts: GenerationReaderDeps = {
    connection,
    declared,
    checkpoints,
    listeners,
    write: (prepareOn, tables, commit, rows) => writerOf(prepareOn, tables).write(commit, rows),
  };

  return {
    mostInCommit,

    ...generationReader(parts, active, { isActive: true, isAlone: false, tablesWritten: active, findable: declared }),

    ...generations({
      connection,
      declared,
      checkpoints,
      listeners,
      active,
      mostInCommit,
      show: (tablesNow, tablesWritten, content) =>
        generationReader(parts, tablesNow, { isActive: false, tablesWritten, ...content }),
      removed: (generation) => {
        for (const ofConnection of writers.values()) ofConnection.delete(generation);
      },
      notices: {
        notice: (name) =>
          answer(() => {
            const row = prepare('SELECT data FROM notices WHERE name = ?').get(name) as
              | { readonly data: string }
              | undefined;
            return row === undefined ? null : (JSON.parse(row.data) as JsonObject);
          }),

        noticesOf: (names) =>
          answer(() => {
            const rows = prepare('SELECT name, data FROM notices WHERE name IN (SELECT value FROM json_each(?))').all(
              JSON.stringify(names),
            ) as readonly { readonly name: string; readonly data: string }[];
            return new Map(rows.map(({ name, data }) => [name, JSON.parse(data) as JsonObject]));
          }),

        note: (name, data) =>
          answer(() =>
            alone(() => {
              prepare('INSERT OR REPLACE INTO notices (name, data) VALUES (?, ?)').run(name, JSON.stringify(data));
            }),
          ),
      },
    }),

    reached: () =>
      answer(() => (prepare(reachedPosition(active(prepare))).get() as { readonly reached: Position }).reached),

    close: async () => {
      listeners.clear();
      await connection.close();
    },
  };
};
