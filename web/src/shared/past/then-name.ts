import { dayOf, showDateWithYear, showTime } from '@zakup/domain/calendar';
import { useMoment } from './moment-context.ts';

/** Names a file that is made of what is on the screen: of the past, with its moment. */
export const useThenName = (): ((name: string, ending: string) => string) => {
  const moment = useMoment();
  return (name, ending) => {
    const at = moment?.at ?? null;
    const then = at === null ? '' : ` - как было ${showDateWithYear(dayOf(at))}, ${showTime(at).replace(':', '-')}`;
    return `${name}${then}.${ending}`;
  };
};
