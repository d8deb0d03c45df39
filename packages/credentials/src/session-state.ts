import type { RandomBytes } from './codes.ts';
import type { Millis, Session, SessionEnd } from './credentials.ts';
import { type KnownSessions, rowOf, sessionOf } from './known-sessions.ts';
import { hashToken, makeToken } from './secrets.ts';
import type { ReadableTables, SessionRow, Tables, WritableTables } from './tables.ts';

/** What everything about sessions is done with. */
export interface SessionState {
  readonly tables: Tables;
  readonly random: RandomBytes;
  /** Milliseconds without a use after which one is over. */
  readonly idle: number;
  readonly known: KnownSessions;
}

/** What a change does to sessions, beside what it does to the tables. */
export interface Changing {
  readonly tables: WritableTables;
  readonly end: (session: Session, reason: SessionEnd['reason']) => Promise<void>;
  readonly put: (session: Session) => Promise<void>;
}

const byAge = (a: Session, b: Session): number => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);

export const isOwners = ({ via }: Session): boolean => via === 'owner' || via === 'licence';

export const stored = async (tables: ReadableTables, id: string): Promise<Session | null> => {
  const row = await tables.sessions.get(id);
  return row === undefined ? null : sessionOf(row);
};

export const isOver = ({ idle }: SessionState, { expiresAt, lastSeenAt }: Session, now: Millis): boolean =>
  Math.min(expiresAt, lastSeenAt + idle) <= now;

export const newest = ({ known }: SessionState, row: SessionRow): Session => known.withNews(sessionOf(row));

export const live = (state: SessionState, rows: readonly SessionRow[], now: Millis): readonly Session[] =>
  rows
    .map((row) => newest(state, row))
    .filter((session) => !isOver(state, session, now))
    .sort(byAge);

/** Runs the work in a transaction and tells of the sessions it ended, and keeps those it wrote, only when that is durable. */
export const change = async <Result>(
  { tables, known }: SessionState,
  work: (does: Changing) => Promise<Result>,
  turn?: string,
): Promise<Result> => {
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

export const endStored = (state: SessionState, id: string, reason: SessionEnd['reason']): Promise<void> =>
  change(state, async (does) => {
    const session = await stored(does.tables, id);
    if (session !== null) await does.end(session, reason);
  });

export const issueToken = async (
  { random }: SessionState,
  inside: WritableTables,
  sessionId: string,
): Promise<string> => {
  const token = makeToken(random);
  await inside.refreshTokens.put({ hash: hashToken(token), sessionId, replacedAt: null, successor: null });
  return token;
};
