import { type Kopecks, kopecks } from '../money.ts';
import { costPerLead } from './cpl.ts';

/** Exact sums over placements, money in kopecks. Averages are formed of them, never of other averages (NUM-8, NUM-26). */
export interface Sums {
  readonly spent: Kopecks;
  readonly leads: number;
  readonly placements: number;
}

/** The same with what of the money is paid. */
export interface Totals extends Sums {
  readonly paid: Kopecks;
}

/** What sums take of a placement. */
export interface SummedLine {
  readonly price: Kopecks;
  readonly leads: number;
}

export interface PaidLine extends SummedLine {
  readonly paymentStatus: string;
}

/** A placement comes in (1), or one that is in goes out (−1). */
export type Sign = 1 | -1;

export const noSums: Sums = { spent: kopecks(0), leads: 0, placements: 0 };

export const addSums = (a: Sums, b: Sums): Sums => ({
  spent: kopecks(a.spent + b.spent),
  leads: a.leads + b.leads,
  placements: a.placements + b.placements,
});

export const subtractSums = (a: Sums, b: Sums): Sums => ({
  spent: kopecks(a.spent - b.spent),
  leads: a.leads - b.leads,
  placements: a.placements - b.placements,
});

/** The sums with one placement more, or without one that is in them. */
export const shiftSums = (sums: Sums, { price, leads }: SummedLine, sign: Sign): Sums => ({
  spent: kopecks(sums.spent + sign * price),
  leads: sums.leads + sign * leads,
  placements: sums.placements + sign,
});

/** Sum over sum, rounded once; 0 without leads. */
export const averageCpl = ({ spent, leads }: Sums): Kopecks => costPerLead(spent, leads);

export const noTotals: Totals = { ...noSums, paid: kopecks(0) };

export const addTotals = (a: Totals, b: Totals): Totals => ({ ...addSums(a, b), paid: kopecks(a.paid + b.paid) });

export const subtractTotals = (a: Totals, b: Totals): Totals => ({
  ...subtractSums(a, b),
  paid: kopecks(a.paid - b.paid),
});

/** What of the price is paid: all of it or nothing, unknown values of the status included. */
export const paidPart = ({ price, paymentStatus }: PaidLine): Kopecks =>
  paymentStatus === 'paid' ? price : kopecks(0);

/** As `shiftSums`. */
export const shiftTotals = (totals: Totals, line: PaidLine, sign: Sign): Totals => ({
  ...shiftSums(totals, line, sign),
  paid: kopecks(totals.paid + sign * paidPart(line)),
});

/** As many steps of `shiftTotals`, without an object for each: lines are many. */
export const totalsOf = (lines: Iterable<PaidLine>): Totals => {
  let [spent, paid, leads, placements] = [0, 0, 0, 0];
  for (const line of lines) {
    spent += line.price;
    paid += paidPart(line);
    leads += line.leads;
    placements += 1;
  }
  return { spent: kopecks(spent), paid: kopecks(paid), leads, placements };
};
