import { describe, expect, it } from 'vitest';
import { accessTokens } from './access-token.ts';
import { authenticateAdmin, authenticateToken, bearerOf } from './authenticate.ts';
import { suiteOptions } from './contract-suite.ts';
import type { Session } from './credentials.ts';
import { inMemoryCredentials } from './in-memory.ts';

const start = Date.UTC(2025, 0, 1);
const secret = 'a secret of more than thirty-two bytes, for tests';
const hour = 60 * 60_000;

const setUp = async (of: Partial<Session> = {}) => {
  let now = start;
  const tokens = accessTokens({ secret, clock: () => now });
  const credentials = inMemoryCredentials(suiteOptions);
  const opened = await credentials.openSession(
    {
      id: 's1',
      userId: 'anna',
      licenceId: '3flicence',
      via: 'employee',
      createdAt: start,
      expiresAt: start + 24 * hour,
      userAgent: 'test',
      passwordChangeOnly: false,
      ...of,
    },
    { maxConcurrentSessions: 10, endOldest: false },
  );
  if (opened.kind !== 'opened') throw new Error('No seat');
  const { session } = opened;
  const tokenOf = (userId: string): string =>
    tokens.issue({ ...session, userId, sessionId: session.id, role: 'MEDIA_BUYER' });
  return {
    session,
    tokens,
    credentials,
    tokenOf,
    deps: { tokens, credentials, now: () => now },
    at: (millis: number) => {
      now = start + millis;
    },
  };
};

describe('authenticate', () => {
  it.each([
    ['Bearer a.b-1.c_2', 'a.b-1.c_2'],
    ['Bearer garbage', 'garbage'],
    ['Bearer a.b.c, Bearer d.e.f', 'a.b.c, Bearer d.e.f'],
    ['Bearer ', null],
    ['Bearer', null],
    ['Basic a.b.c', null],
    ['', null],
    [undefined, null],
  ])('AU-1 the token of %j is %j', (header, token) => {
    expect(bearerOf(header)).toBe(token);
  });

  it('AU-1040 a text that is no token is refused as one whose time is over', async () => {
    const { deps } = await setUp();
    for (const text of ['garbage', 'a.b.c', 'a.b.c, Bearer d.e.f', '\u0000', 'я'.repeat(5000)])
      expect(await authenticateToken(deps, text)).toEqual({ kind: 'refused', reason: 'over' });
  });

  it('AU-2 a token leads to its open session until either ends', async () => {
    const { deps, session, tokenOf, credentials, at } = await setUp();
    const token = tokenOf('anna');
    expect(await authenticateToken(deps, token)).toEqual({ kind: 'open', session, expiresAt: start + hour / 4 });
    at(hour / 4);
    expect(await authenticateToken(deps, token)).toEqual({ kind: 'refused', reason: 'over' });
    at(0);
    await credentials.endSession(session.id, 'logged_out');
    expect(await authenticateToken(deps, token)).toEqual({ kind: 'refused', reason: 'over' });
  });

  it('AU-3 no token, a forged one, the admin’s and one of another person are refused', async () => {
    const { deps, tokens, tokenOf } = await setUp();
    const over = { kind: 'refused', reason: 'over' };
    expect(await authenticateToken(deps, null)).toEqual({ kind: 'refused', reason: 'no_token' });
    expect(await authenticateToken(deps, 'a.b.c')).toEqual(over);
    expect(await authenticateToken(deps, tokens.issueAdmin({ login: 'admin', sessionId: 's1' }))).toEqual(over);
    expect(await authenticateToken(deps, tokenOf('boris'))).toEqual(over);
  });

  it('AU-4 a one-time password’s session opens only what serves the change of password', async () => {
    const { deps, tokenOf } = await setUp({ passwordChangeOnly: true });
    const token = tokenOf('anna');
    expect(await authenticateToken(deps, token)).toEqual({ kind: 'refused', reason: 'password_change_only' });
    expect((await authenticateToken(deps, token, { passwordChange: true })).kind).toBe('open');
  });

  const asAdmin = async () => {
    const { deps, tokens, tokenOf, credentials, at } = await setUp();
    await credentials.setAdmin('admin', 'password one');
    const signIn = async (now: number) => {
      const stamp = (await credentials.adminStamp()) ?? '';
      const sessionId = (await credentials.openAdminSession(stamp, now)) ?? '';
      return tokens.issueAdmin({ login: 'admin', sessionId });
    };
    const found = async (token: string | null, unattended = false): Promise<string> => {
      const answer = await authenticateAdmin(deps, token, { unattended });
      return answer.kind === 'open' ? answer.login : answer.reason;
    };
    return { credentials, signIn, found, tokenOf, at };
  };

  it('AU-5 the admin’s token is over with the password it was issued under', async () => {
    const { credentials, signIn, found, tokenOf } = await asAdmin();
    const token = await signIn(start);
    expect(await found(token)).toBe('admin');
    expect(await found(null)).toBe('no_token');
    expect(await found(tokenOf('anna'))).toBe('over');
    await credentials.setAdmin('admin', 'password two');
    expect(await found(token)).toBe('over');
  });

  it('AU-1454 half an hour without a use ends the admin’s session, and a page that looks by itself does not use it', async () => {
    const { signIn, found, at } = await asAdmin();
    const [used, watched] = [await signIn(start), await signIn(start)];
    for (let minutes = 20; minutes <= 100; minutes += 20) {
      at(minutes * 60_000);
      expect(await found(used)).toBe('admin');
    }
    at(100 * 60_000);
    expect(await found(watched)).toBe('idle');
    const page = await signIn(start + 100 * 60_000);
    at(129 * 60_000);
    expect(await found(page, true)).toBe('admin');
    at(130 * 60_000);
    expect([await found(page, true), await found(page)]).toEqual(['idle', 'idle']);
  });
});
