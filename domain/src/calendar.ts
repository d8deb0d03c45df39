/** A calendar day `YYYY-MM-DD` at UTC+3, never an instant (NUM-3). */
export type Day = string;

const hours3 = 3 * 60 * 60 * 1000;
const months = [
  'января',
  'февраля',
  'марта',
  'апреля',
  'мая',
  'июня',
  'июля',
  'августа',
  'сентября',
  'октября',
  'ноября',
  'декабря',
] as const;
const shortMonths = ['янв', 'фев', 'мар', 'апр', 'мая', 'июн', 'июл', 'авг', 'сен', 'окт', 'ноя', 'дек'] as const;
const weekdays = ['воскресенье', 'понедельник', 'вторник', 'среда', 'четверг', 'пятница', 'суббота'] as const;
const shortWeekdays = ['вс', 'пн', 'вт', 'ср', 'чт', 'пт', 'сб'] as const;

interface Parts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly weekday: number;
}

const dayText = /^(\d{4})-(\d{2})-(\d{2})$/u;

const partsOf = (text: string): Parts | null => {
  const match = dayText.exec(text);
  if (match === null) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]) - 1, Number(match[3])];
  const date = new Date(Date.UTC(year, month, day));
  if (date.getUTCMonth() !== month || date.getUTCDate() !== day) return null;
  return year < 2000 || year > 2100 ? null : { year, month, day, weekday: date.getUTCDay() };
};

/** The day itself when it is a real one from 2000 to 2100 in the form `YYYY-MM-DD`, else `null`. */
export const parseDay = (text: string): Day | null => (partsOf(text) === null ? null : text);

/** The day it is at UTC+3, `nowMillis` after the epoch. */
export const today = (nowMillis: number): Day => new Date(nowMillis + hours3).toISOString().slice(0, 10);

/** The day at UTC+3 of a UTC instant. */
export const dayOf = (instant: string): Day => today(Date.parse(instant));

/** `21 НОЯБРЯ | СУББОТА`. What is no day is shown as it stands, here and below. */
export const showDay = (day: Day): string => {
  const parts = partsOf(day);
  return parts === null ? day : `${parts.day} ${months[parts.month]} | ${weekdays[parts.weekday]}`.toUpperCase();
};

/** `21 ноя, сб`, for narrow screens. */
export const showShortDay = (day: Day): string => {
  const parts = partsOf(day);
  return parts === null ? day : `${parts.day} ${shortMonths[parts.month]}, ${shortWeekdays[parts.weekday]}`;
};

/** `21 ноября`. */
export const showDate = (day: Day): string => {
  const parts = partsOf(day);
  return parts === null ? day : `${parts.day} ${months[parts.month]}`;
};

/** `21 ноября 2026`. */
export const showDateWithYear = (day: Day): string => {
  const parts = partsOf(day);
  return parts === null ? day : `${parts.day} ${months[parts.month]} ${parts.year}`;
};

const atMoscow = (instant: string): string | null => {
  const millis = Date.parse(instant);
  return Number.isNaN(millis) ? null : new Date(millis + hours3).toISOString();
};

/** `21 ноября, 14:36` at UTC+3, of a UTC instant in ISO 8601. */
export const showInstant = (instant: string): string => {
  const local = atMoscow(instant);
  return local === null ? instant : `${showDate(local.slice(0, 10))}, ${local.slice(11, 16)}`;
};

/** `14:36` at UTC+3, of a UTC instant in ISO 8601. */
export const showTime = (instant: string): string => atMoscow(instant)?.slice(11, 16) ?? instant;
