import { dayOf, showDateWithYear, showTime } from '@zakup/domain/calendar';
import { showDate } from '../day/shown-day.ts';
import { useMoment } from './moment-context.ts';

/** What stands behind the name of a file or a sheet that is of the past: ` - как было 14 ноября 2026, 18-42`. */
export const useThenSuffix = (): string => {
  const at = useMoment()?.at ?? null;
  return at === null ? '' : ` - как было ${showDateWithYear(dayOf(at))}, ${showTime(at).replace(':', '-')}`;
};

/** Names a file that is made of what is on the screen: of the past, with its moment. */
export const useThenName = (): ((name: string, ending: string) => string) => {
  const suffix = useThenSuffix();
  return (name, ending) => `${name}${suffix}.${ending}`;
};

/** `Дашборд, как было 14 ноября`. */
export const useThenTitle = (title: string): string => {
  const moment = useMoment();
  if (moment === null) return title;
  return moment.at === null ? `${title}, как было` : `${title}, как было ${showDate(dayOf(moment.at))}`;
};
