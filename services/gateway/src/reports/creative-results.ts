import { creativeSums } from '@zakup/contracts/creative-totals';
import { presentCreative, presentSums, presentPlacement } from '@zakup/contracts/to-wire';
import type { CreativeRow, CreativeTotals, LicenceRow, SumsBySize } from '@zakup/contracts/read-models';
import { noSums, shiftSums } from '@zakup/domain/analytics/sums';
import { channelSizeLabels, channelSizeOf } from '@zakup/domain/analytics/channel-size';
import { efficiencyOf } from '@zakup/domain/analytics/efficiency';
import { showCampaignName } from '@zakup/domain/topics';
import type { DocumentReader } from '@zakup/read-store/read-store';
import type { Aliases } from '../read-models/aliases.ts';
import { dataOf, rowsOf } from '../read-models/rows.ts';
import { ratesOf } from './campaign-report.ts';

const lastShown = 10;

/** By reading the rows: for a creative that an earlier version of the projections left without totals. */
const totalsFromRows = async (
  documents: DocumentReader,
  licenceId: string,
  creativeId: string,
  campaignIds: readonly string[],
): Promise<CreativeTotals> => {
  const campaigns: Record<string, SumsBySize> = {};
  const analytics = await documents.getMany('analytics', campaignIds);
  // Only where it was used: placements are found by their campaign.
  const used = analytics.filter(
    (doc) => !doc.deleted && Object.hasOwn(dataOf('analytics', doc).byCreative, creativeId),
  );
  for (const { id: campaignId } of used) {
    await documents.readEach('placement', { licenceId, where: { campaignId } }, (docs) => {
      for (const doc of docs) {
        const { creativeId: own, price, leads } = dataOf('placement', doc);
        if (own !== creativeId) continue;
        const size = channelSizeOf(price);
        const sums = campaigns[campaignId] ?? {};
        campaigns[campaignId] = { ...sums, [size]: shiftSums(sums[size] ?? noSums, { price, leads }, 1) };
      }
    });
  }
  return { campaigns, deletedCampaigns: {} };
};

/** What a creative brought in campaigns that are there: altogether, by the size of channels, by campaign; and its newest placements. */
export const creativeResults = async (
  documents: DocumentReader,
  aliases: Aliases,
  licence: LicenceRow,
  creative: CreativeRow,
) => {
  const campaigns = await rowsOf(documents, 'campaign', licence.id);
  const ids = campaigns.map(({ id }) => id);
  const totals = creative.totals ?? (await totalsFromRows(documents, licence.id, creative.id, ids));
  const { total, sizes, campaigns: byCampaign } = creativeSums(totals);
  const nameOf = new Map(campaigns.map(({ id, name }) => [id, showCampaignName(name)]));
  const newest = await documents.query('placement', {
    licenceId: licence.id,
    where: { creativeId: creative.id },
    among: { campaignId: ids.filter((id) => byCampaign.has(id)) },
    sort: [
      { field: 'date', direction: 'desc' },
      { field: 'createdAt', direction: 'desc' },
    ],
    limit: lastShown,
  });
  return {
    creative: presentCreative({ ...creative, totals }),
    total: {
      ...presentSums(total),
      ...ratesOf(total, licence),
      efficiency: efficiencyOf(total.spent, total.leads),
    },
    sizes: sizes.map(({ size, sums }) => ({ size, label: channelSizeLabels[size], ...presentSums(sums) })),
    byCampaign: campaigns
      .flatMap(({ id, name, channelId, status }) => {
        const sums = byCampaign.get(id);
        if (sums === undefined) return [];
        return [{ campaignId: id, campaignName: showCampaignName(name), channelId, status, ...presentSums(sums) }];
      })
      .toSorted((a, b) => b.spent - a.spent || (a.campaignId < b.campaignId ? -1 : 1)),
    lastPlacements: newest.docs.map((doc) => {
      const row = aliases.placement(dataOf('placement', doc));
      return { ...presentPlacement(row), campaignName: nameOf.get(row.campaignId) ?? '' };
    }),
  };
};
