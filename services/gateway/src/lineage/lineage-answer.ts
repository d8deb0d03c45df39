import { costPerLead } from '@zakup/domain/analytics/cpl';
import { type Kopecks, kopecks, toRoubles } from '@zakup/domain/money';
import type { GoneLine } from './figure-history.ts';
import type { Lineage } from './lineage-subject.ts';
import { nextCursor, type Slices } from './lineage-cursor.ts';
import { type FoundLines, type Line, someOf } from './lineage-lines.ts';

const wireOf = ({ id, campaignId, contractorId, buyerId, date, price, leads }: Line) => ({
  placementId: id,
  campaignId,
  contractorId,
  buyerId,
  date,
  price: toRoubles(price),
  leads,
  costPerLead: toRoubles(costPerLead(price, leads)),
});

const goneWire = ({ price, leads, ...line }: GoneLine) => ({
  ...line,
  price: price === null ? null : toRoubles(price),
  leads,
  costPerLead: price === null || leads === null ? null : toRoubles(costPerLead(price, leads)),
});

const amountsOf = (found: FoundLines, lines: readonly Line[]): readonly (Kopecks | null)[] =>
  lines.map((line) => found.amountOf?.(line) ?? null);

/** Lines that are there and do not count, then those that are not, from a place on. */
const leftOutOf = async (found: FoundLines, gone: readonly GoneLine[], offset: number, limit: number) => {
  const there = offset < found.leftOut.count ? await someOf(found.linesOf('leftOut'), offset, limit) : [];
  const from = Math.max(0, offset - found.leftOut.count);
  return [
    ...there.map((line) => ({ ...wireOf(line), name: null, reason: line.reason ?? '', at: null })),
    ...gone.slice(from, from + limit - there.length).map(goneWire),
  ];
};

/** A lineage as it is answered: of each list the lines that were asked for, and the sums of all of them. */
export const presentLineage = async (
  { figure, explained, found, gone, moved, historyComplete }: Lineage,
  slices: Slices,
  position: number,
) => {
  const { limit } = slices;
  const counted = slices.counted === null ? [] : await someOf(found.linesOf('counted'), slices.counted, limit);
  const leftOut = slices.leftOut === null ? [] : await leftOutOf(found, gone, slices.leftOut, limit);
  const leftOutTotal = found.leftOut.count + gone.length;
  const amounts = amountsOf(found, counted);
  const next = (list: 'counted' | 'leftOut', shown: number, total: number) =>
    nextCursor(list, { offset: slices[list], shown, total, position });
  return {
    figure,
    ...explained,
    terms: [...explained.terms],
    counted: {
      total: found.counted.count,
      price: toRoubles(found.counted.price),
      leads: found.counted.leads,
      lines: counted.map((line, index) => {
        const amount = amounts[index] ?? null;
        return { ...wireOf(line), amount: amount === null ? null : toRoubles(amount) };
      }),
      next: next('counted', counted.length, found.counted.count),
    },
    leftOut: {
      total: leftOutTotal,
      there: found.leftOut.count,
      price: toRoubles(kopecks(found.leftOut.price)),
      leads: found.leftOut.leads,
      gone: gone.length,
      lines: leftOut,
      next: next('leftOut', leftOut.length, leftOutTotal),
    },
    moved: [...moved],
    historyComplete,
  };
};
