import { serialQueue } from '@zakup/async/serial-queue';
import {
  ofEachTable,
  type ReadableTable,
  type ReadableTables,
  type Rows,
  type Tables,
  type TableShape,
  type WritableTable,
  type WritableTables,
} from './tables.ts';

type Turns = ReturnType<typeof serialQueue>;

const inMemoryTable = <Row extends object>({ key }: TableShape<Row>, { read }: Turns) => {
  let rows = new Map<string, Row>();
  const by = (column: keyof Row & string, value: string): readonly Row[] =>
    [...rows.values()].filter((row) => row[column] === value);
  const inside: WritableTable<Row> = {
    get: async (id) => rows.get(id),
    by: async (column, value) => by(column, value),
    all: async () => [...rows.values()],
    put: async (row) => {
      rows.set(String(row[key]), { ...row });
    },
    remove: async (id) => {
      rows.delete(id);
    },
    removeBy: async (column, value) => {
      for (const row of by(column, value)) rows.delete(String(row[key]));
    },
  };
  const outside: ReadableTable<Row> = {
    get: (id) => read(() => rows.get(id)),
    by: (column, value) => read(() => by(column, value)),
    all: () => read(() => [...rows.values()]),
  };
  return {
    inside,
    outside,
    /** Remembers the rows; the answer puts them back. */
    mark: () => {
      const before = new Map(rows);
      return () => {
        rows = before;
      };
    },
  };
};

type InMemoryTables = { readonly [Name in keyof Rows]: ReturnType<typeof inMemoryTable<Rows[Name]>> };

/** Tables that end with the process. */
export const inMemoryTables = (): Tables => {
  const turns = serialQueue();
  const made = ofEachTable((_, shape) => inMemoryTable(shape, turns)) as InMemoryTables;
  const inside = ofEachTable((name) => made[name].inside) as WritableTables;
  return {
    ...(ofEachTable((name) => made[name].outside) as ReadableTables),
    transaction: (work) =>
      turns.run(async () => {
        const undo = Object.values(made).map(({ mark }) => mark());
        try {
          return await work(inside);
        } catch (error) {
          for (const back of undo) back();
          throw error;
        }
      }),
    watchSessions: () => ({ isExact: () => true, stop: () => undefined }),
    close: () => turns.run(async () => undefined),
  };
};
