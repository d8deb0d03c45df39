import { showMonth as bareMonth } from '@zakup/domain/calendar';
import { showDate, showMonth } from '../../shared/day/shown-day.ts';
import { dayTick } from '../../shared/charts/chart-text.ts';
import type { DealPoint, DealPoints, Span } from './deal-points.ts';

/** So many names have room below a picture that is half as wide as the dialog, also on a phone. */
const mostTicks = 5;

/** `21 ноября`, `нояб. 2025`, `2025`. */
export const dealName = ({ id, from }: Pick<DealPoint, 'id' | 'from'>, span: Span): string =>
  span === 'placement' ? showDate(from) : span === 'month' ? showMonth(from) : id;

const tickOf = ({ id, from }: DealPoint, before: DealPoint | undefined, span: Span): string => {
  if (span === 'year') return id;
  if (span === 'placement') return dayTick(from, before?.from);
  return before?.from.slice(0, 4) === from.slice(0, 4) ? bareMonth(from) : showMonth(from);
};

/** Which marks are named below a picture, and how: the month and the year where they are others than before. */
export const dealTicks = ({ points, span }: DealPoints) => {
  const step = Math.max(1, Math.ceil(points.length / mostTicks));
  const named = points.filter((_, index) => index % step === 0);
  const names = new Map(named.map((point, index) => [point.id, tickOf(point, named[index - 1], span)]));
  return {
    ticks: named.map(({ id }) => id),
    interval: 0,
    tickFormatter: (id: string): string => names.get(id) ?? '',
  } as const;
};

/** What a picture is drawn from. Named here, so that the code of the pictures takes none of the dialog's along. */
export interface NamedDeals {
  readonly span: Span;
  readonly points: readonly (DealPoint & { readonly name: string })[];
  /** Of the axis below it. */
  readonly ticks: ReturnType<typeof dealTicks>;
}

export const namedDeals = (deals: DealPoints): NamedDeals => ({
  span: deals.span,
  points: deals.points.map((point) => ({ ...point, name: dealName(point, deals.span) })),
  ticks: dealTicks(deals),
});
