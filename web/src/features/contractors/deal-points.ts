import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { cplClass, costPerLead, goodCpl } from '@zakup/domain/analytics/cpl';
import { averagePrice } from '@zakup/domain/analytics/indicators';
import type { Sums } from '@zakup/domain/analytics/sums';
import { formatRoubles, formatRoublesExact, type Kopecks } from '@zakup/domain/money';
import { formatNumber, formatPercent } from '@zakup/domain/russian';
import { newestFirst } from '../../shared/contractor/newest-first.ts';
import { groupBy } from './contractor-figures.ts';

/** What one mark of a picture stands for. */
export type Span = 'placement' | 'month' | 'year';

/** So many marks at most; where there would be more, each stands for a longer time. */
const mostPoints = 24;

export interface DealPoint extends Sums {
  /** Of the placement; of a month `2026-11`, of a year `2026`. */
  readonly id: string;
  /** Days of the first placement and of the last one in it. */
  readonly from: string;
  readonly to: string;
  /** What a placement cost on average. */
  readonly price: Kopecks;
  /** Null without leads. */
  readonly cpl: Kopecks | null;
}

export interface DealPoints {
  readonly span: Span;
  /** The earliest first. */
  readonly points: readonly DealPoint[];
}

const keyOf: Readonly<Record<Span, (placement: PlacementWire) => string>> = {
  placement: ({ id }) => id,
  month: ({ date }) => date.slice(0, 7),
  year: ({ date }) => date.slice(0, 4),
};

const countOf = (placements: readonly PlacementWire[], span: Span): number => new Set(placements.map(keyOf[span])).size;

/** Placements with one contractor as marks of a picture: each by itself, or months or years where these are too many. */
export const dealPoints = (placements: readonly PlacementWire[]): DealPoints => {
  const span =
    (['placement', 'month'] as const).find((one) => countOf(placements, one) <= mostPoints) ?? ('year' as const);
  const days = new Map<string, { readonly from: string; readonly to: string }>();
  const inOrder = newestFirst(placements).toReversed();
  for (const placement of inOrder) {
    const id = keyOf[span](placement);
    days.set(id, { from: days.get(id)?.from ?? placement.date, to: placement.date });
  }
  const sums = new Map(groupBy(inOrder, keyOf[span]).map((group) => [group.id, group]));
  const points = [...days].flatMap(([id, { from, to }]) => {
    const sum = sums.get(id);
    if (sum === undefined) return [];
    const { spent, leads, placements: count } = sum;
    const cpl = leads === 0 ? null : costPerLead(spent, leads);
    return [{ ...sum, from, to, price: averagePrice(spent, count), cpl }];
  });
  return { span, points };
};

const priceChange = (first: Kopecks, last: Kopecks): string => {
  if (first === last) return `Как в начале: ${formatRoubles(last)}.`;
  const words = `${last > first ? 'Выросла' : 'Снизилась'} с ${formatRoubles(first)} до ${formatRoubles(last)}`;
  const percent = Math.round((Math.abs(last - first) / first) * 1000) / 10;
  return percent === 0 ? `${words}.` : `${words}, на ${formatPercent(percent)}.`;
};

/** The finding above the prices: how the last one stands to the first, and how many have none. */
export const priceFinding = ({ points }: DealPoints): string => {
  if (points.length === 0) return 'Размещений ещё нет.';
  const priced = points.filter(({ price }) => price !== 0);
  const [first, last] = [priced[0], priced.at(-1)];
  if (first === undefined || last === undefined) return 'Цен пока нет.';
  const without = points.length - priced.length;
  const words =
    priced.length === 1 ? `Пока одна цена: ${formatRoubles(first.price)}.` : priceChange(first.price, last.price);
  return without === 0 ? words : `${words} Ещё без цены: ${formatNumber(without)}.`;
};

const lastWords: Readonly<Record<Span, string>> = { placement: 'последнее', month: 'последний', year: 'последний' };

/** The finding above the prices of a lead: how many are cheap, and the last one. */
export const cplFinding = ({ points, span }: DealPoints): string => {
  const judged = points.filter(({ cpl }) => cpl !== null);
  const last = judged.at(-1);
  if (last === undefined || last.cpl === null) return 'Лидов пока нет.';
  const cheap = judged.filter(({ spent, leads }) => cplClass(spent, leads) === 'good').length;
  const without = points.length - judged.length;
  const words = `${formatNumber(cheap)} из ${formatNumber(judged.length)} дешевле ${formatRoubles(goodCpl)}; ${lastWords[span]}: ${formatRoublesExact(last.cpl)}.`;
  return without === 0 ? words : `${words} Ещё без лидов: ${formatNumber(without)}.`;
};
