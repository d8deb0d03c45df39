import type { ApiClient } from '../api/api-client.ts';
import { isExpired, type TokenStore } from '../api/tokens.ts';
import { keepItem } from '../storage/keep-item.ts';
import {
  clearAllLocalData,
  clearLicenceCaches,
  clearOwnActions,
  lastLicenceKey,
  licenceInfoKey,
  sessionRecordKey,
  userInfoKey,
} from './local-data.ts';
import { isRecordFresh, readSessionRecord } from './session-record.ts';
import type { Restored } from './session.machine.ts';
import { type SessionAnswer, type SessionView, sessionViewOf } from './session-view.ts';

/** Drops what one person leaves behind: record, tokens, user, licence and what they did last. Caches of the licence stay for the next sign-in. */
export const forgetSession = (storage: Storage, tokens: TokenStore): void => {
  tokens.clear();
  for (const key of [sessionRecordKey, userInfoKey, licenceInfoKey]) storage.removeItem(key);
  clearOwnActions(storage);
};

/** What finds no room is asked for at the next start; nothing of somebody else's stays in its place. */
export const rememberSession = (storage: Storage, view: SessionView): void => {
  const keep = (key: string, value: object): void => {
    if (!keepItem(storage, key, JSON.stringify(value))) storage.removeItem(key);
  };
  keep(userInfoKey, { ...view.user, permissions: view.permissions });
  if (view.license) keep(licenceInfoKey, view.license);
  const last = storage.getItem(lastLicenceKey);
  if (last !== null && last !== view.user.licenseId) clearLicenceCaches(storage);
  keepItem(storage, lastLicenceKey, view.user.licenseId);
};

const rememberedView = (storage: Storage, userId: string): SessionView | null => {
  try {
    const user = JSON.parse(storage.getItem(userInfoKey) ?? 'null') as SessionAnswer['user'] | null;
    const permissions = (user as { permissions?: SessionAnswer['permissions'] } | null)?.permissions;
    if (user?.id !== userId || permissions === undefined || permissions === null) return null;
    const license = JSON.parse(storage.getItem(licenceInfoKey) ?? 'null') as SessionAnswer['license'];
    return sessionViewOf({ user, license, permissions });
  } catch {
    return null;
  }
};

/**
 * A fresh record plus a token restores; anything else is removed (AUTH-16). An expired token is restored only
 * while a refresh token can still renew it.
 */
export const restoreSession = (storage: Storage, tokens: TokenStore, now: number): Restored => {
  const record = readSessionRecord(storage);
  const pair = tokens.read();
  const usable = pair !== null && (!isExpired(pair.token, now) || pair.refreshToken !== null);
  if (record === null || !isRecordFresh(record, now) || !usable) {
    forgetSession(storage, tokens);
    return { kind: 'none' };
  }
  const view = rememberedView(storage, record.userId);
  return view ? { kind: 'known', view } : { kind: 'unknown' };
};

export const loadSession = async (api: ApiClient): Promise<SessionView> => {
  const { data } = await api.get<SessionAnswer>('/api/auth/session');
  return sessionViewOf(data);
};

/** Licence and owner login first clear all local data; an employee of another licence clears that licence's caches. */
export const clearBefore = (kind: 'employee' | 'owner' | 'licence', storage: Storage): void => {
  switch (kind) {
    case 'employee':
      return;
    case 'owner':
    case 'licence':
      clearAllLocalData(storage);
  }
};
