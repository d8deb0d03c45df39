import { setTimeout as delay } from 'node:timers/promises';
import { plainly } from '../documents.ts';
import type { CommitSignals } from '../commit-signals.ts';
import type { Checkpoint, DeclaredFields, Generation, NextGeneration, ReadStore } from '../read-store.ts';
import type { ActiveCheckpoints } from './checkpoints.ts';
import { createTables, dropTables, named, raiseStoreFloor, syncIndexes, type Tables, tablesOf } from './schema.ts';
import type { GenerationReader, ShownContent } from './generation-reader.ts';
import type { Prepare, StoreConnection } from './store-connection.ts';
import { inState, retire } from './stored-generations.ts';

/** Rows of a former content that are removed before others get their turn. */
const removedAtOnce = 500;

type Notices = Pick<ReadStore, 'notice' | 'noticesOf' | 'note'>;

/** What is of the store, and of none of its contents. */
export type WholeStore = Notices & Pick<ReadStore, 'generations' | 'noteVersion' | 'beginNext' | 'discard' | 'purge'>;

export interface GenerationsDeps {
  readonly connection: StoreConnection;
  readonly declared: DeclaredFields;
  readonly checkpoints: ActiveCheckpoints;
  readonly listeners: CommitSignals;
  /** Tables of what readers see. */
  readonly active: (prepareOn: Prepare) => Tables;
  /** As `ReadStore.mostInCommit`. */
  readonly mostInCommit: number;
  /**
   * A content that readers do not see yet: its tables for reading, and for writing, which throws when it is no longer built, and its
   * declared fields, of which only those that have indexes say how they are found by.
   */
  readonly show: (
    tablesNow: () => Tables,
    tablesWritten: () => Tables,
    content: Pick<ShownContent, 'findable' | 'isAlone'>,
  ) => GenerationReader;
  /** The tables of this generation are gone. */
  readonly removed: (generation: number) => void;
  readonly notices: Notices;
}

/**
 * Takes something from what is read no more; whether it had anything left. Its indexes go first, one by one: rows without them cost little
 * to remove, and in slices they make the log of changes as long as what others wait for is small.
 */
const removeSlice = ({ database }: StoreConnection, { documents, entries }: Tables): boolean => {
  const index = `SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = '${documents}' LIMIT 1`;
  const found = database.prepare(index).get() as { readonly name: string } | undefined;
  if (found !== undefined) {
    database.exec(`DROP INDEX ${named(found.name)}`);
    return true;
  }
  const some = `DELETE FROM ${documents} WHERE key IN (SELECT key FROM ${documents} LIMIT ${removedAtOnce})`;
  if (database.prepare(some).run().changes !== 0) return true;
  const places = `DELETE FROM ${entries} WHERE (scope, document) IN
      (SELECT scope, document FROM ${entries} LIMIT ${removedAtOnce})`;
  return database.prepare(places).run().changes !== 0;
};

/** A step of the removal, or all of it. */
const removeStep = (connection: StoreConnection, tables: Tables, atOnce: boolean): void => {
  const { database, prepare, within } = connection;
  within('BEGIN IMMEDIATE', () => {
    const isThere =
      prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(tables.documents) !== undefined;
    if (isThere && !atOnce && removeSlice(connection, tables)) return;
    database.exec(dropTables(tables));
    prepare('DELETE FROM generations WHERE number = ?').run(tables.number);
  });
};

/** Resolves with whether every former content is gone; not when the store is closed meanwhile. */
const removeFormer = async ({ connection, removed }: GenerationsDeps, atOnce: boolean): Promise<boolean> => {
  const { prepare, alone, isOpen } = connection;
  for (;;) {
    if (!isOpen()) return false;
    const [former] = inState(prepare, 'former');
    if (former === undefined) return true;
    const began = performance.now();
    await alone(() => removeStep(connection, tablesOf(former.number), atOnce));
    removed(former.number);
    if (atOnce) continue;
    // As long for others as for this.
    await delay(performance.now() - began);
  }
};

