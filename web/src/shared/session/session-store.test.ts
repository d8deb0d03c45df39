import { beforeEach, describe, expect, it, vi } from 'vitest';
import { tokenStore } from '../api/tokens.ts';
import { fullStorage } from '../testing/full-storage.ts';
import { lastLicenceKey, licenceCacheKeys, onLocalCachesCleared, sessionRecordKey, userInfoKey } from './local-data.ts';
import { dayInMinutes, licenceLoginMinutes, writeSessionRecord } from './session-record.ts';
import { clearBefore, forgetSession, rememberSession, restoreSession } from './session-store.ts';
import type { SessionView } from './session-view.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const minute = 60_000;
const tokens = tokenStore(localStorage);
const encoded = (value: object): string => btoa(JSON.stringify(value));
const tokenUntil = (until: number): string =>
  `${encoded({ alg: 'HS256' })}.${encoded({ sub: 'u1', iat: (until - 900_000) / 1000, exp: until / 1000 })}.sign`;
const view = (licenseId: string): SessionView => ({
  user: { id: 'u1', name: 'Анна Соколова', email: 'a@b.ru', role: 'MEDIA_BUYER', licenseId },
  license: null,
  permissions: { dashboard: true },
  readOnly: null,
  passwordChangeRequired: false,
});
const signedInAt = (timestamp: number, lifetimeMinutes = dayInMinutes): void => {
  writeSessionRecord(localStorage, { userId: 'u1', timestamp, lifetimeMinutes });
  tokens.write({ token: tokenUntil(now + 10 * minute), refreshToken: 'refresh' });
};

beforeEach(() => localStorage.clear());

describe('restoring a session', () => {
  it('VIW-2569 where a browser has no room signing in goes on, and nothing of somebody else stays in its place', () => {
    const removeItem = vi.fn<(key: string) => void>();
    const full = { ...fullStorage(), removeItem } as unknown as Storage;
    rememberSession(full, view('l1'));
    writeSessionRecord(full, { userId: 'u1', timestamp: now, lifetimeMinutes: dayInMinutes });
    expect(removeItem.mock.calls).toEqual([[userInfoKey], [sessionRecordKey]]);
  });

  it('SE-1 a record younger than 24 hours with a token is restored with what is remembered', () => {
    signedInAt(now - dayInMinutes * minute + 1);
    rememberSession(localStorage, view('l1'));
    const restored = restoreSession(localStorage, tokens, now);
    expect(restored).toMatchObject({ kind: 'known', view: { permissions: { dashboard: true } } });
  });

  it('SE-2 at 24 hours sharp the record and the tokens are removed', () => {
    signedInAt(now - dayInMinutes * minute);
    expect(restoreSession(localStorage, tokens, now)).toEqual({ kind: 'none' });
    expect(tokens.read()).toBeNull();
    expect(localStorage.getItem('tg-analytics-session')).toBeNull();
  });

  it('SE-3 after a licence login the record holds for 7 days', () => {
    signedInAt(now - licenceLoginMinutes * minute + 1, licenceLoginMinutes);
    expect(restoreSession(localStorage, tokens, now).kind).toBe('unknown');
    signedInAt(now - licenceLoginMinutes * minute, licenceLoginMinutes);
    expect(restoreSession(localStorage, tokens, now).kind).toBe('none');
  });

  it('SE-4 a record without a token is nothing, a token without a record too', () => {
    signedInAt(now);
    tokens.clear();
    expect(restoreSession(localStorage, tokens, now).kind).toBe('none');
    tokens.write({ token: tokenUntil(now + minute), refreshToken: null });
    expect(restoreSession(localStorage, tokens, now).kind).toBe('none');
  });

  it('SE-5 an expired token is restored only with something to renew it by', () => {
    signedInAt(now - minute);
    tokens.write({ token: tokenUntil(now - 1_000), refreshToken: 'refresh' });
    expect(restoreSession(localStorage, tokens, now).kind).toBe('unknown');
    tokens.write({ token: tokenUntil(now - 1_000), refreshToken: null });
    expect(restoreSession(localStorage, tokens, now).kind).toBe('none');
  });

  it('SE-6 what another person left is not painted', () => {
    signedInAt(now);
    localStorage.setItem(userInfoKey, JSON.stringify({ ...view('l1').user, id: 'u2', permissions: {} }));
    expect(restoreSession(localStorage, tokens, now).kind).toBe('unknown');
  });
});

describe('data of this browser', () => {
  const fill = (): void => {
    for (const key of licenceCacheKeys) localStorage.setItem(key, 'x');
    localStorage.setItem('theme', 'dark');
  };

  it('SE-7 another licence clears the caches of the one before, the same one keeps them', () => {
    localStorage.setItem(lastLicenceKey, 'l1');
    fill();
    rememberSession(localStorage, view('l1'));
    expect(localStorage.getItem('placements')).toBe('x');
    rememberSession(localStorage, view('l2'));
    for (const key of licenceCacheKeys) expect(localStorage.getItem(key)).toBeNull();
    expect(localStorage.getItem('theme')).toBe('dark');
  });

  it('SE-8 owner and licence login clear everything but the theme, and tell other caches', () => {
    let told = 0;
    const stop = onLocalCachesCleared(() => {
      told += 1;
    });
    fill();
    localStorage.setItem('employeeAnalyticsExpanded', 'true');
    clearBefore('employee', localStorage);
    expect(localStorage.getItem('employeeAnalyticsExpanded')).toBe('true');
    clearBefore('owner', localStorage);
    expect(localStorage.getItem('employeeAnalyticsExpanded')).toBeNull();
    expect(localStorage.getItem('theme')).toBe('dark');
    expect(told).toBe(1);
    stop();
  });

  it('SE-9 logging out forgets record, tokens, user and licence', () => {
    signedInAt(now);
    rememberSession(localStorage, view('l1'));
    forgetSession(localStorage, tokens);
    expect(Object.keys(localStorage).filter((key) => key !== lastLicenceKey)).toEqual([]);
  });
});
