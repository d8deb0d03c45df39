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
const shortMonths = [
  'янв.',
  'февр.',
  'марта',
  'апр.',
  'мая',
  'июня',
  'июля',
  'авг.',
  'сент.',
  'окт.',
  'нояб.',
  'дек.',
] as const;
const shortMonthNames = [
  'янв.',
  'февр.',
  'март',
  'апр.',
  'май',
  'июнь',
  'июль',
  'авг.',
  'сент.',
  'окт.',
  'нояб.',
  'дек.',
] as const;
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

/** ` 2025` beside a day of another year, nothing beside one of the same year or where no day is given. */
const yearBeside = ({ year }: Parts, asOf: Day | undefined): string =>
  asOf === undefined || Number(asOf.slice(0, 4)) === year ? '' : ` ${year}`;

/**
 * `21 НОЯБРЯ | СУББОТА`; of another year than `asOf`: `21 НОЯБРЯ 2025 | ПТ`, which takes no more room. What is no day is shown as it
 * stands, here and below.
 */
export const showDay = (day: Day, asOf?: Day): string => {
  const parts = partsOf(day);
  if (parts === null) return day;
  const year = yearBeside(parts, asOf);
  const weekday = year === '' ? weekdays[parts.weekday] : shortWeekdays[parts.weekday];
  return `${parts.day} ${months[parts.month]}${year} | ${weekday}`.toUpperCase();
};

/** `21 нояб., сб`, for narrow screens; of another year than `asOf`: `21 нояб. 2025, пт`. */
export const showShortDay = (day: Day, asOf?: Day): string => {
  const parts = partsOf(day);
  return parts === null ? day : `${showShortDate(day, asOf)}, ${shortWeekdays[parts.weekday]}`;
};

/** `21 нояб.`; of another year than `asOf`: `21 нояб. 2025`. */
export const showShortDate = (day: Day, asOf?: Day): string => {
  const parts = partsOf(day);
  return parts === null ? day : `${parts.day} ${shortMonths[parts.month]}${yearBeside(parts, asOf)}`;
};

/** The month of a day by itself: `июль`; of another year than `asOf`: `июль 2025`. */
export const showMonth = (day: Day, asOf?: Day): string => {
  const parts = partsOf(day);
  return parts === null ? day : `${shortMonthNames[parts.month]}${yearBeside(parts, asOf)}`;
};

/** `21 ноября`; of another year than `asOf`: `21 ноября 2025`. */
export const showDate = (day: Day, asOf?: Day): string => {
  const parts = partsOf(day);
  return parts === null ? day : `${parts.day} ${months[parts.month]}${yearBeside(parts, asOf)}`;
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

/** `21 ноября, 14:36` at UTC+3, of a UTC instant in ISO 8601; of another year than `asOf`: `21 ноября 2025, 14:36`. */
export const showInstant = (instant: string, asOf?: Day): string => {
  const local = atMoscow(instant);
  return local === null ? instant : `${showDate(local.slice(0, 10), asOf)}, ${local.slice(11, 16)}`;
};

/** `14:36` at UTC+3, of a UTC instant in ISO 8601. */
export const showTime = (instant: string): string => atMoscow(instant)?.slice(11, 16) ?? instant;
