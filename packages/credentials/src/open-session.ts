import type { Credentials, Session } from './credentials.ts';
import { sessionOf } from './known-sessions.ts';
import { change, isOver, isOwners, issueToken, live, newest, type SessionState } from './session-state.ts';

/** Begins a session within the places of its licence: the owner's are counted apart. */
export const openSession = async (
  state: SessionState,
  ...[given, { maxConcurrentSessions, mostOfOne = maxConcurrentSessions, endOldest }]: Parameters<
    Credentials['openSession']
  >
): ReturnType<Credentials['openSession']> => {
  const now = given.createdAt;
  const session: Session = { ...given, lastSeenAt: now };
  return change(
    state,
    async ({ tables, end, put }) => {
      const rows = await tables.sessions.by('licenceId', session.licenceId);
      for (const other of rows) {
        if (isOver(state, newest(state, other), now)) await end(sessionOf(other), 'expired');
      }
      const ofLicence = live(state, rows, now);
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
      return { kind: 'opened', session, refreshToken: await issueToken(state, tables, session.id) } as const;
    },
    `licence ${session.licenceId}`,
  );
};
