import { keepItem } from '../storage/keep-item.ts';
import { sessionRecordKey } from './local-data.ts';

/** Who signed in here and when; `lifetimeMinutes` is 1,440, or 10,080 after a licence login. */
export interface SessionRecord {
  readonly userId: string;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  readonly lifetimeMinutes: number;
}

export const dayInMinutes = 1_440;
export const licenceLoginMinutes = 10_080;

/** Null when there is none or it cannot be read. */
export const readSessionRecord = (storage: Storage): SessionRecord | null => {
  const text = storage.getItem(sessionRecordKey);
  if (text === null) return null;
  try {
    const record = JSON.parse(text) as Partial<SessionRecord> | null;
    return typeof record?.userId === 'string' && typeof record.timestamp === 'number'
      ? {
          userId: record.userId,
          timestamp: record.timestamp,
          lifetimeMinutes: record.lifetimeMinutes === licenceLoginMinutes ? licenceLoginMinutes : dayInMinutes,
        }
      : null;
  } catch {
    return null;
  }
};

/** Where it finds no room the session ends with the page, and nobody else's stands in its place. */
export const writeSessionRecord = (storage: Storage, record: SessionRecord): void => {
  if (!keepItem(storage, sessionRecordKey, JSON.stringify(record))) storage.removeItem(sessionRecordKey);
};

/** Younger than its lifetime; a record from the future counts as none. */
export const isRecordFresh = (record: SessionRecord, now: number): boolean =>
  record.timestamp <= now + 60_000 && now - record.timestamp < record.lifetimeMinutes * 60_000;
