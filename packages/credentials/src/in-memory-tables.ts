import { type Rows, type Table, type Tables, type TableShape, tableShapes } from './tables.ts';

const inMemoryTable = <Row extends object>({ key }: TableShape<Row>) => {
  let rows = new Map<string, Row>();
  const table: Table<Row> = {
    get: (id) => rows.get(id),
    by: (column, value) => [...rows.values()].filter((row) => row[column] === value),
    all: () => [...rows.values()],
    put: (row) => {
      rows.set(String(row[key]), { ...row });
    },
    remove: (id) => {
      rows.delete(id);
    },
  };
  return {
    table,
    /** Remembers the rows; the answer puts them back. */
    mark: () => {
      const before = new Map(rows);
      return () => {
        rows = before;
      };
    },
  };
};

/** Tables that end with the process. */
export const inMemoryTables = (): Tables => {
  const made = {
    passwords: inMemoryTable<Rows['passwords']>(tableShapes.passwords),
    sessions: inMemoryTable<Rows['sessions']>(tableShapes.sessions),
    refreshTokens: inMemoryTable<Rows['refreshTokens']>(tableShapes.refreshTokens),
    codes: inMemoryTable<Rows['codes']>(tableShapes.codes),
    tickets: inMemoryTable<Rows['tickets']>(tableShapes.tickets),
    admins: inMemoryTable<Rows['admins']>(tableShapes.admins),
  };
  return {
    passwords: made.passwords.table,
    sessions: made.sessions.table,
    refreshTokens: made.refreshTokens.table,
    codes: made.codes.table,
    tickets: made.tickets.table,
    admins: made.admins.table,
    transaction: (work) => {
      const undo = Object.values(made).map(({ mark }) => mark());
      try {
        return work();
      } catch (error) {
        for (const back of undo) back();
        throw error;
      }
    },
    version: () => 0,
    close: () => undefined,
  };
};
