import type { PlacementRow } from '@zakup/contracts/read-models';
import { lineAmounts, largestFirst, type PricedLine } from '@zakup/domain/analytics/line-amounts';
import { noTotals, shiftTotals, type Totals } from '@zakup/domain/analytics/sums';
import { type Kopecks, kopecks } from '@zakup/domain/money';
import { noCreative } from '@zakup/domain/placement/events';
import { createYielder } from '@zakup/async/yielder';
import { topN } from '@zakup/async/sort-yielding';
import type { DocumentReader, Query } from '@zakup/read-store/read-store';
import type { Aliases } from '../read-models/aliases.ts';
import { externalSort } from '../exports/external-sort.ts';
import { dataOf } from '../read-models/rows.ts';

/** A placement as a line of a figure: `reason`: why it does not count, null = it does. */
export interface Line {
  readonly id: string;
  readonly date: string;
  readonly campaignId: string;
  readonly contractorId: string;
  readonly buyerId: string;
  readonly price: Kopecks;
  readonly leads: number;
  readonly reason: string | null;
}

type Packed = readonly [
  date: string,
  id: string,
  campaignId: string,
  contractorId: string,
  buyerId: string,
  price: Kopecks,
  leads: number,
  reason: string | null,
];

/** The newest day first. */
export const newestDayFirst = (
  a: readonly [date: string, id: string, ...unknown[]],
  b: readonly [date: string, id: string, ...unknown[]],
): number => (a[0] === b[0] ? (a[1] < b[1] ? -1 : 1) : a[0] < b[0] ? 1 : -1);

const packed = ({ date, id, campaignId, contractorId, buyerId, price, leads }: PlacementRow, reason: string | null) =>
  [date, id, campaignId, contractorId, buyerId, price, leads, reason] satisfies Packed;

const lineOf = ([date, id, campaignId, contractorId, buyerId, price, leads, reason]: Packed): Line => ({
  date,
  id,
  campaignId,
  contractorId,
  buyerId,
  price,
  leads,
  reason,
});

/** What is summed up of lines. */
export interface Tally {
  readonly count: number;
  readonly price: Kopecks;
  readonly leads: number;
}

export const noLines: Tally = { count: 0, price: kopecks(0), leads: 0 };

const plus = ({ count, price, leads }: Tally, row: Pick<PlacementRow, 'price' | 'leads'>): Tally => ({
  count: count + 1,
  price: kopecks(price + row.price),
  leads: leads + row.leads,
});

/** What somebody bought. */
export interface BuyerTallies {
  readonly all: Tally;
  readonly counted: Tally;
  /** Counted ones without leads. */
  readonly countedWithoutLeads: Tally;
}

export const nothingBought: BuyerTallies = { all: noLines, counted: noLines, countedWithoutLeads: noLines };

export interface LinesAsked {
  readonly licenceId: string;
  /** What is read, one after the other; each once. */
  readonly where: readonly NonNullable<Query['where']>[];
  readonly isOf: (row: PlacementRow) => boolean;
  /** Why it does not count; null = it does. */
  readonly reasonOf: (row: PlacementRow) => string | null;
  /** Percent that is paid for what counts, by who bought it; absent = nobody is paid. */
  readonly rateOf?: (buyerId: string) => number;
}

export interface FoundLines {
  readonly totals: Totals;
  readonly buyers: ReadonlyMap<string, BuyerTallies>;
  readonly creatives: number;
  /** Of all that were found. */
  readonly ids: ReadonlySet<string>;
  readonly counted: Tally;
  readonly leftOut: Tally;
  /** Each may be read once, in order. */
  readonly linesOf: (list: 'counted' | 'leftOut') => AsyncGenerator<Line, void, undefined>;
  /** What a counted line brings; together they are what the buyers are paid. Null = nobody is. */
  readonly amountOf: ((line: Line) => Kopecks) | null;
}

