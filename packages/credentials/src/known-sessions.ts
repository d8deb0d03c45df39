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

/** A change under way: sessions that it may end, and of these those that somebody else told of meanwhile. */
interface Pending {
  readonly ending: Set<string>;
  readonly heard: Set<string>;
}

/**
 * Open sessions in memory, and who wants to hear of their ends. News of one session may come from several sides, in any order and more
 * than once; they add up to the same, because a session never comes back, its end only moves nearer and it is only seen later.
 */
export class KnownSessions {
  readonly #known = new Map<string, Session>();
  /** When those that ended did, the oldest first. */
  readonly #gone = new Map<string, number>();
  readonly #listeners = new Set<{ readonly call: (end: SessionEnd) => void }>();
  readonly #changes = new Set<Pending>();

  get(sessionId: string): Session | undefined {
    return this.#known.get(sessionId);
  }

  /** With what memory knows better than the stored row. */
  withNews(session: Session): Session {
    const better = this.#known.get(session.id);
    if (better === undefined) return session;
    return {
      ...better,
      expiresAt: Math.min(better.expiresAt, session.expiresAt),
      lastSeenAt: Math.max(better.lastSeenAt, session.lastSeenAt),
    };
  }

  /** What is known of the session with this added; null when it has ended. */
  learn(session: Session): Session | null {
    if (this.#gone.has(session.id)) return null;
    const before = this.#known.get(session.id);
    const now =
      before === undefined
        ? session
        : {
            ...session,
            expiresAt: Math.min(before.expiresAt, session.expiresAt),
            lastSeenAt: Math.max(before.lastSeenAt, session.lastSeenAt),
          };
    this.#known.set(session.id, now);
    return now;
  }

  removed(sessionId: string): void {
    for (const change of this.#changes) {
      if (!change.ending.has(sessionId)) continue;
      change.heard.add(sessionId);
      return;
    }
    const session = this.#known.get(sessionId);
    this.#forget(sessionId);
    if (session !== undefined) this.#announce(session, 'revoked');
  }

  /** Marks a known session as seen, by the minute, and answers it. */
  seen(session: Session, now: Millis): Session {
    if (now - session.lastSeenAt < touchEvery) return session;
    const seen = { ...session, lastSeenAt: now };
    if (this.#known.has(session.id)) this.#known.set(session.id, seen);
    return seen;
  }

  those(which: (session: Session) => boolean): readonly Session[] {
    return [...this.#known.values()].filter(which);
  }

  beginChange(): OwnChange {
    const change: Pending = { ending: new Set(), heard: new Set() };
    this.#changes.add(change);
    const over = (ended: ReadonlySet<string>): void => {
      this.#changes.delete(change);
      for (const id of change.heard) {
        if (!ended.has(id)) this.removed(id);
      }
    };
    return {
      mayEnd: (sessionId) => {
        change.ending.add(sessionId);
      },
      done: (written, ended) => {
        for (const session of written) this.learn(session);
        for (const [session, reason] of ended) {
          this.#forget(session.id);
          this.#announce(session, reason);
        }
        over(new Set(ended.map(([{ id }]) => id)));
      },
      failed: () => over(new Set()),
    };
  }

  watcher(): SessionWatcher {
    return {
      reading: () => {
        const before = [...this.#known.keys()];
        return (rows) => {
          const stored = new Set(rows.map(({ id }) => id));
          for (const id of before) {
            if (!stored.has(id) && this.#known.has(id)) this.removed(id);
          }
          for (const row of rows) this.learn(sessionOf(row));
        };
      },
      put: (row) => {
        this.learn(sessionOf(row));
      },
      removed: (sessionId) => this.removed(sessionId),
    };
  }

  onEnded(listener: (end: SessionEnd) => void): () => void {
    const entry = { call: listener };
    this.#listeners.add(entry);
    return () => {
      this.#listeners.delete(entry);
    };
  }

  /** Nobody hears of ends any more. */
  deafen(): void {
    this.#listeners.clear();
  }

  #announce(session: Session, reason: SessionEnd['reason']): void {
    const end = { sessionId: session.id, userId: session.userId, licenceId: session.licenceId, reason };
    for (const entry of this.#listeners) {
      queueMicrotask(() => {
        if (this.#listeners.has(entry)) entry.call(end);
      });
    }
  }

  #forget(sessionId: string): void {
    this.#known.delete(sessionId);
    const now = performance.now();
    for (const [id, at] of this.#gone) {
      if (now - at < lateNews) break;
      this.#gone.delete(id);
    }
    this.#gone.set(sessionId, now);
  }
}
