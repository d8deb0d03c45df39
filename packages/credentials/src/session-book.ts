import type { RandomBytes } from './codes.ts';
import type { Credentials, Millis, PasswordEnding, Session, SessionEnd } from './credentials.ts';
import { hashToken, makeToken, openSuccessor, sealSuccessor } from './secrets.ts';
import type { SessionRow, Tables } from './tables.ts';

const grace = 5_000;
const touchEvery = 60_000;
const lookEvery = 250;

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
> & {
  /** Ends and shortens sessions in one transaction with the work. */
  readonly endForPassword: (userId: string, ending: PasswordEnding, work: () => void) => void;
  readonly stop: () => void;
};

const sessionOf = ({ passwordChangeOnly, ...row }: SessionRow): Session => ({
  ...row,
  passwordChangeOnly: passwordChangeOnly === 1,
});
const rowOf = (session: Session): SessionRow => ({
  ...session,
  passwordChangeOnly: session.passwordChangeOnly ? 1 : 0,
});

const byAge = (a: Session, b: Session): number => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
const isOwners = ({ via }: Session): boolean => via === 'owner' || via === 'licence';

/** Sessions and their refresh tokens: written to the tables first, looked up in memory. */
export const sessionBook = (tables: Tables, random: RandomBytes): SessionBook => {
  const open = new Map<string, Session>();
  const listeners = new Set<{ readonly call: (end: SessionEnd) => void }>();
  let version = tables.version();

  const announce = (session: Session, reason: SessionEnd['reason']): void => {
    const end = { sessionId: session.id, userId: session.userId, licenceId: session.licenceId, reason };
    for (const entry of listeners) {
      queueMicrotask(() => {
        if (listeners.has(entry)) entry.call(end);
      });
    }
  };

  /** Runs the work in a transaction and tells of the sessions it ended, and keeps those it wrote, only when that is durable. */
  const change = <Result>(
    work: (does: {
      readonly end: (session: Session, reason: SessionEnd['reason']) => void;
      readonly put: (session: Session) => void;
    }) => Result,
  ): Result => {
    const ended: (readonly [Session, SessionEnd['reason']])[] = [];
    const written: Session[] = [];
    const result = tables.transaction(() =>
      work({
        end: (session, reason) => {
          for (const { hash } of tables.refreshTokens.by('sessionId', session.id)) tables.refreshTokens.remove(hash);
          tables.sessions.remove(session.id);
          ended.push([session, reason]);
        },
        put: (session) => {
          tables.sessions.put(rowOf(session));
          written.push(session);
        },
      }),
    );
    for (const session of written) open.set(session.id, session);
    for (const [session, reason] of ended) {
      open.delete(session.id);
      announce(session, reason);
    }
    return result;
  };

  const follow = (): void => {
    const stored = new Map(tables.sessions.all().map((row) => [row.id, sessionOf(row)]));
    for (const [id, session] of open) {
      if (stored.has(id)) continue;
      open.delete(id);
      announce(session, 'revoked');
    }
    for (const [id, session] of stored) {
      const lastSeenAt = Math.max(session.lastSeenAt, open.get(id)?.lastSeenAt ?? 0);
      open.set(id, { ...session, lastSeenAt });
    }
  };
  follow();

  /** Shortened sessions of this process: when, by the process's own running time, and why they end. */
  const letGo = new Map<string, { readonly dueAt: number; readonly reason: SessionEnd['reason'] }>();

  const endDue = (): void => {
    for (const [id, { dueAt, reason }] of letGo) {
      if (dueAt > performance.now()) continue;
      try {
        change(({ end }) => {
          const session = stored(id);
          if (session !== null) end(session, reason);
        });
        letGo.delete(id);
      } catch {
        // Over by its stored end all the same; a full disk only keeps the row until a later look.
      }
    }
  };

  const watch = setInterval(() => {
    endDue();
    const now = tables.version();
    if (now === version) return;
    version = now;
    follow();
  }, lookEvery);
  watch.unref();

  const stored = (id: string): Session | null => {
    const row = tables.sessions.get(id);
    return row === undefined ? null : sessionOf(row);
  };

  const live = (rows: readonly SessionRow[], now: Millis): readonly Session[] =>
    rows
      .map(sessionOf)
      .filter(({ expiresAt }) => expiresAt > now)
      .sort(byAge);

  const issueToken = (sessionId: string): string => {
    const token = makeToken(random);
    tables.refreshTokens.put({ hash: hashToken(token), sessionId, replacedAt: null, successor: null });
    return token;
  };

  return {
    openSession: async (given, { maxConcurrentSessions, endOldest }) => {
      if (given.expiresAt <= given.createdAt) throw new RangeError('A session must end after it begins');
      const now = given.createdAt;
      const session: Session = { ...given, lastSeenAt: now };
      return change(({ end, put }) => {
        for (const other of open.values()) {
          if (other.expiresAt <= now && stored(other.id) !== null) end(other, 'expired');
        }
        const ofLicence = live(tables.sessions.by('licenceId', session.licenceId), now);
        const own = ofLicence.filter(({ userId }) => userId === session.userId);
        const group = ofLicence.filter((other) => isOwners(other) === isOwners(session));
        const excess = Math.max(0, group.length + 1 - maxConcurrentSessions);
        const ownInGroup = group.filter(({ userId }) => userId === session.userId);
        if (excess > 0 && (!endOldest || ownInGroup.length < excess)) return { kind: 'limit', own };
        for (const oldest of ownInGroup.slice(0, excess)) end(oldest, 'revoked');
        put(session);
        return { kind: 'opened', session, refreshToken: issueToken(session.id) };
      });
    },

    session: async (sessionId, now) => {
      const found = open.get(sessionId) ?? stored(sessionId);
      if (found === null || found.expiresAt <= now) return null;
      const seen = now - found.lastSeenAt < touchEvery ? found : { ...found, lastSeenAt: now };
      open.set(sessionId, seen);
      return seen;
    },

    sessionsOf: async (userId, now) =>
      live(tables.sessions.by('userId', userId), now).map((session) => open.get(session.id) ?? session),

    countSessions: async (licenceId, now) => live(tables.sessions.by('licenceId', licenceId), now).length,

    refresh: async (refreshToken, now) =>
      change(({ end, put }) => {
        let token = refreshToken;
        let row = tables.refreshTokens.get(hashToken(token));
        const session = row === undefined ? null : stored(row.sessionId);
        if (row === undefined || session === null) return { kind: 'invalid' };
        if (session.expiresAt <= now) {
          end(session, 'expired');
          return { kind: 'invalid' };
        }
        // Tabs that refresh in parallel may be more than one rotation behind: all of them end at the current token.
        while (row.replacedAt !== null && row.successor !== null) {
          if (now - row.replacedAt > grace) {
            end(session, 'reused');
            return { kind: 'reused', session };
          }
          token = openSuccessor(token, row.successor);
          row = tables.refreshTokens.get(hashToken(token));
          if (row === undefined) return { kind: 'invalid' };
        }
        if (token !== refreshToken) return { kind: 'refreshed', session, refreshToken: token };
        const next = issueToken(session.id);
        tables.refreshTokens.put({ ...row, replacedAt: now, successor: sealSuccessor(token, next) });
        const seen = { ...session, lastSeenAt: Math.max(now, session.lastSeenAt) };
        put(seen);
        return { kind: 'refreshed', session: seen, refreshToken: next };
      }),

    sessionOfRefreshToken: async (refreshToken) => {
      const row = tables.refreshTokens.get(hashToken(refreshToken));
      return row === undefined ? null : stored(row.sessionId);
    },

    endSession: async (sessionId, reason) =>
      change(({ end }) => {
        const session = stored(sessionId);
        if (session !== null) end(session, reason);
      }),

    endSessionsOf: async (userId, reason, except) =>
      change(({ end }) => {
        const ending = tables.sessions.by('userId', userId).filter(({ id }) => id !== except);
        for (const row of ending) end(sessionOf(row), reason);
        return ending.length;
      }),

    endForPassword: (userId, { reason, keep }, work) => {
      const kept = change(({ end, put }) => {
        work();
        let going: Session | null = null;
        for (const row of tables.sessions.by('userId', userId)) {
          const session = open.get(row.id) ?? sessionOf(row);
          if (keep === undefined || row.id !== keep.sessionId || keep.until <= keep.now) {
            end(session, reason);
          } else {
            going = { ...session, expiresAt: Math.min(row.expiresAt, keep.until) };
            put(going);
          }
        }
        return going;
      });
      if (kept !== null && keep !== undefined)
        letGo.set(kept.id, { dueAt: performance.now() + kept.expiresAt - keep.now, reason });
    },

    onSessionEnded: (listener) => {
      const entry = { call: listener };
      listeners.add(entry);
      return () => {
        listeners.delete(entry);
      };
    },

    stop: () => {
      clearInterval(watch);
      letGo.clear();
      listeners.clear();
    },
  };
};
