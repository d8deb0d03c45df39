import { afterEach, beforeEach, expect, it } from 'vitest';
import { showDate, showDay, showDaysAsOf, showInstant, showPeriod, showShortDate, showShortDay } from './shown-day.ts';

beforeEach(() => showDaysAsOf(() => '2026-01-05'));
afterEach(() => showDaysAsOf(() => '2026-11-21'));

it('CAL-1143 a day of another year carries its year, one of this year stays as it is', () => {
  expect([showDate('2026-11-21'), showDate('2025-11-21')]).toEqual(['21 ноября', '21 ноября 2025']);
  expect([showDay('2026-11-21'), showDay('2025-11-21')]).toEqual(['21 НОЯБРЯ | СУББОТА', '21 НОЯБРЯ 2025 | ПТ']);
  expect([showShortDay('2026-10-30'), showShortDay('2025-10-30')]).toEqual(['30 окт., пт', '30 окт. 2025, чт']);
  expect([showShortDate('2026-05-05'), showShortDate('2025-11-01')]).toEqual(['5 мая', '1 нояб. 2025']);
  expect(showInstant('2025-12-31T20:59:00.000Z')).toBe('31 декабря 2025, 23:59');
  expect(showInstant('2025-12-31T21:00:00.000Z')).toBe('1 января, 00:00');
});

it.each([
  [null, null, ''],
  ['2026-01-02', null, 'с 2 января'],
  [null, '2025-12-31', 'до 31 декабря 2025'],
  ['2026-01-02', '2026-01-02', '2 января'],
  ['2026-01-02', '2026-01-30', '2–30 января'],
  ['2025-11-01', '2025-11-30', '1–30 ноября 2025'],
  ['2025-12-28', '2026-01-03', '28 декабря 2025 – 3 января'],
])('CAL-1144 from %s to %s is said: %s', (from, to, text) => {
  expect(showPeriod(from, to)).toBe(text);
});
