import type { CampaignWire, PersonWire, PlacementWire } from '@zakup/contracts/wire-entities';

/**
 * What the spec makes of a campaign's placements, by plain loops over them: it shares nothing with the domain's formulas, so that both
 * must be right to agree. Money is counted in whole kopecks.
 */

const noCreative = 'NO_CREATIVE';

const kopecks = (roubles: number): number => Math.round(roubles * 100);
/** `a` by `b` as the nearest whole number, a half upwards; 0 when the divisor is 0. Exact however great they are. */
export const quotient = (a: number | bigint, b: number): number => {
  if (b === 0) return 0;
  const [above, below] = [2n * BigInt(a) + BigInt(b), 2n * BigInt(b)];
  return Number(above / below) - (above % below < 0n ? 1 : 0);
};
/** With two decimals. */
const share = (a: number | bigint, b: number): number => quotient(BigInt(a) * 100n, b) / 100;

const sumsOf = (rows: readonly PlacementWire[]) => {
  let [spent, leads] = [0, 0];
  for (const row of rows) {
    spent += kopecks(row.price);
    leads += row.leads;
  }
  return { spent, leads, placements: rows.length };
};
type Sums = ReturnType<typeof sumsOf>;

const rates = ({ spent, leads, placements }: Sums, leadValue: number) => ({
  conversionRate: share(leads * 100, placements),
  roi: share((BigInt(leads) * BigInt(leadValue) - BigInt(spent)) * 100n, spent),
});
const line = ({ spent, leads, placements }: Sums) => ({
  spent: spent / 100,
  leads,
  placements,
  averageCostPerLead: quotient(spent, leads) / 100,
});
const efficiency = ({ spent, leads }: Sums): string => {
  const cpl = leads === 0 ? 0 : spent / leads;
  return cpl < 100_00 ? 'Отлично' : cpl < 200_00 ? 'Хорошо' : 'Средне';
};

/** Groups of rows by a text of theirs, in the order of the texts. */
const groups = (rows: readonly PlacementWire[], textOf: (row: PlacementWire) => string): [string, Sums][] =>
  [...new Set(rows.map(textOf))]
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((text) => [text, sumsOf(rows.filter((row) => textOf(row) === text))]);

const firstThree = <Line>(lines: readonly Line[], figure: (one: Line) => number): Line[] => {
  const left = [...lines];
  const best: Line[] = [];
  while (best.length < 3 && left.length > 0) {
    // The first of equal ones: they lie in the order of their ids.
    const most = Math.max(...left.map(figure));
    best.push(
      ...left.splice(
        left.findIndex((one) => figure(one) === most),
        1,
      ),
    );
  }
  return best;
};

/** The report of a campaign with these placements, without its id. `leadValue`: what a lead is worth, in kopecks. */
export const plainReport = (
  rows: readonly PlacementWire[],
  { totalBudget }: Pick<CampaignWire, 'totalBudget'>,
  leadValue = 100_00,
) => {
  const whole = sumsOf(rows);
  const paid = sumsOf(rows.filter(({ paymentStatus }) => paymentStatus === 'paid')).spent;
  const budget = kopecks(totalBudget);
  const buyers = groups(rows, ({ buyerId }) => buyerId);
  const creatives = groups(rows, ({ creativeId }) => creativeId);
  const named = creatives.filter(([id]) => id !== noCreative);
  const byBuyer = buyers.map(([buyerId, sums]) => ({ buyerId, ...line(sums), ...rates(sums, leadValue) }));
  const byCreative = creatives.map(([creativeId, sums]) => ({
    creativeId,
    ...line(sums),
    ...rates(sums, leadValue),
    efficiency: efficiency(sums),
  }));
  return {
    summary: {
      totalBudget,
      spentBudget: whole.spent / 100,
      remainingBudget: (budget - whole.spent) / 100,
      averageCostPerLead: quotient(whole.spent, whole.leads) / 100,
      totalLeads: whole.leads,
      totalPlacements: whole.placements,
      paidBudget: paid / 100,
      unpaidBudget: (whole.spent - paid) / 100,
    },
    byBuyer,
    byCreative,
    byContractor: groups(rows, ({ contractorId }) => contractorId).map(([contractorId, sums]) => ({
      contractorId,
      ...line(sums),
    })),
    byDay: groups(rows, ({ date }) => date).map(([date, sums]) => ({ date, ...line(sums) })),
    topBuyers: firstThree(byBuyer, ({ spent }) => spent),
    topCreatives: firstThree(
      byCreative.filter(({ creativeId }) => creativeId !== noCreative),
      ({ leads }) => leads,
    ),
    withoutCreative: rows.filter(({ creativeId }) => creativeId === noCreative).length,
    indicators: {
      budgetUsePercent: share(whole.spent * 100, budget),
      leadsPerPlacement: share(whole.leads, whole.placements),
      placementsPerBuyer: share(whole.placements, buyers.length),
      budgetPerCreative: quotient(whole.spent, named.length) / 100,
      ...rates(whole, leadValue),
    },
  };
};

/** What a contractor of these placements comes to. */
export const plainContractor = (rows: readonly PlacementWire[]) => {
  const { spent, leads, placements } = sumsOf(rows);
  const days = rows.map(({ date }) => date).toSorted();
  return {
    totalSpent: spent / 100,
    totalLeads: leads,
    totalPlacements: placements,
    averageCostPerLead: quotient(spent, leads) / 100,
    averagePlacementPrice: quotient(spent, placements) / 100,
    firstUsed: days[0] ?? null,
    lastUsed: days[days.length - 1] ?? null,
  };
};

/** Percent of kopecks, in roubles; `rate` with at most two decimals. */
const percent = (sum: number, rate: number): number => quotient(sum * Math.round(rate * 100), 10_000) / 100;

/** The earnings of one person in a campaign by these placements of theirs, with ids of counted and left-out lines in their order. */
export const plainEarnings = (
  rows: readonly PlacementWire[],
  campaign: Pick<CampaignWire, 'participants'>,
  person: Pick<PersonWire, 'id' | 'salaryType' | 'salaryRate' | 'performanceThreshold'>,
) => {
  const own = campaign.participants.find(({ userId }) => userId === person.id);
  const ofCampaign = own?.salaryType !== null && own?.salaryType !== undefined ? own : null;
  const type = ofCampaign?.salaryType ?? person.salaryType;
  const rate = ofCampaign === null ? (person.salaryRate ?? 0) : (ofCampaign.salaryRate ?? 0);
  const threshold = ofCampaign?.cplThreshold ?? person.performanceThreshold ?? 100;
  const judged = rows.map((row) => {
    const price = kopecks(row.price);
    const tooDear = row.leads > 0 && price > kopecks(threshold) * row.leads;
    const counts = type !== null && (type !== 'performance' || !tooDear);
    const shown = {
      placementId: row.id,
      price: row.price,
      leads: row.leads,
      costPerLead: quotient(price, row.leads) / 100,
    };
    return { price, counts, isFree: row.leads === 0, shown };
  });
  const counted = judged.filter(({ counts }) => counts);
  const free = type === 'performance' ? counted.filter(({ isFree }) => isFree) : [];
  return {
    spent: sumsOf(rows).spent / 100,
    earnings: percent(
      counted.reduce((sum, { price }) => sum + price, 0),
      rate,
    ),
    counted: counted.map(({ price, shown }) => ({ ...shown, amount: percent(price, rate) })),
    leftOut: judged.filter(({ counts }) => !counts).map(({ shown }) => shown),
    zeroLeads: { count: free.length, price: free.reduce((sum, { price }) => sum + price, 0) / 100 },
  };
};
