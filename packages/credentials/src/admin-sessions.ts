import type { RandomBytes } from './codes.ts';
import type { Credentials, Millis } from './credentials.ts';
import { makeToken } from './secrets.ts';
import type { adminEntries } from './admin-entries.ts';
import type { AdminSessionRow, Tables, WritableTables } from './tables.ts';

const minute = 60_000;
const life = 12 * 60 * minute;
const idleAfter = 30 * minute;
const touchEvery = minute;

type AdminSessions = Pick<
  Credentials,
  'openAdminSession' | 'adminSession' | 'endAdminSession' | 'endOtherAdminSessions'
> & {
  /** Within a transaction. */
  readonly forgetAdminSessions: (inside: WritableTables) => Promise<void>;
};

const isIdle = ({ lastSeenAt }: AdminSessionRow, now: Millis): boolean => now >= lastSeenAt + idleAfter;

/** Sessions of the admin, a row each: few, and looked up in the store at every call, so that an end counts everywhere at once. */
export const adminSessions = (
  tables: Tables,
  random: RandomBytes,
  { noteAdminSignIn }: Pick<ReturnType<typeof adminEntries>, 'noteAdminSignIn'>,
): AdminSessions => {
  /** Another call may have ended it meanwhile, and an idle one stays so. */
  const touch = (id: string, now: Millis): Promise<void> =>
    tables.transaction(
      async (inside) => {
        const row = await inside.adminSessions.get(id);
        if (row === undefined || isIdle(row, now) || row.lastSeenAt >= now) return;
        await inside.adminSessions.put({ ...row, lastSeenAt: now });
      },
      { trifle: true },
    );

  const forgetAllBut = async (inside: WritableTables, kept: string | null): Promise<void> => {
    for (const { id } of await inside.adminSessions.all()) if (id !== kept) await inside.adminSessions.remove(id);
  };

  return {
    openAdminSession: (stamp, now, network = '') =>
      tables.transaction(
        async (inside) => {
          const [admin] = await inside.admins.all();
          if (admin === undefined || admin.stamp !== stamp) return null;
          // An idle one stays until its end, so that who comes back is told why.
          for (const row of await inside.adminSessions.all())
            if (row.expiresAt <= now) await inside.adminSessions.remove(row.id);
          const id = makeToken(random);
          await inside.adminSessions.put({ id, createdAt: now, expiresAt: now + life, lastSeenAt: now });
          await noteAdminSignIn(inside, makeToken(random), network, now);
          return id;
        },
        { turn: 'admin' },
      ),

    adminSession: async (id, now, { use }) => {
      const row = await tables.adminSessions.get(id);
      if (row === undefined || row.expiresAt <= now) return 'over';
      if (isIdle(row, now)) return 'idle';
      // Who may look at the state of the system is not kept out of it because the disk is full.
      if (use && now - row.lastSeenAt >= touchEvery) await touch(id, now).catch(() => undefined);
      return 'open';
    },

    endAdminSession: (id) => tables.transaction((inside) => inside.adminSessions.remove(id)),

    endOtherAdminSessions: (kept) => tables.transaction((inside) => forgetAllBut(inside, kept)),

    forgetAdminSessions: (inside) => forgetAllBut(inside, null),
  };
};
