import type { RowByKind } from '@zakup/contracts/read-models';
import type { Step, World } from './entities.ts';
import { rowsOfCampaign } from './sums.ts';

/** What people earn, line by line, in whole kopecks. */

type Placement = RowByKind['placement'];

/** The terms of a person in a campaign: the campaign's where it names a type, else the person's own, else none. */
export const termsOf = (world: World, campaignId: string, userId: string) => {
  const person = world.user[userId];
  const entry = world.campaign[campaignId]?.participants.find((one) => one.userId === userId);
  const ownThreshold = person?.performanceThreshold ?? 100_00;
  if (entry !== undefined && entry.salaryType !== null)
    return {
      salaryType: entry.salaryType,
      salaryRate: entry.salaryRate ?? 0,
      cplThreshold: entry.cplThreshold ?? ownThreshold,
      source: 'participant',
    };
  if (person !== undefined && person.salaryType !== null)
    return {
      salaryType: person.salaryType,
      salaryRate: person.salaryRate ?? 0,
      cplThreshold: ownThreshold,
      source: 'user',
    };
  return { salaryType: null, salaryRate: 0, cplThreshold: ownThreshold, source: 'none' };
};

/** So much percent of a sum, to the nearest kopeck, a half upwards. The percent is what its decimals say: they are moved to the sum. */
export const percentOf = (sum: number, percent: number): number => {
  const [whole = '0', decimals = ''] = String(percent).split('.');
  const divisor = 100n * 10n ** BigInt(decimals.length);
  return Number((2n * BigInt(sum) * BigInt(whole + decimals) + divisor) / (2n * divisor));
};

/** Price by leads is above the threshold. */
const tooDear = ({ price, leads }: Placement, threshold: number): boolean =>
  leads > 0 && BigInt(price) > BigInt(threshold) * BigInt(leads);

const tally = (rows: readonly Placement[]) => ({
  count: rows.length,
  price: rows.reduce((sum, { price }) => sum + price, 0),
});

/** What the person earns in the campaign; null = nothing there is theirs. */
export const earningsOf = (world: World, campaignId: string, userId: string) => {
  const rows = rowsOfCampaign(world, campaignId).filter(({ buyerId }) => buyerId === userId);
  const entry = world.campaign[campaignId]?.participants.find((one) => one.userId === userId);
  if (rows.length === 0 && entry === undefined) return null;
  const terms = termsOf(world, campaignId, userId);
  const isShare = terms.salaryType === 'budget' || terms.salaryType === 'percentage';
  const isResult = terms.source !== 'none' && !isShare;
  const countsFree = Object.values(world.license).every(({ settings }) => settings.countZeroLeads);
  const free = rows.filter(({ leads }) => leads === 0);
  const within = rows.filter((row) => row.leads > 0 && !tooDear(row, terms.cplThreshold));
  const counted = isShare ? rows : isResult ? [...within, ...(countsFree ? free : [])] : [];
  return {
    campaignId,
    userId,
    terms,
    budget: entry?.budget ?? 0,
    spent: tally(rows).price,
    earnings: percentOf(tally(counted).price, terms.salaryRate),
    countedTotal: tally(counted),
    zeroLeads: tally(isResult && countsFree ? free : []),
    countZeroLeads: isResult && countsFree,
    sums: { all: tally(rows), within: tally(within), withoutLeads: tally(free) },
  };
};

/** What earnings of one pair are made of, but for the person's own terms and the switch. */
const own = (world: World, campaignId: string, userId: string): string => {
  const campaign = world.campaign[campaignId];
  const entry = campaign?.participants.find((one) => one.userId === userId);
  const rows = rowsOfCampaign(world, campaignId).filter(({ buyerId }) => buyerId === userId);
  return JSON.stringify([campaign?.deleted, entry, rows.map(({ id, price, leads }) => [id, price, leads])]);
};

/**
 * By `<campaign>:<person>`. In a campaign that is deleted they stay as they were: nobody is told of new terms there, and only what is its own,
 * its rows and its participants, is followed.
 */
export const allEarnings = (steps: readonly Step[]) => {
  const kept: Record<string, NonNullable<ReturnType<typeof earningsOf>>> = {};
  for (const { before, after } of steps) {
    const people = new Set([
      ...Object.values(after.placement).map(({ buyerId }) => buyerId),
      ...Object.values(before.placement).map(({ buyerId }) => buyerId),
      ...Object.values(after.campaign).flatMap(({ participants }) => participants.map(({ userId }) => userId)),
      ...Object.values(before.campaign).flatMap(({ participants }) => participants.map(({ userId }) => userId)),
    ]);
    for (const { id, deleted } of Object.values(after.campaign))
      for (const userId of people) {
        if (deleted && own(before, id, userId) === own(after, id, userId)) continue;
        const earned = earningsOf(after, id, userId);
        if (earned === null) delete kept[`${id}:${userId}`];
        else kept[`${id}:${userId}`] = earned;
      }
  }
  return kept;
};