const highestFence = (prepare: Prepare, contents: readonly Tables[]): number =>
  Math.max(
    0,
    ...contents.map(
      (tables) =>
        (
          prepare(`SELECT coalesce(max(fence), 0) AS fence FROM ${tables.checkpoints}`).get() as {
            readonly fence: number;
          }
        ).fence,
    ),
  );

const changing =
  ({ answer, alone }: StoreConnection) =>
  <Result>(work: () => Result): Promise<Result> =>
    answer(() => alone(work));

/** A content that is built beside what readers see; `whole`: the store that it is of. */
const nextGeneration = (
  { connection, declared, checkpoints, listeners, active, mostInCommit, show }: GenerationsDeps,
  whole: WholeStore,
  generation: Generation,
  isAlone: boolean,
): NextGeneration => {
  const { file, database, prepare, within } = connection;
  const tables = tablesOf(generation.number);
  const stillNext = (): Tables => {
    if (!inState(prepare, 'next').some(({ number }) => number === tables.number)) {
      throw new Error(`Read store ${file}: generation ${tables.number} is no longer built`);
    }
    return tables;
  };
  return {
    ...whole,
    // Whoever reads what is given up meanwhile can write nothing of it.
    ...show(() => tables, stillNext, { isAlone, findable: isAlone ? plainly(declared) : declared }),
    mostInCommit,
    generation,
    close: async () => undefined,
    promote: (fence) =>
      changing(connection)(() => {
        const result = within('BEGIN IMMEDIATE', () => {
          const current = active(prepare);
          const most = highestFence(prepare, [current, stillNext()]);
          if (most > fence) return { kind: 'lost_lease', fence: most } as const;
          syncIndexes(database, tables, declared);
          database.exec(raiseStoreFloor([current, tables]));
          retire(prepare, 'active');
          prepare("UPDATE generations SET state = 'active' WHERE number = ?").run(tables.number);
          return { kind: 'committed' } as const;
        });
        if (result.kind === 'committed') {
          checkpoints.forget();
          for (const commitSignal of prepare(`SELECT partition, position FROM ${tables.checkpoints}`).all())
            listeners.send(commitSignal as Pick<Checkpoint, 'partition' | 'position'>);
        }
        return result;
      }),
  };
};

/** Which contents there are: how one is built beside another, takes its place, and is removed. */
export const generations = (deps: GenerationsDeps): WholeStore => {
  const { connection, declared, notices } = deps;
  const { database, prepare, answer, within } = connection;
  const change = changing(connection);

  const whole: WholeStore = {
    ...notices,

    generations: () =>
      answer(() =>
        within('BEGIN', () => {
          const [[current], [next]] = [inState(prepare, 'active'), inState(prepare, 'next')];
          if (current === undefined) throw new Error('No generation is active');
          return { active: { ...current }, next: next === undefined ? null : { ...next } };
        }),
      ),

    noteVersion: (version) =>
      change(() => {
        prepare("UPDATE generations SET version = ? WHERE state = 'active' AND version IS NULL").run(version);
      }),

    beginNext: (version, { indexesLater = false } = {}) =>
      change(() =>
        within('BEGIN IMMEDIATE', () => {
          const resumeRebuild = (generation: Generation): NextGeneration => {
            if (!indexesLater) syncIndexes(database, tablesOf(generation.number), declared);
            return nextGeneration(deps, whole, generation, indexesLater);
          };
          const [begun] = inState(prepare, 'next');
          if (begun?.version === version) return resumeRebuild({ ...begun });
          retire(prepare, 'next');
          const { last } = prepare('SELECT max(number) AS last FROM generations').get() as { readonly last: number };
          const generation = { number: last + 1, version };
          database.exec(dropTables(tablesOf(generation.number)));
          createTables(database, tablesOf(generation.number), declared);
          prepare("INSERT INTO generations VALUES (?, ?, 'next')").run(generation.number, version);
          return resumeRebuild(generation);
        }),
      ),

    discard: () => change(() => retire(prepare, 'next')),

    purge: ({ atOnce = false } = {}) => answer(() => removeFormer(deps, atOnce)),
  };
  return whole;
};
