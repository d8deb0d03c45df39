import { serialQueue } from '@zakup/async/serial-queue';
import {
  type ReadableTable,
  type Rows,
  type Tables,
  type TableShape,
  tableShapes,
  type WritableTable,
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

/** Tables that end with the process. */
export const inMemoryTables = (): Tables => {
  const turns = serialQueue();
  const made = {
    passwords: inMemoryTable<Rows['passwords']>(tableShapes.passwords, turns),
    sessions: inMemoryTable<Rows['sessions']>(tableShapes.sessions, turns),
    refreshTokens: inMemoryTable<Rows['refreshTokens']>(tableShapes.refreshTokens, turns),
    codes: inMemoryTable<Rows['codes']>(tableShapes.codes, turns),
    tickets: inMemoryTable<Rows['tickets']>(tableShapes.tickets, turns),
    admins: inMemoryTable<Rows['admins']>(tableShapes.admins, turns),
    adminSessions: inMemoryTable<Rows['adminSessions']>(tableShapes.adminSessions, turns),
    secondFactors: inMemoryTable<Rows['secondFactors']>(tableShapes.secondFactors, turns),
    signInSteps: inMemoryTable<Rows['signInSteps']>(tableShapes.signInSteps, turns),
    tries: inMemoryTable<Rows['tries']>(tableShapes.tries, turns),
    devices: inMemoryTable<Rows['devices']>(tableShapes.devices, turns),
    chats: inMemoryTable<Rows['chats']>(tableShapes.chats, turns),
    sealHeads: inMemoryTable<Rows['sealHeads']>(tableShapes.sealHeads, turns),
    takings: inMemoryTable<Rows['takings']>(tableShapes.takings, turns),
    adminEntries: inMemoryTable<Rows['adminEntries']>(tableShapes.adminEntries, turns),
  };
  const inside = {
    passwords: made.passwords.inside,
    sessions: made.sessions.inside,
    refreshTokens: made.refreshTokens.inside,
    codes: made.codes.inside,
    tickets: made.tickets.inside,
    admins: made.admins.inside,
    adminSessions: made.adminSessions.inside,
    secondFactors: made.secondFactors.inside,
    signInSteps: made.signInSteps.inside,
    tries: made.tries.inside,
    devices: made.devices.inside,
    chats: made.chats.inside,
    sealHeads: made.sealHeads.inside,
    takings: made.takings.inside,
    adminEntries: made.adminEntries.inside,
  };
  return {
    passwords: made.passwords.outside,
    sessions: made.sessions.outside,
    refreshTokens: made.refreshTokens.outside,
    codes: made.codes.outside,
    tickets: made.tickets.outside,
    admins: made.admins.outside,
    adminSessions: made.adminSessions.outside,
    secondFactors: made.secondFactors.outside,
    signInSteps: made.signInSteps.outside,
    tries: made.tries.outside,
    devices: made.devices.outside,
    chats: made.chats.outside,
    sealHeads: made.sealHeads.outside,
    takings: made.takings.outside,
    adminEntries: made.adminEntries.outside,
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
