import type { ContractorWire, PlacementWire } from '@zakup/contracts/wire-entities';
import { noSums, shiftSums, type Sums } from '@zakup/domain/analytics/sums';
import { type Kopecks, kopecks } from '@zakup/domain/money';
import { showCampaignName } from '@zakup/domain/topics';
import { money } from '../../shared/campaign/figures.ts';
import { summedLine } from '../../shared/campaign/operands.ts';

/** The channel as a person reads it; a contractor that came by itself has the name of its first campaign there. */
export const channelNameOf = ({ automatic, channelName }: ContractorWire): string =>
  automatic ? showCampaignName(channelName) : channelName;

export interface Group extends Sums {
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
    groups.set(id, { id, ...shiftSums(groups.get(id) ?? noSums, summedLine(placement), 1) });
  }
  return [...groups.values()].sort((a, b) => b.spent - a.spent);
};

export interface LastPrice {
  readonly placementId: string;
  readonly price: Kopecks;
  /** Of the placement before it; 0 when there is none. */
  readonly previous: Kopecks;
  /** Percent against the placement before it, two decimals; null when there is none or it cost nothing. */
  readonly change: number | null;
}

export const lastPriceOf = (sorted: readonly PlacementWire[]): LastPrice | null => {
  const [last, before] = sorted;
  if (last === undefined) return null;
  const price = money(last.price);
  const previous = before === undefined ? kopecks(0) : money(before.price);
  return {
    placementId: last.id,
    price,
    previous,
    change: previous === 0 ? null : Math.round(((price - previous) / previous) * 1000) / 10,
  };
};
