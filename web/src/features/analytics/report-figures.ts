import type { AnalyticsWire, CampaignWire, ContractorWire } from '@zakup/contracts/wire-entities';
import { type CplClass, cplClass, costPerLead } from '@zakup/domain/analytics/cpl';
import { averagePrice } from '@zakup/domain/analytics/indicators';
import { showDate } from '../../shared/day/shown-day.ts';
import { formatRoubles, formatRoublesExact, type Kopecks, kopecks } from '@zakup/domain/money';
import { formatNumber, plural } from '@zakup/domain/russian';
import { money } from '../../shared/campaign/figures.ts';

const dayMillis = 86_400_000;
const millis = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const dayAfter = (day: string, days = 1): string => new Date(millis(day) + days * dayMillis).toISOString().slice(0, 10);
const daysBetween = (from: string, to: string): number => Math.round((millis(to) - millis(from)) / dayMillis);

/** One day of placements. */
export interface DayPoint {
  readonly date: string;
  /** Roubles. */
  readonly spent: number;
  readonly leads: number;
  /** Roubles; null without leads. */
  readonly cpl: number | null;
}

/** Days with placements, the earliest first. */
export const dayPoints = ({ byDay }: AnalyticsWire): readonly DayPoint[] =>
  byDay
    .map(({ date, spent, leads, averageCostPerLead }) => ({
      date,
      spent,
      leads,
      cpl: leads === 0 ? null : averageCostPerLead,
    }))
    .toSorted((a, b) => (a.date < b.date ? -1 : 1));

/** The finding above the days: the dearest lead, and what has none yet. */
export const dayFinding = (points: readonly DayPoint[]): string => {
  const judged = points.filter((point) => point.cpl !== null);
  const dearest = judged.reduce<DayPoint | null>(
    (most, point) => (most === null || (point.cpl ?? 0) > (most.cpl ?? 0) ? point : most),
    null,
  );
  const without = points.length - judged.length;
  const days = `${formatNumber(without)} ${plural(without, 'день', 'дня', 'дней')} пока без лидов.`;
  if (dearest === null || dearest.cpl === null) return points.length === 0 ? 'Размещений ещё нет.' : days;
  const first = `Дороже всего ${showDate(dearest.date)}: ${formatRoublesExact(money(dearest.cpl))} за лид.`;
  return without === 0 ? first : `${first} ${days}`;
};

/** A day of the budget: what was spent up to it, what is to be expected, what an even pace would be. Roubles. */
export interface BurnPoint {
  readonly date: string;
  readonly fact: number | null;
  readonly forecast: number | null;
  readonly plan: number | null;
}

export interface BurnDown {
  readonly points: readonly BurnPoint[];
  /** Spent at the end if it goes on as on average so far; null when the end is over or unknown, or nothing is spent. */
  readonly expected: Kopecks | null;
  readonly finding: string;
}

/** More days are drawn in steps: a line needs no more. */
const mostPoints = 200;

const findingOf = (spent: Kopecks, budget: Kopecks, expected: Kopecks | null, end: string | null): string => {
  if (expected === null || end === null) {
    const left = kopecks(budget - spent);
    return left < 0
      ? `Бюджет превышен на ${formatRoubles(kopecks(Math.abs(left)))}.`
      : `Потрачено ${formatRoubles(spent)}, осталось ${formatRoubles(left)}.`;
  }
  const over = kopecks(expected - budget);
  const text = `К ${showDate(end)} расход ${formatRoubles(expected)}`;
  if (over > 0) return `${text}, выше бюджета на ${formatRoubles(over)}.`;
  return over === 0
    ? `${text}, ровно по бюджету.`
    : `${text}, ниже бюджета на ${formatRoubles(kopecks(Math.abs(over)))}.`;
};

