import type { Credentials, Millis } from './credentials.ts';
import type { AdminEntryRow, Tables, WritableTables } from './tables.ts';

/** Of each kind; refusals push out no sign-ins. */
const mostKept = 50;
/** Refusals from one network within so long of each other are one entry. */
const together = 15 * 60_000;

type AdminEntries = Pick<Credentials, 'noteAdminRefusals' | 'adminEntries'> & {
  /** Within a transaction. */
  readonly noteAdminSignIn: (inside: WritableTables, id: string, network: string, now: Millis) => Promise<void>;
};

const newestFirst = (rows: readonly AdminEntryRow[]): AdminEntryRow[] => rows.toSorted((a, b) => b.until - a.until);

const add = async ({ adminEntries }: WritableTables, row: AdminEntryRow): Promise<void> => {
  const alike = newestFirst((await adminEntries.all()).filter(({ outcome }) => outcome === row.outcome));
  for (const { key } of alike.filter((one) => one.key !== row.key).slice(mostKept - 1)) await adminEntries.remove(key);
  await adminEntries.put(row);
};

/** Who came in as the admin, and who was refused: of no licence, so that no log of one tells it. */
export const adminEntries = (tables: Tables): AdminEntries => ({
  noteAdminSignIn: (inside, id, network, now) =>
    add(inside, { key: id, outcome: 'in', since: now, until: now, count: 1, network }),

  noteAdminRefusals: ({ id, network, count }, now) =>
    tables.transaction(async (inside) => {
      const last = newestFirst(await inside.adminEntries.all()).find(
        (row) => row.outcome === 'refused' && row.network === network,
      );
      const goesOn = last !== undefined && Math.abs(now - last.until) <= together;
      const entry = goesOn ? last : ({ key: id, outcome: 'refused', since: now, count: 0, network } as const);
      await add(inside, { ...entry, until: now, count: entry.count + count });
    }),

  adminEntries: async () =>
    newestFirst(await tables.adminEntries.all()).map(({ outcome, since, until, count, network }) => ({
      outcome,
      since,
      until,
      count,
      network,
    })),
});
