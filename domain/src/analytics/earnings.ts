import { formatRoubles, type Kopecks, kopecks, percentage } from '../money.ts';
import { formatLeads, formatNumber, plural } from '../russian.ts';
import { compareCpl, costPerLead, goodCpl } from './cpl.ts';
import type { Explained } from './explained.ts';

/** A participant's terms within a campaign. */
export interface ParticipantTerms {
  readonly salaryType: string | null;
  readonly salaryRate: number | null;
  readonly cplThreshold: Kopecks | null;
}

/** The terms on a person's own record. */
export interface PersonTerms {
  readonly salaryType: string | null;
  readonly salaryRate: number | null;
  readonly performanceThreshold: Kopecks | null;
}

/** The terms that hold for one person in one campaign. */
export interface Terms {
  readonly salaryType: string | null;
  /** Percent, 0 to 100. */
  readonly salaryRate: number;
  readonly cplThreshold: Kopecks;
  readonly source: 'participant' | 'user' | 'none';
}

/** A participant entry with a salary type is taken whole, else the person's own terms, else none; the threshold is the participant's, else the person's, else 100 ₽. */
export const resolveTerms = (participant: ParticipantTerms | null, person: PersonTerms | null): Terms => {
  const own = person?.performanceThreshold ?? goodCpl;
  if (participant !== null && participant.salaryType !== null)
    return {
      salaryType: participant.salaryType,
      salaryRate: participant.salaryRate ?? 0,
      cplThreshold: participant.cplThreshold ?? own,
      source: 'participant',
    };
  if (person !== null && person.salaryType !== null)
    return { salaryType: person.salaryType, salaryRate: person.salaryRate ?? 0, cplThreshold: own, source: 'user' };
  return { salaryType: null, salaryRate: 0, cplThreshold: own, source: 'none' };
};

/** A share of everything spent, or of the results up to a CPL threshold. */
export type Scheme = 'share' | 'result' | 'none';

export const schemeOf = (terms: Terms): Scheme => {
  if (terms.source === 'none') return 'none';
  return terms.salaryType === 'budget' || terms.salaryType === 'percentage' ? 'share' : 'result';
};

/** Whether both pay the same, whatever was bought. */
export const paysAlike = (a: Terms, b: Terms): boolean => {
  const scheme = schemeOf(a);
  if (paysNothing(a) || paysNothing(b)) return paysNothing(a) && paysNothing(b);
  return (
    scheme === schemeOf(b) && a.salaryRate === b.salaryRate && (scheme === 'share' || a.cplThreshold === b.cplThreshold)
  );
};

const paysNothing = (terms: Terms): boolean => schemeOf(terms) === 'none' || terms.salaryRate === 0;

/** `10% от бюджета`, `10% за результат до 100 ₽`. */
export const showTerms = (terms: Terms): string => {
  switch (schemeOf(terms)) {
    case 'none':
      return 'Условия не заданы';
    case 'share':
      return `${formatNumber(terms.salaryRate)}% от бюджета`;
    case 'result':
      return `${formatNumber(terms.salaryRate)}% за результат до ${formatRoubles(terms.cplThreshold)}`;
  }
};

/** What earnings need of a placement. */
export interface EarningsRow {
  readonly placementId: string;
  readonly price: Kopecks;
  readonly leads: number;
}

export interface CountedLine extends EarningsRow {
  readonly costPerLead: Kopecks;
  /** This line's share, rounded by itself; the total is rounded once from the exact sum, so lines may differ from it by kopecks. */
  readonly amount: Kopecks;
}

export interface LeftOutLine extends EarningsRow {
  readonly costPerLead: Kopecks;
  /** Why, in Russian. */
  readonly reason: string;
}

/** How many lines, and what they cost together. */
export interface Tally {
  readonly count: number;
  readonly price: Kopecks;
}

export interface Earnings {
  readonly terms: Terms;
  readonly spent: Kopecks;
  readonly earnings: Kopecks;
  readonly counted: readonly CountedLine[];
  readonly leftOut: readonly LeftOutLine[];
  readonly countedTotal: Tally;
  /** Lines without leads among the counted results. */
  readonly zeroLeads: Tally;
}

export interface EarningsSettings {
  /** Whether placements without leads count as results (CPL 0), as the formula says. */
  readonly countZeroLeads: boolean;
}

const sum = (rows: readonly EarningsRow[]): Kopecks => kopecks(rows.reduce((total, row) => total + row.price, 0));
const tally = (rows: readonly EarningsRow[]): Tally => ({ count: rows.length, price: sum(rows) });

/** Why a row does not count, or `null`. */
export const leftOutReason = (
  terms: Terms,
  { countZeroLeads }: EarningsSettings,
): ((row: Pick<EarningsRow, 'price' | 'leads'>) => string | null) => {
  switch (schemeOf(terms)) {
    case 'none':
      return () => 'Условия не заданы';
    case 'share':
      return () => null;
    case 'result': {
      const above = `CPL выше ${formatRoubles(terms.cplThreshold)}`;
      return (row) => {
        if (row.leads === 0 && !countZeroLeads) return 'Лидов пока нет';
        return compareCpl(row.price, row.leads, terms.cplThreshold) > 0
          ? `${above}: ${formatRoubles(row.price)} за ${formatLeads(row.leads)}`
          : null;
      };
    }
  }
};

/** What one person earns in one campaign by the given placements of theirs, line by line (NUM-10 to NUM-13). */
export const earningsOf = (terms: Terms, rows: readonly EarningsRow[], settings: EarningsSettings): Earnings => {
  const share = percentage(terms.salaryRate);
  const reasonOf = leftOutReason(terms, settings);
  const counted: CountedLine[] = [];
  const leftOut: LeftOutLine[] = [];
  for (const { placementId, price, leads } of rows) {
    const line = { placementId, price, leads, costPerLead: costPerLead(price, leads) };
    const reason = reasonOf(line);
    if (reason === null) counted.push({ ...line, amount: share(price) });
    else leftOut.push({ ...line, reason });
  }
  const zero = schemeOf(terms) === 'result' ? counted.filter((line) => line.leads === 0) : [];
  const countedTotal = tally(counted);
  return {
    terms,
    spent: sum(rows),
    earnings: share(countedTotal.price),
    counted,
    leftOut,
    countedTotal,
    zeroLeads: tally(zero),
  };
};

/** The calculation in one line, with the line about placements without leads where there are any. */
export const explainEarnings = ({
  terms,
  countedTotal: { count, price },
  earnings,
  zeroLeads,
}: Pick<Earnings, 'terms' | 'countedTotal' | 'earnings' | 'zeroLeads'>): Explained<Kopecks> => {
  const scheme = schemeOf(terms);
  if (scheme === 'none') return { value: earnings, formula: showTerms(terms) };
  const what =
    scheme === 'share'
      ? 'потрачено'
      : `${formatNumber(count)} ${plural(count, 'размещение', 'размещения', 'размещений')} с CPL до ${formatRoubles(terms.cplThreshold)}`;
  const base = `${what}: ${formatRoubles(price)} × ${formatNumber(terms.salaryRate)} ÷ 100 = ${formatRoubles(earnings)}`;
  const zero =
    zeroLeads.count === 0
      ? ''
      : `; без лидов засчитано: ${formatNumber(zeroLeads.count)} на ${formatRoubles(zeroLeads.price)}`;
  return { value: earnings, formula: base + zero };
};
