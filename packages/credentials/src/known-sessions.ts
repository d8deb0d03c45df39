import type { Millis, Session, SessionEnd } from './credentials.ts';
import type { SessionRow, SessionWatcher } from './tables.ts';

const touchEvery = 60_000;
/** Milliseconds after which nobody tells of an ended session any more. */
const lateNews = 60_000;

export const sessionOf = ({ passwordChangeOnly, ...row }: SessionRow): Session => ({
  ...row,
  passwordChangeOnly: passwordChangeOnly === 1,
});
export const rowOf = (session: Session): SessionRow => ({
  ...session,
  passwordChangeOnly: session.passwordChangeOnly ? 1 : 0,
});

/** One change of this process while it is under way. */
export interface OwnChange {
  /** Somebody else's news of these ends wait until the change is over: it knows the reason. */
  mayEnd(sessionId: string): void;
  /** It is durable: tells of its ends. */
  done(written: readonly Session[], ended: readonly (readonly [Session, SessionEnd['reason']])[]): void;
  failed(): void;
}

/**
 * Open sessions in memory, and who wants to hear of their ends. News of one session may come from several sides, in any order and more
 * than once; they add up to the same, because a session never comes back, its end only moves nearer and it is only seen later.
 */
export const knownSessions = () => {
  const known = new Map<string, Session>();
  const gone = new Map<string, number>();
  const listeners = new Set<{ readonly call: (end: SessionEnd) => void }>();
  const changes = new Set<{ readonly ending: Set<string>; readonly heard: Set<string> }>();

  const announce = (session: Session, reason: SessionEnd['reason']): void => {
    const end = { sessionId: session.id, userId: session.userId, licenceId: session.licenceId, reason };
    for (const entry of listeners) {
      queueMicrotask(() => {
        if (listeners.has(entry)) entry.call(end);
      });
    }
  };

  const forget = (sessionId: string): void => {
    known.delete(sessionId);
    const now = performance.now();
    for (const [id, at] of gone) {
      if (now - at < lateNews) break;
      gone.delete(id);
    }
    gone.set(sessionId, now);
  };

  /** What is known of the session with this added; null when it has ended. */
  const learn = (session: Session): Session | null => {
    if (gone.has(session.id)) return null;
    const before = known.get(session.id);
    const now =
      before === undefined
        ? session
        : {
            ...session,
            expiresAt: Math.min(before.expiresAt, session.expiresAt),
            lastSeenAt: Math.max(before.lastSeenAt, session.lastSeenAt),
          };
    known.set(session.id, now);
    return now;
  };

  const removed = (sessionId: string): void => {
    for (const change of changes) {
      if (!change.ending.has(sessionId)) continue;
      change.heard.add(sessionId);
      return;
    }
    const session = known.get(sessionId);
    forget(sessionId);
    if (session !== undefined) announce(session, 'revoked');
  };

  return {
    get: (sessionId: string): Session | undefined => known.get(sessionId),
    /** With what memory knows better than the stored row. */
    withNews: (session: Session): Session => {
      const better = known.get(session.id);
      if (better === undefined) return session;
      return {
        ...better,
        expiresAt: Math.min(better.expiresAt, session.expiresAt),
        lastSeenAt: Math.max(better.lastSeenAt, session.lastSeenAt),
      };
    },
    learn,
    removed,
    /** Marks a known session as seen, by the minute, and answers it. */
    seen: (session: Session, now: Millis): Session => {
      if (now - session.lastSeenAt < touchEvery) return session;
      const seen = { ...session, lastSeenAt: now };
      if (known.has(session.id)) known.set(session.id, seen);
      return seen;
    },
    those: (which: (session: Session) => boolean): readonly Session[] => [...known.values()].filter(which),

    beginChange: (): OwnChange => {
      const change = { ending: new Set<string>(), heard: new Set<string>() };
      changes.add(change);
      const over = (ended: ReadonlySet<string>): void => {
        changes.delete(change);
        for (const id of change.heard) {
          if (!ended.has(id)) removed(id);
        }
      };
      return {
        mayEnd: (sessionId) => {
          change.ending.add(sessionId);
        },
        done: (written, ended) => {
          for (const session of written) learn(session);
          for (const [session, reason] of ended) {
            forget(session.id);
            announce(session, reason);
          }
          over(new Set(ended.map(([{ id }]) => id)));
        },
        failed: () => over(new Set()),
      };
    },

    watcher: {
      reading: () => {
        const before = [...known.keys()];
        return (rows) => {
          const stored = new Set(rows.map(({ id }) => id));
          for (const id of before) {
            if (!stored.has(id) && known.has(id)) removed(id);
          }
          for (const row of rows) learn(sessionOf(row));
        };
      },
      put: (row) => {
        learn(sessionOf(row));
      },
      removed,
    } satisfies SessionWatcher,

    onEnded: (listener: (end: SessionEnd) => void): (() => void) => {
      const entry = { call: listener };
      listeners.add(entry);
      return () => {
        listeners.delete(entry);
      };
    },
    deafen: () => listeners.clear(),
  };
};
