import type { TimelineData } from './use-timeline.ts';

type Days = TimelineData['days'];

const dayMillis = 86_400_000;
const numberOf = (day: string): number => Math.round(Date.parse(`${day}T00:00:00Z`) / dayMillis);
const dayOfNumber = (number: number): string => new Date(number * dayMillis).toISOString().slice(0, 10);

/** Days side by side, also those on which nothing happened. */
export interface Axis {
  /** From 0 at the first day's beginning to 1 at the last one's end. */
  readonly placeOf: (position: number) => number;
  readonly positionAt: (place: number) => number;
  /** Heights from 0 to 1, of one day or of a few next to each other. */
  readonly bars: readonly number[];
  /** Days at both ends and some between them. */
  readonly marks: readonly { readonly place: number; readonly day: string }[];
}

const mostBars = 60;

/** null = nothing has happened yet. */
export const axisOf = (days: Days): Axis | null => {
  const [first] = days;
  const last = days.at(-1);
  if (first === undefined || last === undefined) return null;
  const begin = numberOf(first.day);
  const length = numberOf(last.day) - begin + 1;
  const step = Math.ceil(length / mostBars);
  const counts = Array.from({ length: Math.ceil(length / step) }, () => 0);
  for (const { day, count } of days) {
    const bar = Math.floor((numberOf(day) - begin) / step);
    counts[bar] = (counts[bar] ?? 0) + count;
  }
  const most = Math.max(...counts);
  return {
    placeOf(position) {
      const day = days.findLast((one) => one.first <= position);
      if (day === undefined) return 0;
      const part = day.last === day.first ? 1 : Math.min(1, (position - day.first) / (day.last - day.first));
      return (numberOf(day.day) - begin + part) / length;
    },
    positionAt(place) {
      const at = Math.min(Math.max(place, 0), 1) * length;
      const number = Math.min(length - 1, Math.floor(at)) + begin;
      const day = days.findLast((one) => numberOf(one.day) <= number) ?? first;
      if (numberOf(day.day) < number) return day.last;
      return Math.round(day.first + (at + begin - number) * (day.last - day.first));
    },
    bars: counts.map((count) => count / most),
    marks: (length === 1 ? [0] : [0, 0.5, 1]).map((part) => {
      const number = Math.round(part * (length - 1));
      return { place: (number + (length === 1 ? 0 : part)) / length, day: dayOfNumber(begin + number) };
    }),
  };
};

/** The end of the day before, or after, the position's own; null = there is none. */
export const dayStep = (days: Days, position: number, step: -1 | 1): number | null => {
  const index = days.findLastIndex((one) => one.first <= position);
  const own = days[index];
  // Within a day its own end is the next one.
  if (step === 1 && own !== undefined && position < own.last) return own.last;
  return days[index + step]?.last ?? null;
};
