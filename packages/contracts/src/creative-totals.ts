import { addSums, noSums, type Sums } from '@zakup/domain/analytics/sums';
import { type ChannelSize, channelSizes } from '@zakup/domain/analytics/channel-size';
import type { CreativeTotals, SumsBySize } from './read-models.ts';

export const noCreativeTotals: CreativeTotals = { campaigns: {}, deletedCampaigns: {} };

const sumOf = (sums: SumsBySize): Sums =>
  channelSizes.reduce((total, size) => addSums(total, sums[size] ?? noSums), noSums);

/** Of a creative in campaigns that are not deleted. */
export interface CreativeSums {
  readonly total: Sums;
  /** From the largest down, also those without placements. */
  readonly sizes: readonly { readonly size: ChannelSize; readonly sums: Sums }[];
  /** By campaign. */
  readonly campaigns: ReadonlyMap<string, Sums>;
}

export const creativeSums = ({ campaigns }: CreativeTotals): CreativeSums => {
  const each = Object.values(campaigns);
  const sizes = channelSizes.map((size) => ({
    size,
    sums: each.reduce((total, sums) => addSums(total, sums[size] ?? noSums), noSums),
  }));
  return {
    total: sizes.reduce((total, { sums }) => addSums(total, sums), noSums),
    sizes,
    campaigns: new Map(Object.entries(campaigns).map(([id, sums]) => [id, sumOf(sums)])),
  };
};
