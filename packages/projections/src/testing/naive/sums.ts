import type { RowByKind } from '@zakup/contracts/read-models';
import type { World } from './entities.ts';

/** Sums over placements by plain loops. Money is whole kopecks. */

type Placement = RowByKind['placement'];
export interface Sums {
  readonly spent: number;
  readonly leads: number;
  readonly placements: number;
}

/** Placements that count, whatever became of their campaigns. */
export const countedRows = (world: World): readonly Placement[] =>
  Object.values(world.placement).filter(({ removed }) => !removed);

export const rowsOfCampaign = (world: World, campaignId: string): readonly Placement[] =>
  countedRows(world).filter((row) => row.campaignId === campaignId);

export const sumsOf = (rows: readonly Placement[]): Sums => {
  let [spent, leads] = [0, 0];
  for (const row of rows) {
    spent += row.price;
    leads += row.leads;
  }
  return { spent, leads, placements: rows.length };
};

/** The sums of the rows of each text. */
export const sumsBy = (
  rows: readonly Placement[],
  textOf: (row: Placement) => string,
): Readonly<Record<string, Sums>> => {
  const groups: Record<string, Sums> = {};
  for (const text of new Set(rows.map(textOf))) groups[text] = sumsOf(rows.filter((row) => textOf(row) === text));
  return groups;
};

/** How many rows there are of each text. */
export const countsBy = (
  rows: readonly Placement[],
  textOf: (row: Placement) => string,
): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const row of rows) counts[textOf(row)] = (counts[textOf(row)] ?? 0) + 1;
  return counts;
};

export const analyticsOf = (world: World, campaign: RowByKind['campaign']) => {
  const rows = rowsOfCampaign(world, campaign.id);
  return {
    campaignId: campaign.id,
    totalBudget: campaign.totalBudget,
    paid: sumsOf(rows.filter(({ paymentStatus }) => paymentStatus === 'paid')).spent,
    total: sumsOf(rows),
    byBuyer: sumsBy(rows, ({ buyerId }) => buyerId),
    byCreative: sumsBy(rows, ({ creativeId }) => creativeId),
    byContractor: sumsBy(rows, ({ contractorId }) => contractorId),
    byDay: sumsBy(rows, ({ date }) => date),
  };
};

/** Who the contractor is a part of now; itself where it was never merged. */
export const wholeOf = (world: World, contractorId: string): string => {
  const { mergedInto } = world.contractor[contractorId] ?? {};
  return mergedInto === undefined ? contractorId : wholeOf(world, mergedInto);
};

/** Whether the one is the other, or a part of it by however many merges. */
const isPartOf = (world: World, part: string, contractorId: string): boolean => {
  if (part === contractorId) return true;
  const { mergedInto } = world.contractor[part] ?? {};
  return mergedInto !== undefined && isPartOf(world, mergedInto, contractorId);
};

/** Its own placements and those of its parts, in campaigns that are not deleted. */
export const rowsOfContractor = (world: World, contractorId: string): readonly Placement[] =>
  countedRows(world).filter(
    (row) => world.campaign[row.campaignId]?.deleted === false && isPartOf(world, row.contractorId, contractorId),
  );

export const contractorTotalsOf = (world: World, contractorId: string) => {
  const rows = rowsOfContractor(world, contractorId);
  return {
    ...sumsOf(rows),
    days: countsBy(rows, ({ date }) => date),
    campaigns: countsBy(rows, ({ campaignId }) => campaignId),
  };
};

/** By `<contractor>:<campaign>`: what bears the contractor's own name there, deleted campaigns too. */
export const usesOf = (world: World): Readonly<Record<string, Sums & { readonly days: object }>> => {
  const rows = countedRows(world);
  const uses: Record<string, Sums & { readonly days: object }> = {};
  for (const [id, sums] of Object.entries(sumsBy(rows, (row) => `${row.contractorId}:${row.campaignId}`))) {
    const own = rows.filter((row) => `${row.contractorId}:${row.campaignId}` === id);
    uses[id] = { ...sums, days: countsBy(own, ({ date }) => date) };
  }
  return uses;
};

/** Above 5,000 roubles, above 2,000, and the others. */
const sizeOf = ({ price }: Placement): string => (price > 500_000 ? 'large' : price > 200_000 ? 'medium' : 'small');

/** By campaign and size, apart for campaigns that are deleted. */
export const creativeTotalsOf = (world: World, creativeId: string) => {
  const rows = countedRows(world).filter((row) => row.creativeId === creativeId);
  const inCampaigns = (deleted: boolean) => {
    const own = rows.filter((row) => world.campaign[row.campaignId]?.deleted === deleted);
    const sums: Record<string, Readonly<Record<string, Sums>>> = {};
    for (const id of new Set(own.map(({ campaignId }) => campaignId)))
      sums[id] = sumsBy(
        own.filter(({ campaignId }) => campaignId === id),
        sizeOf,
      );
    return sums;
  };
  return { campaigns: inCampaigns(false), deletedCampaigns: inCampaigns(true) };
};
