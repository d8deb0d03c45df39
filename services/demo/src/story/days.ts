import type { Day } from '@zakup/domain/calendar';

const dayMs = 24 * 60 * 60 * 1000;
const minuteMs = 60 * 1000;

/** The calendar of a story of `length` days, of which the last one is `last`; days are told by number, the first is 0. */
export interface Days {
  readonly length: number;
  readonly day: (index: number) => Day;
  /** UTC milliseconds of a minute of that day at UTC+3. */
  readonly at: (index: number, minute: number) => number;
  /** 0 = Monday. */
  readonly weekday: (index: number) => number;
  /** `март 2026`. */
  readonly month: (index: number) => string;
}

const months = 'январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь'.split(' ');

export const days = (last: Day, length: number): Days => {
  const first = Date.parse(`${last}T00:00:00.000Z`) - (length - 1) * dayMs;
  const day = (index: number): Day => new Date(first + index * dayMs).toISOString().slice(0, 10);
  return {
    length,
    day,
    at: (index, minute) => first + index * dayMs + (minute - 3 * 60) * minuteMs,
    weekday: (index) => (new Date(first + index * dayMs).getUTCDay() + 6) % 7,
    month: (index) => `${months[Number(day(index).slice(5, 7)) - 1] ?? ''} ${day(index).slice(0, 4)}`,
  };
};
