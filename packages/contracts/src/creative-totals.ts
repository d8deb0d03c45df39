import { type ChannelSize, channelSizes } from '@zakup/domain/analytics/channel-size';
import { addOperands, type CreativeTotals, noOperands, type Operands, type OperandsBySize } from './read-models.ts';

export const noCreativeTotals: CreativeTotals = { campaigns: {}, deletedCampaigns: {} };

const sumOf = (sums: OperandsBySize): Operands =>
  channelSizes.reduce((total, size) => addOperands(total, sums[size] ?? noOperands), noOperands);

/** Of a creative in campaigns that are not deleted. */
export interface CreativeSums {
  readonly total: Operands;
  /** From the largest down, also those without placements. */
  readonly sizes: readonly { readonly size: ChannelSize; readonly sums: Operands }[];
  /** By campaign. */
  readonly campaigns: ReadonlyMap<string, Operands>;
}

export const creativeSums = ({ campaigns }: CreativeTotals): CreativeSums => {
  const each = Object.values(campaigns);
  const sizes = channelSizes.map((size) => ({
    size,
    sums: each.reduce((total, sums) => addOperands(total, sums[size] ?? noOperands), noOperands),
  }));
  return {
    total: sizes.reduce((total, { sums }) => addOperands(total, sums), noOperands),
    sizes,
    campaigns: new Map(Object.entries(campaigns).map(([id, sums]) => [id, sumOf(sums)])),
  };
};
