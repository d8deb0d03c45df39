import type { RandomBytes } from './codes.ts';
import type { Credentials, Millis, PasswordEnding, Session, SessionEnd } from './credentials.ts';
import { knownSessions, rowOf, sessionOf } from './known-sessions.ts';
import { hashToken, makeToken, openSuccessor, sealSuccessor } from './secrets.ts';
import type { ReadableTables, SessionRow, Tables, WritableTables } from './tables.ts';

const grace = 5_000;
const lookEvery = 250;
const mostSweptAtOnce = 100;

type SessionBook = Pick<
  Credentials,
  | 'openSession'
  | 'session'
  | 'sessionsOf'
  | 'countSessions'
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

interface Changing {
  readonly tables: WritableTables;
  readonly end: (session: Session, reason: SessionEnd['reason']) => Promise<void>;
  readonly put: (session: Session) => Promise<void>;
}

const byAge = (a: Session, b: Session): number => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
const isOwners = ({ via }: Session): boolean => via === 'owner' || via === 'licence';

const stored = async (tables: ReadableTables, id: string): Promise<Session | null> => {
  const row = await tables.sessions.get(id);
  return row === undefined ? null : sessionOf(row);
};

/**
 * Sessions and their refresh tokens: written to the tables first, looked up in memory where that is exact. `idle`: milliseconds without a
 * use after which one is over. A use is stored with the rotation of its token, which people in use make every quarter of an hour.
 */