/** Ids of lines that get a kopeck more than their share rounded down. */
const withMore = async (
  paidFor: ReadonlyMap<string, readonly PricedLine[]>,
  rateOf: (buyerId: string) => number,
): Promise<ReadonlySet<string>> => {
  const more = new Set<string>();
  const yieldIfDue = createYielder();
  for (const [buyerId, lines] of paidFor) {
    const { down, left } = lineAmounts(rateOf(buyerId));
    let [total, downs] = [0, 0];
    for (const [index, { price }] of lines.entries()) {
      if (index % 1_000 === 0) await yieldIfDue();
      total += price;
      downs += down(price);
    }
    const count = left(kopecks(total), kopecks(downs));
    for (const { id } of await topN(lines, count, largestFirst, yieldIfDue)) more.add(id);
  }
  return more;
};

/** Placements of a figure, judged as they are read: what counts, what does not and why, and the sums of both, all of the same rows. */
export const findLines = async (
  documents: DocumentReader,
  aliases: Aliases,
  { licenceId, where, isOf, reasonOf, rateOf }: LinesAsked,
): Promise<FoundLines> => {
  const runs = { counted: externalSort<Packed>(newestDayFirst), leftOut: externalSort<Packed>(newestDayFirst) };
  const buyers = new Map<string, BuyerTallies>();
  const creatives = new Set<string>();
  const ids = new Set<string>();
  const paidFor = new Map<string, PricedLine[]>();
  let [totals, counted, leftOut] = [noTotals, noLines, noLines];

  const tally = (row: PlacementRow, isCounted: boolean): void => {
    totals = shiftTotals(totals, row, 1);
    if (row.creativeId !== noCreative) creatives.add(row.creativeId);
    ids.add(row.id);
    const before = buyers.get(row.buyerId) ?? nothingBought;
    buyers.set(row.buyerId, {
      all: plus(before.all, row),
      counted: isCounted ? plus(before.counted, row) : before.counted,
      countedWithoutLeads:
        isCounted && row.leads === 0 ? plus(before.countedWithoutLeads, row) : before.countedWithoutLeads,
    });
    if (isCounted) counted = plus(counted, row);
    else leftOut = plus(leftOut, row);
    if (!isCounted || rateOf === undefined) return;
    const { id, price } = row;
    const lines = paidFor.get(row.buyerId);
    if (lines === undefined) paidFor.set(row.buyerId, [{ id, price }]);
    else lines.push({ id, price });
  };

  for (const one of where)
    await documents.readEach('placement', { licenceId, where: one }, async (docs) => {
      const lines = { counted: [] as Packed[], leftOut: [] as Packed[] };
      for (const doc of docs) {
        const row = aliases.placement(dataOf('placement', doc));
        if (!isOf(row)) continue;
        const reason = reasonOf(row);
        tally(row, reason === null);
        lines[reason === null ? 'counted' : 'leftOut'].push(packed(row, reason));
      }
      await runs.counted.add(lines.counted);
      await runs.leftOut.add(lines.leftOut);
    });

  const amounts = async (rate: (buyerId: string) => number): Promise<(line: Line) => Kopecks> => {
    const more = await withMore(paidFor, rate);
    const shares = new Map([...paidFor.keys()].map((buyerId) => [buyerId, lineAmounts(rate(buyerId))]));
    return ({ id, buyerId, price }) => shares.get(buyerId)?.amount(price, more.has(id)) ?? kopecks(0);
  };
  return {
    totals,
    buyers,
    creatives: creatives.size,
    ids,
    counted,
    leftOut,
    async *linesOf(list) {
      for await (const line of runs[list].sorted()) yield lineOf(line);
    },
    amountOf: rateOf === undefined ? null : await amounts(rateOf),
  };
};

/** Some of the lines, from a place on. */
export const someOf = async <Item>(
  items: AsyncIterable<Item>,
  offset: number,
  limit: number,
): Promise<readonly Item[]> => {
  const some: Item[] = [];
  let place = 0;
  if (limit === 0) return some;
  for await (const item of items) {
    if (place >= offset) some.push(item);
    place += 1;
    if (some.length === limit) break;
  }
  return some;
};
