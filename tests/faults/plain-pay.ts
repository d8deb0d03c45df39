import type { PlacementRow } from '@zakup/contracts/read-models';
import { percentOf, termsOf } from '@zakup/projections/testing/naive/earnings';
import type { World } from '@zakup/projections/testing/naive/entities';
import { rowsOfCampaign } from '@zakup/projections/testing/naive/sums';
import { quotient } from './plain-report.ts';

/** What people are paid by, line by line with the reasons, from the entities alone; whole kopecks. */

const nbsp = '\u00a0';

/** `1 234,50 ₽`. */
const roubles = (amount: number): string => {
  const whole = new Intl.NumberFormat('en').format(Math.floor(amount / 100)).replaceAll(',', nbsp);
  const rest = amount % 100;
  return `${whole}${rest === 0 ? '' : `,${rest < 10 ? '0' : ''}${rest}`}${nbsp}₽`;
};

/** `1 лид`, `2 лида`, `5 лидов`. */
const leadsInWords = (leads: number): string => {
  const [ten, hundred] = [leads % 10, leads % 100];
  const teen = hundred > 10 && hundred < 20;
  const word = !teen && ten === 1 ? 'лид' : !teen && ten > 1 && ten < 5 ? 'лида' : 'лидов';
  return `${new Intl.NumberFormat('en').format(leads).replaceAll(',', nbsp)}${nbsp}${word}`;
};

const countsFree = ({ license }: World): boolean =>
  Object.values(license).every(({ settings }) => settings.countZeroLeads);
const sumOf = (rows: readonly PlacementRow[]): number => rows.reduce((sum, { price }) => sum + price, 0);
const costOf = ({ price, leads }: PlacementRow): bigint => (leads === 0 ? 0n : BigInt(price));
const limitOf = ({ leads }: PlacementRow, threshold: number): bigint => BigInt(threshold) * BigInt(leads);

/** Of one person in one campaign, lines in the order of their ids. */
export const plainEarningsLines = (world: World, campaignId: string, userId: string) => {
  const terms = termsOf(world, campaignId, userId);
  const isShare = terms.salaryType === 'budget' || terms.salaryType === 'percentage';
  const reasonOf = (row: PlacementRow): string | null => {
    if (terms.source === 'none') return 'Условия не заданы';
    if (isShare) return null;
    if (row.leads === 0) return countsFree(world) ? null : 'Лидов пока нет';
    if (costOf(row) <= limitOf(row, terms.cplThreshold)) return null;
    return `CPL выше ${roubles(terms.cplThreshold)}: ${roubles(row.price)} за ${leadsInWords(row.leads)}`;
  };
  const own = rowsOfCampaign(world, campaignId)
    .filter(({ buyerId }) => buyerId === userId)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const lineOf = (row: PlacementRow) => {
    const { id, price, leads } = row;
    return { placementId: id, price, leads, costPerLead: quotient(price, leads) };
  };
  const counted = own.filter((row) => reasonOf(row) === null);
  return {
    earnings: percentOf(sumOf(counted), terms.salaryRate),
    counted: counted.map((row) => ({ ...lineOf(row), amount: percentOf(row.price, terms.salaryRate) })),
    leftOut: own
      .filter((row) => reasonOf(row) !== null)
      .map((row) => ({ ...lineOf(row), reason: reasonOf(row) ?? '' })),
  };
};

/** One person's row of the salary report, in roubles, the newest placement first. */
export const plainSalary = (world: World, userId: string) => {
  const person = world.user[userId];
  const threshold = person?.performanceThreshold ?? 100_00;
  const reasonOf = (row: PlacementRow): string | null => {
    if (person?.salaryType !== 'performance') return 'Бонус считается только при оплате за результат';
    if (row.leads === 0 && !countsFree(world)) return 'Лидов пока нет';
    if (row.leads === 0 ? threshold > 0 : costOf(row) < limitOf(row, threshold)) return null;
    return `CPL не ниже ${roubles(threshold)}: ${roubles(row.price)} за ${leadsInWords(row.leads)}`;
  };
  const keyOf = ({ date, createdAt, id }: PlacementRow): string => `${date} ${createdAt} ${id}`;
  const own = Object.values(world.campaign)
    .filter(({ deleted }) => !deleted)
    .flatMap(({ id }) => rowsOfCampaign(world, id))
    .filter(({ buyerId }) => buyerId === userId)
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1));
  const lineOf = ({ id, campaignId, date, price, leads }: PlacementRow) => ({
    placementId: id,
    campaignId,
    date,
    price: price / 100,
    leads,
    costPerLead: quotient(price, leads) / 100,
  });
  const counted = own.filter((row) => reasonOf(row) === null);
  const leftOut = own.filter((row) => reasonOf(row) !== null);
  return {
    userId,
    salaryType: person?.salaryType ?? null,
    threshold: threshold / 100,
    salaryReportBonus: percentOf(sumOf(counted), 10) / 100,
    countedTotal: { count: counted.length, price: sumOf(counted) / 100 },
    leftOutTotal: { count: leftOut.length, price: sumOf(leftOut) / 100 },
    counted: counted.map(lineOf),
    leftOut: leftOut.map((row) => ({ ...lineOf(row), reason: reasonOf(row) ?? '' })),
  };
};
