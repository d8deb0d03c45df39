import type { RandomBytes } from './codes.ts';
import type { Credentials, PasswordEnding, Session } from './credentials.ts';
import { KnownSessions, sessionOf } from './known-sessions.ts';
import { openSession } from './open-session.ts';
import { refreshSession } from './refresh-session.ts';
import { hashToken } from './secrets.ts';
import { type SessionEnding, sessionEnding } from './session-ending.ts';
import { change, endStored, isOver, isOwners, live, type SessionState, stored } from './session-state.ts';
import type { Tables, WritableTables } from './tables.ts';

type SessionBook = Pick<
  Credentials,
  | 'openSession'
  | 'session'
  | 'sessionsOf'
  | 'countSessions'
  | 'lastUse'
  | 'refresh'
  | 'sessionOfRefreshToken'
  | 'endSession'
  | 'endSessionsOf'
  | 'onSessionEnded'
  | 'endSessionsWithoutSecondFactor'
> & {
  /** Ends and shortens sessions in one transaction with the work, which may run several times. */
  readonly endForPassword: (
    userId: string,
    ending: PasswordEnding,
    work: (tables: WritableTables) => Promise<void>,
  ) => Promise<void>;
  /** Waits for what was begun beside the callers' own requests. */
  readonly stop: () => Promise<void>;
};

const endForPassword = async (
  state: SessionState,
  ending: SessionEnding,
  ...[userId, { reason, keep }, work]: Parameters<SessionBook['endForPassword']>
): Promise<void> => {
  const kept = await change(state, async ({ tables: inside, end, put }) => {
    await work(inside);
    let going: Session | null = null;
    for (const row of await inside.sessions.by('userId', userId)) {
      const session = state.known.withNews(sessionOf(row));
      if (keep === undefined || row.id !== keep.sessionId || keep.until <= keep.now) {
        await end(session, reason);
      } else {
        going = { ...session, expiresAt: Math.min(row.expiresAt, keep.until) };
        await put(going);
      }
    }
    return going;
  });
  if (kept !== null && keep !== undefined) ending.letGo(kept.id, kept.expiresAt - keep.now, reason);
};

const readThrough = async ({ tables, known }: SessionState, sessionId: string): Promise<Session | null> => {
  const wasKnown = known.get(sessionId) !== undefined;
  const session = await stored(tables, sessionId);
  if (session !== null) return known.learn(session);
  if (wasKnown) known.removed(sessionId);
  return null;
};

/**
 * Sessions and their refresh tokens: written to the tables first, looked up in memory where that is exact. `idle`: milliseconds without a
 * use after which one is over. A use is stored with the rotation of its token, which people in use make every quarter of an hour.
 */
export const sessionService = (tables: Tables, random: RandomBytes, idle = Number.POSITIVE_INFINITY): SessionBook => {
  const known = new KnownSessions();
  const state: SessionState = { tables, random, idle, known };
  const watch = tables.watchSessions(known.watcher());
  const ending = sessionEnding(state);

  return {
    openSession: async (given, places) => {
      if (given.expiresAt <= given.createdAt) throw new RangeError('A session must end after it begins');
      const opened = await openSession(state, given, places);
      ending.sweep(given.createdAt);
      return opened;
    },

    session: async (sessionId, now) => {
      const inMemory = watch.isExact() ? known.get(sessionId) : undefined;
      const found = inMemory ?? (await readThrough(state, sessionId));
      return found === null || isOver(state, found, now) ? null : known.seen(found, now);
    },

    sessionsOf: async (userId, now) => live(state, await tables.sessions.by('userId', userId), now),

    countSessions: async (licenceId, now) => {
      const open = live(state, await tables.sessions.by('licenceId', licenceId), now);
      const owner = open.filter(isOwners).length;
      return { seats: open.length - owner, owner };
    },

    lastUse: async (licenceId, now) => {
      const open = live(state, await tables.sessions.by('licenceId', licenceId), now);
      return open.length === 0 ? null : Math.max(...open.map(({ lastSeenAt }) => lastSeenAt));
    },

    refresh: (refreshToken, now) => refreshSession(state, refreshToken, now),

    sessionOfRefreshToken: async (refreshToken) => {
      const row = await tables.refreshTokens.get(hashToken(refreshToken));
      return row === undefined ? null : stored(tables, row.sessionId);
    },

    endSession: (sessionId, reason) => endStored(state, sessionId, reason),

    endSessionsOf: (userId, reason, except) =>
      change(state, async ({ tables: inside, end }) => {
        const others = (await inside.sessions.by('userId', userId)).filter(({ id }) => id !== except);
        for (const row of others) await end(sessionOf(row), reason);
        return others.length;
      }),

    endSessionsWithoutSecondFactor: (licenceId) =>
      change(
        state,
        async ({ tables: inside, end }) => {
          const factors = await inside.secondFactors.by('licenceId', licenceId);
          const having = new Set(factors.filter(({ since }) => since !== null).map(({ account }) => account));
          const sessionsWithout = (await inside.sessions.by('licenceId', licenceId)).filter(
            ({ userId }) => !having.has(userId),
          );
          for (const row of sessionsWithout) await end(sessionOf(row), 'revoked');
          return sessionsWithout.map(sessionOf);
        },
        `licence ${licenceId}`,
      ),

    endForPassword: (userId, how, work) => endForPassword(state, ending, userId, how, work),

    onSessionEnded: (listener) => known.onEnded(listener),

    stop: async () => {
      const stopped = ending.stop();
      known.deafen();
      watch.stop();
      await stopped;
    },
  };
};
