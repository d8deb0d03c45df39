import { describe, expect, it } from 'vitest';
import { aSession, suiteOptions } from './contract-suite.ts';
import type { Credentials, SessionEnd } from './credentials.ts';
import { credentialsOnTables } from './credentials-on-tables.ts';
import { inMemoryTables } from './in-memory-tables.ts';

const minute = 60_000;
const hour = 60 * minute;
const start = aSession('s1').createdAt;
const { userId, licenceId } = aSession('s1');

const setUp = () => {
  const tables = inMemoryTables();
  /** As a process that has just started. */
  const process = (): Credentials => credentialsOnTables(tables, { ...suiteOptions, sessionIdle: 12 * hour });
  const credentials = process();
  const open = async (id: string, createdAt = start, maxConcurrentSessions = 1) => {
    const session = aSession(id, { createdAt, expiresAt: createdAt + 24 * hour });
    const opened = await credentials.openSession(session, { maxConcurrentSessions, endOldest: false });
    return opened.kind === 'opened' ? opened.refreshToken : null;
  };
  return { process, credentials, open };
};

describe('sessions that nobody uses', () => {
  it('SIG-1461 twelve hours without a use end one: it opens nothing, renews nothing and takes no seat', async () => {
    const { credentials, open } = setUp();
    const ends: SessionEnd['reason'][] = [];
    credentials.onSessionEnded(({ reason }) => ends.push(reason));
    const token = (await open('s1')) ?? '';
    const last = start + 12 * hour - 1;
    expect(await credentials.sessionsOf(userId, last)).toHaveLength(1);
    expect(await open('s2', last)).toBeNull();
    const over = start + 12 * hour;
    expect(await credentials.session('s1', over)).toBeNull();
    expect(await credentials.sessionsOf(userId, over)).toEqual([]);
    expect(await credentials.countSessions(licenceId, over)).toEqual({ seats: 0, owner: 0 });
    expect(await open('s2', over)).not.toBeNull();
    expect(await credentials.refresh(token, over)).toEqual({ kind: 'invalid' });
    await expect.poll(() => ends).toEqual(['expired']);
  });

  it('SIG-1462 one that is used lives as long as it would: each call is a use', async () => {
    const { credentials, open } = setUp();
    await open('s1');
    for (let at = start; at < start + 24 * hour; at += 11 * hour)
      expect((await credentials.session('s1', at))?.id).toBe('s1');
    expect((await credentials.session('s1', start + 24 * hour - 1))?.id).toBe('s1');
    expect(await credentials.session('s1', start + 24 * hour)).toBeNull();
  });

  it('SIG-1463 a page that only watches renews its token, which is a use that outlasts the process', async () => {
    const { process, open } = setUp();
    let token = (await open('s1')) ?? '';
    for (let at = start; at < start + 24 * hour - hour; at += 11 * hour) {
      const refreshed = await process().refresh(token, at);
      expect(refreshed.kind).toBe('refreshed');
      token = refreshed.kind === 'refreshed' ? refreshed.refreshToken : '';
    }
    expect((await process().session('s1', start + 24 * hour - 1))?.id).toBe('s1');
  });
});
