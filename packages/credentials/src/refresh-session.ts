import type { Credentials } from './credentials.ts';
import { hashToken, openSuccessor, sealSuccessor } from './secrets.ts';
import { change, isOver, issueToken, type SessionState, stored } from './session-state.ts';

/** Milliseconds after a rotation in which the token before it is still taken. */
const grace = 5_000;

/** Rotates a refresh token. One that was rotated long ago ends its session: somebody else has it. */
export const refreshSession = (
  state: SessionState,
  ...[refreshToken, now]: Parameters<Credentials['refresh']>
): ReturnType<Credentials['refresh']> =>
  change(state, async ({ tables: inside, end, put }) => {
    const { known } = state;
    let token = refreshToken;
    let row = await inside.refreshTokens.get(hashToken(token));
    const session = row === undefined ? null : await stored(inside, row.sessionId);
    if (row === undefined || session === null) return { kind: 'invalid' };
    if (isOver(state, known.withNews(session), now)) {
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
    const next = await issueToken(state, inside, session.id);
    await inside.refreshTokens.put({ ...row, replacedAt: now, successor: sealSuccessor(token, next) });
    const seen = { ...session, lastSeenAt: Math.max(now, session.lastSeenAt) };
    await put(seen);
    return { kind: 'refreshed', session: seen, refreshToken: next };
  });
