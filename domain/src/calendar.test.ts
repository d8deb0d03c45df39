import * as fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  dayOf,
  parseDay,
  showDate,
  showDateWithYear,
  showDay,
  showInstant,
  showMonth,
  showShortDate,
  showShortDay,
  showTime,
  today,
} from './calendar.ts';

test.each(['2000-01-01', '2024-02-29', '2000-02-29', '2100-12-31', '2026-11-21'])('CAL-1 %s is a day', (text) => {
  expect(parseDay(text)).toBe(text);
});

test.each([
  '',
  '1999-12-31',
  '2101-01-01',
  '2025-02-29',
  '2100-02-29',
  '2026-04-31',
  '2026-13-01',
  '2026-00-10',
  '2026-01-00',
  '2026-1-5',
  '0050-01-01',
  '2026-01-05T00:00:00Z',
  ' 2026-01-05',
  '05.01.2026',
  '２０２６-01-05',
])('CAL-2 %j is no day', (text) => {
  expect(parseDay(text)).toBeNull();
});

test.each([
  ['2026-11-20T20:59:59.999Z', '2026-11-20'],
  ['2026-11-20T21:00:00.000Z', '2026-11-21'],
  ['2026-11-20T21:30:00.000Z', '2026-11-21'],
  ['2026-12-31T21:00:00.000Z', '2027-01-01'],
  ['2026-07-01T20:59:00.000Z', '2026-07-01'],
])('CAL-3 at %s it is %s at UTC+3, summer and winter', (instant, day) => {
  expect(today(Date.parse(instant))).toBe(day);
  expect(dayOf(instant)).toBe(day);
});

test('CAL-4 today is always a day', () => {
  fc.assert(
    fc.property(fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2100, 11, 31) }), (now) => {
      const day = today(now);
      expect(parseDay(day)).toBe(day);
    }),
  );
});

test.each([
  ['2026-11-21', '21 НОЯБРЯ | СУББОТА', '21 нояб., сб', '21 ноября', '21 ноября 2026'],
  ['2024-02-29', '29 ФЕВРАЛЯ | ЧЕТВЕРГ', '29 февр., чт', '29 февраля', '29 февраля 2024'],
  ['2026-05-03', '3 МАЯ | ВОСКРЕСЕНЬЕ', '3 мая, вс', '3 мая', '3 мая 2026'],
  ['2026-01-01', '1 ЯНВАРЯ | ЧЕТВЕРГ', '1 янв., чт', '1 января', '1 января 2026'],
])('CAL-5 %s is shown in Russian', (day, long, short, date, dated) => {
  expect(showDay(day)).toBe(long);
  expect(showShortDay(day)).toBe(short);
  expect(showDate(day)).toBe(date);
  expect(showDateWithYear(day)).toBe(dated);
});

test('CAL-1180 a month by itself is shown by its name, of another year with the year', () => {
  expect(showMonth('2026-05-03')).toBe('май');
  expect(showMonth('2026-11-30', '2026-01-01')).toBe('нояб.');
  expect(showMonth('2025-03-01', '2026-01-01')).toBe('март 2025');
  expect(showMonth('позже')).toBe('позже');
});

test('CAL-6 what is no day or instant is shown as it stands', () => {
  for (const show of [showDay, showShortDay, showDate, showDateWithYear, showInstant, showTime])
    expect(show('позже')).toBe('позже');
});

test('CAL-7 an instant is shown at UTC+3', () => {
  expect(showInstant('2026-11-21T11:36:00.000Z')).toBe('21 ноября, 14:36');
  expect(showInstant('2026-11-20T21:30:00.000Z')).toBe('21 ноября, 00:30');
  expect(showTime('2026-11-20T21:30:00.000Z')).toBe('00:30');
});

test('CAL-8 the weekday follows the calendar, day after day', () => {
  const weekdays = ['ВОСКРЕСЕНЬЕ', 'ПОНЕДЕЛЬНИК', 'ВТОРНИК', 'СРЕДА', 'ЧЕТВЕРГ', 'ПЯТНИЦА', 'СУББОТА'];
  const saturday = Date.UTC(2000, 0, 1);
  const days = Array.from({ length: 36_890 }, (_, n) => today(saturday + n * 86_400_000));
  expect(days.at(-1)).toBe('2100-12-31');
  expect(days.filter((day, n) => showDay(day).split(' | ')[1] !== weekdays[(6 + n) % 7])).toEqual([]);
});

test.each(['America/New_York', 'Pacific/Kiritimati', 'Europe/Moscow'])('CAL-9 in %s the day is the same', (zone) => {
  vi.stubEnv('TZ', zone);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  expect(Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(zone);
  expect(today(Date.parse('2026-11-20T21:30:00.000Z'))).toBe('2026-11-21');
  expect(showDay('2026-11-21')).toBe('21 НОЯБРЯ | СУББОТА');
  expect(showInstant('2026-11-20T21:30:00.000Z')).toBe('21 ноября, 00:30');
});

test.each([
  ['01', 'янв.'],
  ['02', 'февр.'],
  ['03', 'марта'],
  ['04', 'апр.'],
  ['05', 'мая'],
  ['06', 'июня'],
  ['07', 'июля'],
  ['08', 'авг.'],
  ['09', 'сент.'],
  ['10', 'окт.'],
  ['11', 'нояб.'],
  ['12', 'дек.'],
])('CAL-1145 the month %s is shortened to %s', (month, word) => {
  expect(showShortDate(`2026-${month}-05`)).toBe(`5 ${word}`);
  expect(showShortDate(`2025-${month}-05`, '2026-01-01')).toBe(`5 ${word} 2025`);
});
