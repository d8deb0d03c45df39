import { type LagMinute, noticeNames } from '@zakup/contracts/notices';
import { declaredFields } from '@zakup/contracts/read-models';
import { inMemoryReadStore } from '@zakup/read-store/in-memory';
import type { JsonObject } from '@zakup/read-store/read-store';
import { expect, it } from 'vitest';
import { lastHour } from './last-hour.ts';

const minute = 60_000;
const now = Date.UTC(2026, 10, 21, 12, 0, 30);
const at = (ago: number): number => Math.floor(now / minute) * minute - ago * minute;

it('ADM-3414 of what was noted the last sixty minutes are told, events summed up, minutes without work left out', async () => {
  const readStore = inMemoryReadStore({ declared: declaredFields });
  expect(await lastHour(readStore, now)).toBeNull();
  const minutes: readonly LagMinute[] = [
    { at: at(60), events: 100, lagMilliseconds: 9 },
    { at: at(59), events: 10, lagMilliseconds: 12 },
    { at: at(30), events: 5, lagMilliseconds: null },
    { at: at(0), events: 1, lagMilliseconds: 44 },
    { at: at(-3), events: 50, lagMilliseconds: 1 },
  ];
  await readStore.note(noticeNames.lag, { since: at(90), minutes } as unknown as JsonObject);
  expect(await lastHour(readStore, now)).toEqual({
    since: '2026-11-21T10:30:00.000Z',
    events: 16,
    minutes: [
      { at: '2026-11-21T11:01:00.000Z', lagMilliseconds: 12 },
      { at: '2026-11-21T12:00:00.000Z', lagMilliseconds: 44 },
    ],
  });
});
