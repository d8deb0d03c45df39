import { type LagNotice, noticeNames } from '@zakup/contracts/notices';
import type { ReadStore } from '@zakup/read-store/read-store';

const minute = 60_000;
const kept = 60;

/** The last hour of projecting, its present minute included, as whoever projects noted it last; null = nothing is noted. `now`: UTC milliseconds. */
export const lastHour = async (readStore: Pick<ReadStore, 'notice'>, now: number) => {
  const notice = (await readStore.notice(noticeNames.lag)) as LagNotice | null;
  if (notice === null) return null;
  const present = Math.floor(now / minute) * minute;
  // A clock that was ahead dated some later than now.
  const recent = notice.minutes.filter(({ at }) => at > present - kept * minute && at <= present);
  return {
    since: new Date(notice.since).toISOString(),
    events: recent.reduce((sum, { events }) => sum + events, 0),
    minutes: recent.flatMap(({ at, lagMilliseconds }) =>
      lagMilliseconds === null ? [] : { at: new Date(at).toISOString(), lagMilliseconds },
    ),
  };
};