export const sessionService = (tables: Tables, random: RandomBytes, idle = Number.POSITIVE_INFINITY): SessionBook => {
  const known = knownSessions();
  const isOver = ({ expiresAt, lastSeenAt }: Session, now: Millis): boolean =>
    Math.min(expiresAt, lastSeenAt + idle) <= now;
  const newest = (row: SessionRow): Session => known.withNews(sessionOf(row));
  const live = (rows: readonly SessionRow[], now: Millis): readonly Session[] =>
    rows
      .map(newest)
      .filter((session) => !isOver(session, now))
      .sort(byAge);
  const watch = tables.watchSessions(known.watcher);

  /** Runs the work in a transaction and tells of the sessions it ended, and keeps those it wrote, only when that is durable. */
  const change = async <Result>(work: (does: Changing) => Promise<Result>, turn?: string): Promise<Result> => {
    const own = known.beginChange();
    let ended: (readonly [Session, SessionEnd['reason']])[] = [];
    let written: Session[] = [];
    try {
      const result = await tables.transaction(
        (inside) => {
          ended = [];
          written = [];
          return work({
            tables: inside,
            end: async (session, reason) => {
              own.mayEnd(session.id);
              ended.push([session, reason]);
              await inside.refreshTokens.removeBy('sessionId', session.id);
              await inside.sessions.remove(session.id);
            },
            put: async (session) => {
              written.push(session);
              await inside.sessions.put(rowOf(session));
            },
          });
        },
        turn === undefined ? {} : { turn },
      );
      own.done(written, ended);
      return result;
    } catch (error) {
      own.failed();
      throw error;
    }
  };

  const endStored = (id: string, reason: SessionEnd['reason']): Promise<void> =>
    change(async (does) => {
      const session = await stored(does.tables, id);
      if (session !== null) await does.end(session, reason);
    });

  /** Shortened sessions of this process: when, by the process's own running time, and why they end. */
  const letGo = new Map<string, { readonly dueAt: number; readonly reason: SessionEnd['reason'] }>();

  let besides: Promise<void> = Promise.resolve();
  /** Work that nobody waits for. What fails is over by its stored end all the same; only its row is kept until a later look. */
  const beside = (work: () => Promise<void>): void => {
    besides = besides.then(work).catch(() => undefined);
  };

  const look = setInterval(() => {
    const due = [...letGo].filter(([, { dueAt }]) => dueAt <= performance.now());
    if (due.length === 0) return;
    for (const [id] of due) letGo.delete(id);
    beside(async () => {
      for (const [id, going] of due) {
        try {
          await endStored(id, going.reason);
        } catch {
          letGo.set(id, going);
        }
      }
    });
  }, lookEvery);
  look.unref();

  /** Removes what has expired, wherever it belongs: at least as many rows for each that is added. */
  const sweep = async (now: Millis): Promise<void> => {
    const over = known.those((session) => isOver(session, now)).slice(0, mostSweptAtOnce);
    if (over.length === 0) return;
    await change(async (does) => {
      for (const { id } of over) {
        const session = await stored(does.tables, id);
        // Another process may have heard of a use meanwhile.
        if (session !== null && isOver(known.withNews(session), now)) await does.end(session, 'expired');
      }
    });
  };

  const issueToken = async (inside: WritableTables, sessionId: string): Promise<string> => {
    const token = makeToken(random);
    await inside.refreshTokens.put({ hash: hashToken(token), sessionId, replacedAt: null, successor: null });
    return token;
  };

  const readThrough = async (sessionId: string): Promise<Session | null> => {
    const wasKnown = known.get(sessionId) !== undefined;
    const session = await stored(tables, sessionId);
    if (session !== null) return known.learn(session);
    if (wasKnown) known.removed(sessionId);
    return null;
  };

  return {
    openSession: async (given, { maxConcurrentSessions, mostOfOne = maxConcurrentSessions, endOldest }) => {
      if (given.expiresAt <= given.createdAt) throw new RangeError('A session must end after it begins');
      const now = given.createdAt;
      const session: Session = { ...given, lastSeenAt: now };
      const opened = await change(async ({ tables: inside, end, put }) => {
        const rows = await inside.sessions.by('licenceId', session.licenceId);
        for (const other of rows) {
          if (isOver(newest(other), now)) await end(sessionOf(other), 'expired');
        }
        const ofLicence = live(rows, now);
        const own = ofLicence.filter(({ userId }) => userId === session.userId);
        const group = ofLicence.filter((other) => isOwners(other) === isOwners(session));
        const ownInGroup = group.filter(({ userId }) => userId === session.userId);
        const excess = Math.max(
          0,
          group.length + 1 - maxConcurrentSessions,
          isOwners(session) ? 0 : ownInGroup.length + 1 - mostOfOne,
        );
        if (excess > 0 && (!endOldest || ownInGroup.length < excess)) return { kind: 'limit', own } as const;
        for (const oldest of ownInGroup.slice(0, excess)) await end(oldest, 'revoked');
        await put(session);
        return { kind: 'opened', session, refreshToken: await issueToken(inside, session.id) } as const;
      }, `licence ${session.licenceId}`);
      beside(() => sweep(now));
      return opened;
    },

    session: async (sessionId, now) => {
      const inMemory = watch.isExact() ? known.get(sessionId) : undefined;
      const found = inMemory ?? (await readThrough(sessionId));
      return found === null || isOver(found, now) ? null : known.seen(found, now);
    },

    sessionsOf: async (userId, now) => live(await tables.sessions.by('userId', userId), now),

    countSessions: async (licenceId, now) => {
      const open = live(await tables.sessions.by('licenceId', licenceId), now);
      const owner = open.filter(isOwners).length;
      return { seats: open.length - owner, owner };
    },

    refresh: (refreshToken, now) =>
      change(async ({ tables: inside, end, put }) => {
        let token = refreshToken;
        let row = await inside.refreshTokens.get(hashToken(token));
        const session = row === undefined ? null : await stored(inside, row.sessionId);
        if (row === undefined || session === null) return { kind: 'invalid' };
        if (isOver(known.withNews(session), now)) {
          await end(session, 'expired');
          return { kind: 'invalid' };
        }
        // Tabs that refresh in parallel may be more than one rotation behind: all of them end at the current token.
        while (row.replacedAt !== null && row.successor !== null) {
          if (now - row.replacedAt > grace) {
            await end(session, 'reused');
            return { kind: 'reused', session };
          }
          token = openSuccessor(token, row.successor);
          row = await inside.refreshTokens.get(hashToken(token));
          if (row === undefined) return { kind: 'invalid' };
        }
        if (token !== refreshToken) return { kind: 'refreshed', session, refreshToken: token };
        const next = await issueToken(inside, session.id);
        await inside.refreshTokens.put({ ...row, replacedAt: now, successor: sealSuccessor(token, next) });
        const seen = { ...session, lastSeenAt: Math.max(now, session.lastSeenAt) };
        await put(seen);
        return { kind: 'refreshed', session: seen, refreshToken: next };
      }),

    sessionOfRefreshToken: async (refreshToken) => {
      const row = await tables.refreshTokens.get(hashToken(refreshToken));
      return row === undefined ? null : stored(tables, row.sessionId);
    },

    endSession: endStored,

    endSessionsOf: (userId, reason, except) =>
      change(async ({ tables: inside, end }) => {
        const ending = (await inside.sessions.by('userId', userId)).filter(({ id }) => id !== except);
        for (const row of ending) await end(sessionOf(row), reason);
        return ending.length;
      }),

    endSessionsWithoutSecondFactor: (licenceId) =>
      change(async ({ tables: inside, end }) => {
        const factors = await inside.secondFactors.by('licenceId', licenceId);
        const having = new Set(factors.filter(({ since }) => since !== null).map(({ account }) => account));
        const ending = (await inside.sessions.by('licenceId', licenceId)).filter(({ userId }) => !having.has(userId));
        for (const row of ending) await end(sessionOf(row), 'revoked');
        return ending.map(sessionOf);
      }, `licence ${licenceId}`),

    endForPassword: async (userId, { reason, keep }, work) => {
      const kept = await change(async ({ tables: inside, end, put }) => {
        await work(inside);
        let going: Session | null = null;
        for (const row of await inside.sessions.by('userId', userId)) {
          const session = known.withNews(sessionOf(row));
          if (keep === undefined || row.id !== keep.sessionId || keep.until <= keep.now) {
            await end(session, reason);
          } else {
            going = { ...session, expiresAt: Math.min(row.expiresAt, keep.until) };
            await put(going);
          }
        }
        return going;
      });
      if (kept !== null && keep !== undefined)
        letGo.set(kept.id, { dueAt: performance.now() + kept.expiresAt - keep.now, reason });
    },

    onSessionEnded: known.onEnded,

    stop: async () => {
      clearInterval(look);
      letGo.clear();
      known.deafen();
      watch.stop();
      await besides;
    },
  };
};
