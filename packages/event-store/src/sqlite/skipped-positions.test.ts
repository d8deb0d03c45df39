import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@zakup/sqlite/engine';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { sampleEvent } from '../contract-suite.ts';
import { CorruptEvent, type EventStore, type RecordedEvent } from '../event-store.ts';
import { readHeadMark } from './head-mark.ts';
import { checkLog } from './log-check.ts';
import { positionCount, skipOf, skipPositions } from './skipped-positions.ts';
import { sqliteEventStore } from './sqlite-event-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'zakup-skip-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const left = 1_000_000_000;
const now = Date.parse('2026-11-28T03:00:00.000Z');
const { signal } = new AbortController();
let logs = 0;
let file: string;

const append = async (store: EventStore, events: number): Promise<void> => {
  for (let at = 0; at < events; at += 1)
    await store.append([{ stream: 'placement-3f~1', expectedRevision: 'any', events: [sampleEvent('3f')] }]);
};
const onLog = async <Result>(work: (store: EventStore) => Promise<Result>): Promise<Result> => {
  const store = await sqliteEventStore({ file });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
};
const following = async (store: EventStore, after: number): Promise<readonly RecordedEvent[]> => {
  const stop = new AbortController();
  const head = await store.head();
  const events: RecordedEvent[] = [];
  // What was just appended is given a turn later.
  for await (const message of store.subscribe({ after, signal: stop.signal })) {
    if (message.kind === 'events') events.push(...message.events);
    if ((events.at(-1)?.position ?? after) >= head) stop.abort();
  }
  return events;
};

describe('a log that goes on behind a gap', () => {
  beforeEach(async () => {
    logs += 1;
    file = join(folder, `${logs}.db`);
    await onLog((store) => append(store, 3));
  });

  test('BAK-2780 positions after it are larger by as many, streams and licences go on, and its head mark knows', async () => {
    expect(skipPositions(file, { reason: 'restored', count: left, now })).toBe(left + 4);
    expect(readHeadMark(file)).toBe(left + 4);
    await onLog(async (store) => {
      expect(await store.head()).toBe(left + 4);
      await append(store, 2);
      const after = [left + 4, left + 5, left + 6];
      expect((await following(store, 0)).map(({ position }) => position)).toEqual([1, 2, 3, ...after]);
      // From a place that only the lost log had.
      expect((await following(store, 500)).map(({ position }) => position)).toEqual(after);
      expect((await store.readLicence('3f')).map(({ revision }) => revision)).toEqual([0, 1, 2, 3, 4]);
      const count = await positionCount(store);
      expect([2, 3, 500, ...after].map(count)).toEqual([2, 3, 3, 4, 5, 6]);
      const [told] = await following(store, 3);
      expect(told && skipOf(told)).toMatchObject({ reason: 'restored', after: 3, position: left + 4 });
    });
    expect(await checkLog(file, signal)).toBe(left + 6);
  });

  test('BAK-2781 what is missing before it, or behind it, is missed all the same', async () => {
    skipPositions(file, { reason: 'restored', count: left, now });
    await onLog((store) => append(store, 3));
    const without = async (position: number): Promise<unknown> => {
      const copy = join(folder, `${logs}-${position}.db`);
      const database = openDatabase(file);
      await database.copyTo(copy);
      database.close();
      const altered = openDatabase(copy);
      altered.exec(`DELETE FROM events WHERE position = ${position}`);
      altered.close();
      return checkLog(copy, signal).catch((error: unknown) => error);
    };
    for (const position of [3, left + 4, left + 6]) {
      const refused = await without(position);
      expect(refused).toBeInstanceOf(CorruptEvent);
      expect(refused).toMatchObject({ position: position === left + 4 ? 4 : position });
    }
  });
});