/** Spending against the budget by day, with what comes of it at the pace so far (an even average from the first day to today). */
export const burnDown = (analytics: AnalyticsWire, campaign: CampaignWire, today: string): BurnDown => {
  const days = dayPoints(analytics);
  const spentBy = new Map(days.map(({ date, spent }) => [date, money(spent)]));
  const spent = money(analytics.summary.spentBudget);
  const budget = money(analytics.summary.totalBudget);
  const first = days[0]?.date;
  const start = [campaign.startDate, first].filter((day) => day !== null && day !== undefined).toSorted()[0];
  if (start === undefined) return { points: [], expected: null, finding: findingOf(spent, budget, null, null) };
  const last = days.at(-1)?.date ?? start;
  const { endDate } = campaign;
  const runs = campaign.status === 'ACTIVE' && endDate !== null && today < endDate && today >= start && spent > 0;
  const reached =
    [last, campaign.status === 'ACTIVE' && today > last && (endDate === null || today <= endDate) ? today : last]
      .toSorted()
      .at(-1) ?? last;
  const elapsed = daysBetween(start, reached) + 1;
  const expected = runs
    ? kopecks(Math.round(((spent / elapsed) * (daysBetween(start, endDate) + 1)) / 100) * 100)
    : null;
  const end = [reached, endDate ?? reached].toSorted().at(-1) ?? reached;
  const length = daysBetween(start, end) + 1;
  const step = Math.max(1, Math.ceil(length / mostPoints));
  const points: BurnPoint[] = [];
  let sum = 0;
  for (let index = 0; index < length; index += 1) {
    const date = dayAfter(start, index);
    sum += spentBy.get(date) ?? 0;
    const isEdge = date === reached || index === length - 1;
    if (index % step !== 0 && !isEdge) continue;
    const ahead = daysBetween(reached, date);
    points.push({
      date,
      fact: date <= reached ? sum / 100 : null,
      forecast:
        expected !== null && ahead >= 0
          ? Math.round(spent + (expected - spent) * (ahead / daysBetween(reached, end))) / 100
          : null,
      plan:
        endDate === null
          ? null
          : Math.round(budget * Math.min(1, (index + 1) / (daysBetween(start, endDate) + 1))) / 100,
    });
  }
  return { points, expected, finding: findingOf(spent, budget, expected, endDate) };
};

/** A contractor by what a placement costs there and what a lead does. */
export interface PricePoint {
  readonly contractorId: string;
  readonly nick: string;
  /** Roubles. */
  readonly price: number;
  /** Roubles. */
  readonly cpl: number;
  readonly placements: number;
  readonly judged: Exclude<CplClass, 'none'>;
}

export interface PriceAgainstCpl {
  /** The cheapest lead first. */
  readonly points: readonly PricePoint[];
  /** Contractors without leads: they have no place in the picture. */
  readonly withoutLeads: number;
  readonly finding: string;
}

export const priceAgainstCpl = (analytics: AnalyticsWire, contractors: readonly ContractorWire[]): PriceAgainstCpl => {
  const nicks = new Map(contractors.map(({ id, adminUsername }) => [id, adminUsername]));
  const points = analytics.byContractor.flatMap(({ contractorId, spent, leads, placements }): PricePoint[] => {
    const sum = money(spent);
    const judged = cplClass(sum, leads);
    if (judged === 'none') return [];
    return [
      {
        contractorId,
        nick: nicks.get(contractorId) ?? '',
        price: averagePrice(sum, placements) / 100,
        cpl: costPerLead(sum, leads) / 100,
        placements,
        judged,
      },
    ];
  });
  const good = points.filter(({ judged }) => judged === 'good').length;
  const all = points.length;
  return {
    points: points.toSorted((a, b) => a.cpl - b.cpl || (a.contractorId < b.contractorId ? -1 : 1)),
    withoutLeads: analytics.byContractor.length - all,
    finding:
      all === 0
        ? 'Лидов пока нет ни у одного контрагента.'
        : `Дешевле 100 ₽ за лид: ${formatNumber(good)} из ${formatNumber(all)} ${plural(all, 'контрагента', 'контрагентов', 'контрагентов')}.`,
  };
};
