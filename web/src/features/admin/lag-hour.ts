import type { healthData } from '@zakup/contracts/calls/replies';
import { showTime } from '@zakup/domain/calendar';
import { formatNumber } from '@zakup/domain/russian';
import type { z } from 'zod';

type Projection = z.infer<typeof healthData>['projection'];

/** Milliseconds behind which readers begin to notice. */
export const lagWarning = 50;

const minute = 60_000;
/** So many of ten minutes are not above what is usual. */
const usualShare = 0.9;
/** Minutes from which on something is usual. */
const fewest = 10;
/** Minutes that are an hour: between the turn of a minute and the next note the present one is not among them. */
const wholeHour = 59;

/** `12 000`, `44`, `0,4`: of milliseconds. */
export const millisecondsFigure = (milliseconds: number): string =>
  formatNumber(milliseconds >= 10 ? Math.round(milliseconds) : Math.round(milliseconds * 10) / 10);

/** `44 мс`, `0,4 мс`, from ten seconds on `12 с`. */
export const millisecondsText = (milliseconds: number): string => {
  if (milliseconds >= 10_000) return `${formatNumber(Math.round(milliseconds / 1_000))} с`;
  return `${millisecondsFigure(milliseconds)} мс`;
};

/** A minute of projecting; `lag`: milliseconds, null = nobody was at work. */
export interface LagPoint {
  /** UTC milliseconds. */
  readonly at: number;
  readonly lag: number | null;
}

/** The last hour of projecting as it is drawn. */
export interface LagHour {
  /** Every minute from the first known one to the last. */
  readonly points: readonly LagPoint[];
  /** The longest of the last minute, or as long as what is behind now has waited. */
  readonly lastMinute: number;
  readonly worst: { readonly at: number; readonly lag: number } | null;
  /** What nine of ten minutes with events were not above, milliseconds; null = too few are known. */
  readonly usual: number | null;
  /** The first known minute, where that is not an hour ago. */
  readonly since: number | null;
}

/** Null = nothing is known of it. `now`: UTC milliseconds, by the server's clock as far as it is known. */
export const lagHour = ({ lastHour, lagMilliseconds = 0 }: Projection, now: number): LagHour | null => {
  const minutes = (lastHour?.minutes ?? []).map(({ at, lagMilliseconds: lag }) => ({ at: Date.parse(at), lag }));
  const [first, last] = [minutes[0], minutes.at(-1)];
  if (first === undefined || last === undefined) return null;
  const known = new Map(minutes.map(({ at, lag }) => [at, lag]));
  const points: LagPoint[] = [];
  for (let { at } = first; at <= last.at; at += minute) points.push({ at, lag: known.get(at) ?? null });
  const worst = minutes.reduce((most, one) => (one.lag >= most.lag ? one : most));
  const busy = minutes.map(({ lag }) => lag).filter((lag) => lag > 0);
  const sorted = busy.toSorted((a, b) => a - b);
  const isPresent = now - last.at < 2 * minute;
  return {
    points,
    lastMinute: Math.max(lagMilliseconds, isPresent ? last.lag : 0),
    worst: worst.lag === 0 ? null : worst,
    usual: sorted.length < fewest ? null : (sorted[Math.ceil(sorted.length * usualShare) - 1] ?? null),
    since: points.length < wholeHour ? first.at : null,
  };
};

export const minuteText = (at: number): string => showTime(new Date(at).toISOString());

/** What the picture shows, in a sentence. */
export const lagFinding = ({ lastMinute, worst, since }: LagHour): string => {
  const span = since === null ? 'за час' : `с ${minuteText(since)}`;
  const said =
    worst === null
      ? `задержек не было ${span}`
      : `худшее ${span}: ${millisecondsText(worst.lag)} в ${minuteText(worst.at)}`;
  return `За последнюю минуту ${millisecondsText(lastMinute)}, ${said}. Порог предупреждения ${lagWarning} мс.`;
};

/** `в среднем 2,3 в секунду`, of an hour that is not over yet `с 14:22`. */
export const eventsNote = ({ since, events, minutes }: NonNullable<Projection['lastHour']>): string => {
  const begun = Date.parse(since);
  const hour = 60 * minute;
  const last = minutes.at(-1);
  // By the server's clock: the minutes are its.
  if (last === undefined || Date.parse(last.at) + minute - begun < hour) return `с ${minuteText(begun)}`;
  const each = events / (hour / 1_000);
  return `в среднем ${formatNumber(each >= 10 ? Math.round(each) : Math.round(each * 10) / 10)} в секунду`;
};
