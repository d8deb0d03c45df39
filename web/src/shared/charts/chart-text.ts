import { showDate, showShortDate } from '../day/shown-day.ts';
import { showShortDate as bareShortDate } from '@zakup/domain/calendar';
import { formatNumber } from '@zakup/domain/russian';

/** So many days have room for their names below a picture, also on a phone. */
const mostTicks = 8;

/** A day below a picture, after the day named before it: `5`, `1 нояб.`, `1 янв. 2025`. */
export const dayTick = (day: string, before: string | undefined): string => {
  if (before?.slice(0, 7) === day.slice(0, 7)) return String(Number(day.slice(8)));
  return before?.slice(0, 4) === day.slice(0, 4) ? bareShortDate(day) : showShortDate(day);
};

/** So many letters stand beside each other below a picture on a phone. */
const mostLetters = 44;

/** Whether names of every so many days stand beside each other, each in the middle of its place, with a letter between them. */
const haveRoom = (names: readonly string[], letters: number): boolean =>
  names.every((name, index) => {
    const before = names[index - 1];
    return before === undefined || (before.length + name.length) / 2 + 1 <= letters;
  });

const namesOf = (days: readonly string[]): readonly string[] => days.map((day, index) => dayTick(day, days[index - 1]));

/**
 * Which days of a picture are named, and how: `20 окт.`, `24`, `28`, `1 нояб.`, `5`. The month where it is another than before, the year
 * where the picture begins and where a new one does. As many as have room; after a beginning with its year the next one may be left out.
 */
export const dayTicks = (days: readonly string[]) => {
  const every = (step: number): readonly string[] => days.filter((_, index) => index % step === 0);
  const lettersOf = (step: number): number => (mostLetters * step) / Math.max(1, days.length - 1);
  let step = Math.max(1, Math.ceil(days.length / mostTicks));
  while (step < days.length && !haveRoom(namesOf(every(step)).slice(1), lettersOf(step))) step += 1;
  const evenly = every(step);
  const [first, ...others] = evenly;
  const isTight = !haveRoom(namesOf(evenly).slice(0, 2), lettersOf(step));
  const ticks = first === undefined ? [] : [first, ...others.slice(isTight ? 1 : 0)];
  const before = new Map(ticks.map((day, index) => [day, ticks[index - 1]]));
  return {
    ticks,
    interval: 0,
    tickFormatter: (day: string): string => dayTick(day, before.get(day)),
  } as const;
};

/** `30 тыс.`, `1,5 млн`, `9,9 млрд`; whole roubles below ten thousand. */
export const roughRoubles = (roubles: number): string => {
  const size = Math.abs(roubles);
  // What is rounded up to the next word has that word: 1 млрд, not 1 000 млн.
  if (size >= 999_950_000) return `${formatNumber(Math.round(roubles / 100_000_000) / 10)} млрд`;
  if (size >= 999_500) return `${formatNumber(Math.round(roubles / 100_000) / 10)} млн`;
  if (size >= 10_000) return `${formatNumber(Math.round(roubles / 1000))} тыс.`;
  return formatNumber(Math.round(roubles));
};

export const fullDate = showDate;

/** A round number at or above the greatest value, for the end of an axis; 1 for nothing. */
export const roundUp = (value: number): number => {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((one) => one * power >= value) ?? 10;
  return step * power;
};
