import { presentCreative, presentOperands } from '@zakup/contracts/present';
import type { CreativeRow, LicenceRow, Operands, PlacementRow } from '@zakup/contracts/read-models';
import { noOperands } from '@zakup/contracts/read-models';
import { channelSizeLabels, channelSizeOf, channelSizes } from '@zakup/domain/analytics/channel-size';
import { efficiencyOf } from '@zakup/domain/analytics/efficiency';
import { kopecks } from '@zakup/domain/money';
import { showCampaignName } from '@zakup/domain/topics';
import type { DocumentReader } from '@zakup/read-store/read-store';
import { dataOf, rowsOf } from '../rows.ts';
import { ratesOf } from './campaign-report.ts';

const plus = (sums: Operands, { price, leads }: Pick<PlacementRow, 'price' | 'leads'>): Operands => ({
  spent: kopecks(sums.spent + price),
  leads: sums.leads + leads,
  placements: sums.placements + 1,
});

/** What a creative brought in campaigns that are there: altogether, by the size of channels, by campaign. */
export const creativeResults = async (documents: DocumentReader, licence: LicenceRow, creative: CreativeRow) => {
  const campaigns = await rowsOf(documents, 'campaign', licence.id);
  const analytics = await documents.getMany(
    'analytics',
    campaigns.map(({ id }) => id),
  );
  // Only where it was used: placements are found by their campaign.
  const used = new Set(
    analytics
      .filter((doc) => !doc.deleted && Object.hasOwn(dataOf('analytics', doc).byCreative, creative.id))
      .map(({ id }) => id),
  );
  let total = noOperands;
  const bySize = new Map(channelSizes.map((size) => [size, noOperands]));
  const byCampaign = new Map<string, Operands>();
  for (const campaignId of used) {
    await documents.readEach('placement', { licenceId: licence.id, where: { campaignId } }, (docs) => {
      for (const doc of docs) {
        const row = dataOf('placement', doc);
        if (row.creativeId !== creative.id) continue;
        const size = channelSizeOf(row.price);
        total = plus(total, row);
        bySize.set(size, plus(bySize.get(size) ?? noOperands, row));
        byCampaign.set(campaignId, plus(byCampaign.get(campaignId) ?? noOperands, row));
      }
    });
  }
  return {
    creative: presentCreative(creative),
    total: {
      ...presentOperands(total),
      ...ratesOf(total, licence),
      efficiency: efficiencyOf(total.spent, total.leads),
    },
    sizes: channelSizes.map((size) => ({
      size,
      label: channelSizeLabels[size],
      ...presentOperands(bySize.get(size) ?? noOperands),
    })),
    byCampaign: campaigns
      .flatMap(({ id, name, channelId, status }) => {
        const sums = byCampaign.get(id);
        if (sums === undefined) return [];
        return [{ campaignId: id, campaignName: showCampaignName(name), channelId, status, ...presentOperands(sums) }];
      })
      .toSorted((a, b) => b.spent - a.spent || (a.campaignId < b.campaignId ? -1 : 1)),
  };
};
