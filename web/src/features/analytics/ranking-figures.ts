import type { AnalyticsWire, CreativeWire, UserWire } from '@zakup/contracts/wire-entities';
import { costPerLead } from '@zakup/domain/analytics/cpl';
import { roi, topBuyers, topCreatives } from '@zakup/domain/analytics/indicators';
import { formatRoubles, formatRoublesExact, type Kopecks } from '@zakup/domain/money';
import { noCreative } from '@zakup/domain/placement/events';
import { formatNumber, formatPercent } from '@zakup/domain/russian';
import { money } from '../../shared/campaign/figures.ts';

export interface Ranked {
  readonly id: string;
  readonly name: string;
  readonly spent: Kopecks;
  readonly leads: number;
  readonly placements: number;
  /** Percent, two decimals. */
  readonly roi: number;
  /** Among the three that the report names. */
  readonly top: boolean;
}

/** Buyers by spending, the top three marked. */
export const rankedBuyers = (
  { byBuyer }: AnalyticsWire,
  users: readonly UserWire[],
  leadValue: Kopecks,
): readonly Ranked[] => {
  const names = new Map(users.map(({ id, name }) => [id, name]));
  const top = new Set(topBuyers(byBuyer).map(({ buyerId }) => buyerId));
  return byBuyer
    .toSorted((a, b) => b.spent - a.spent || (a.buyerId < b.buyerId ? -1 : 1))
    .map(({ buyerId, spent, leads, placements }) => ({
      id: buyerId,
      name: names.get(buyerId) ?? '',
      spent: money(spent),
      leads,
      placements,
      roi: roi(money(spent), leads, leadValue),
      top: top.has(buyerId),
    }));
};

export interface RankedCreative extends Ranked {
  readonly type: string;
}

/** Creatives by leads, the top three marked; placements without one are not among them. */
export const rankedCreatives = (
  { byCreative }: AnalyticsWire,
  creatives: readonly CreativeWire[],
  leadValue: Kopecks,
): readonly RankedCreative[] => {
  const known = new Map(creatives.map((creative) => [creative.id, creative]));
  const top = new Set(topCreatives(byCreative).map(({ creativeId }) => creativeId));
  return byCreative
    .filter(({ creativeId }) => creativeId !== noCreative)
    .toSorted((a, b) => b.leads - a.leads || (a.creativeId < b.creativeId ? -1 : 1))
    .map(({ creativeId, spent, leads, placements }) => ({
      id: creativeId,
      name: known.get(creativeId)?.name ?? '',
      type: known.get(creativeId)?.type ?? '',
      spent: money(spent),
      leads,
      placements,
      roi: roi(money(spent), leads, leadValue),
      top: top.has(creativeId),
    }));
};

/** Percent of the whole with one decimal. */
const share = (part: number, whole: number): string => formatPercent(Math.round((part / whole) * 1000) / 10);

/** Whose leads cost least, said; empty where nobody has any. */
const cheapest = (ranked: readonly Ranked[]): string => {
  const best = ranked
    .filter(({ leads }) => leads > 0)
    .reduce<Ranked | null>(
      (least, row) => (least === null || row.spent * least.leads < least.spent * row.leads ? row : least),
      null,
    );
  return best === null
    ? 'Лидов пока нет.'
    : `Самый дешёвый лид: ${best.name}, ${formatRoublesExact(costPerLead(best.spent, best.leads))}.`;
};

/** The finding above buyers: who spent most, and whose leads cost least. */
export const buyerFinding = (ranked: readonly Ranked[], spent: Kopecks): string => {
  const [first] = ranked;
  if (first === undefined) return '';
  const most =
    first.spent === 0
      ? 'Расхода пока нет.'
      : `Наибольший расход: ${first.name}, ${formatRoubles(first.spent)}, ${share(first.spent, spent)} всего.`;
  return `${most} ${cheapest(ranked)}`;
};

/** The finding above creatives: which brought most of the campaign's leads, and whose cost least. */
export const creativeFinding = (ranked: readonly Ranked[], leads: number): string => {
  const [first] = ranked;
  if (first === undefined) return '';
  if (first.leads === 0) return 'Лидов пока нет ни у одного креатива.';
  const most = `Больше всего лидов: ${first.name}, ${formatNumber(first.leads)} из ${formatNumber(leads)}.`;
  return `${most} ${cheapest(ranked)}`;
};
