import type { ContractorWire, PlacementWire } from '@zakup/contracts/entities';
import { type CplClass, cplClass } from '@zakup/domain/analytics/cpl';
import { fromRoubles, type Kopecks, kopecks } from '@zakup/domain/money';
import { showCampaignName } from '@zakup/domain/topics';

/** Kopecks of roubles from the wire; 0 for what is no sum. */
export const kopecksOf = (roubles: number): Kopecks => fromRoubles(roubles) ?? kopecks(0);

/** The channel as a person reads it; a contractor that came by itself has the name of its first campaign there. */
export const channelNameOf = ({ automatic, channelName }: ContractorWire): string =>
  automatic ? showCampaignName(channelName) : channelName;

export interface Figures {
  readonly placements: number;
  readonly spent: Kopecks;
  readonly leads: number;
}

export interface Group extends Figures {
  readonly id: string;
}

/** Sums by campaign, buyer and so on, the dearest first. */
export const groupBy = (
  placements: readonly PlacementWire[],
  idOf: (placement: PlacementWire) => string,
): readonly Group[] => {
  const groups = new Map<string, Group>();
  for (const placement of placements) {
    const id = idOf(placement);
    const before = groups.get(id) ?? { id, placements: 0, spent: kopecks(0), leads: 0 };
    groups.set(id, {
      id,
      placements: before.placements + 1,
      spent: kopecks(before.spent + kopecksOf(placement.price)),
      leads: before.leads + placement.leads,
    });
  }
  return [...groups.values()].sort((a, b) => b.spent - a.spent);
};

/** By date, the newest first; of one day the one added last. */
export const newestFirst = (placements: readonly PlacementWire[]): readonly PlacementWire[] =>
  [...placements].sort(
    (a, b) => b.date.localeCompare(a.date) || b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id),
  );

export interface LastPrice {
  readonly price: Kopecks;
  /** Percent against the placement before it, two decimals; null when there is none or it cost nothing. */
  readonly change: number | null;
}

export const lastPriceOf = (sorted: readonly PlacementWire[]): LastPrice | null => {
  const [last, before] = sorted;
  if (last === undefined) return null;
  const price = kopecksOf(last.price);
  const previous = before === undefined ? 0 : kopecksOf(before.price);
  return { price, change: previous === 0 ? null : Math.round(((price - previous) / previous) * 1000) / 10 };
};

export const cplTones: Readonly<Record<CplClass, 'good' | 'mid' | 'bad' | null>> = {
  good: 'good',
  middle: 'mid',
  bad: 'bad',
  none: null,
};

export const cplToneOf = ({ spent, leads }: Pick<Figures, 'spent' | 'leads'>): 'good' | 'mid' | 'bad' | null =>
  cplTones[cplClass(spent, leads)];
