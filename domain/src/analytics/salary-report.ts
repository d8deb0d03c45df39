import { formatRoubles, type Kopecks, kopecks, percentOf } from '../money.ts';
import { formatLeads, formatNumber, plural } from '../russian.ts';
import { compareCpl, goodCpl } from './cpl.ts';
import type { Explained } from './explained.ts';

/** Percent of a price that the salary report gives for a placement under the threshold. */
export const salaryReportPercent = 10;

/** The terms on a person's own record, as the salary report needs them. */
export interface SalaryReportTerms {
  readonly salaryType: string | null;
  readonly performanceThreshold: Kopecks | null;
}

/** What the report needs of a placement. */
export interface SalaryReportLine {
  readonly price: Kopecks;
  readonly leads: number;
}

export interface SalaryReportSettings {
  /** Whether placements without leads count (CPL 0), as the formula says. */
  readonly countZeroLeads: boolean;
}

/** The person's own threshold, else 100 ₽. */
export const salaryReportThreshold = ({ performanceThreshold }: Pick<SalaryReportTerms, 'performanceThreshold'>) =>
  performanceThreshold ?? goodCpl;

/** Whether the same placements count by both. */
export const countsAlike = (a: SalaryReportTerms, b: SalaryReportTerms): boolean =>
  (a.salaryType === 'performance') === (b.salaryType === 'performance') &&
  (a.salaryType !== 'performance' || salaryReportThreshold(a) === salaryReportThreshold(b));

/** Why a placement brings no bonus, in Russian; `null` = it does: the person is paid by performance and the CPL is under the threshold. */
export const salaryReportReason = (
  terms: SalaryReportTerms,
  { countZeroLeads }: SalaryReportSettings,
): ((line: SalaryReportLine) => string | null) => {
  if (terms.salaryType !== 'performance') return () => 'Бонус считается только при оплате за результат';
  const threshold = salaryReportThreshold(terms);
  const notUnder = `CPL не ниже ${formatRoubles(threshold)}`;
  return ({ price, leads }) => {
    if (leads === 0 && !countZeroLeads) return 'Лидов пока нет';
    return compareCpl(price, leads, threshold) < 0
      ? null
      : `${notUnder}: ${formatRoubles(price)} за ${formatLeads(leads)}`;
  };
};

/** 10 % of everything that counted, rounded once. */
export const salaryReportShare = (counted: Kopecks): Kopecks => percentOf(counted, salaryReportPercent);

/** The bonus of the salary report: for people on performance pay 10 % of the prices with CPL under their threshold (100 ₽ when unset), else 0. Never added to earnings. */
export const salaryReportBonus = (
  terms: SalaryReportTerms,
  lines: readonly SalaryReportLine[],
  settings: SalaryReportSettings,
): Kopecks => {
  const reasonOf = salaryReportReason(terms, settings);
  return salaryReportShare(kopecks(lines.reduce((sum, line) => (reasonOf(line) === null ? sum + line.price : sum), 0)));
};

/** The calculation in one line, from how many placements counted and what they cost together. */
export const explainSalaryReport = (
  terms: SalaryReportTerms,
  counted: { readonly count: number; readonly price: Kopecks },
): Explained<Kopecks> => {
  const value = salaryReportShare(counted.price);
  if (terms.salaryType !== 'performance') return { value, formula: 'Бонус считается только при оплате за результат' };
  const placements = `${formatNumber(counted.count)} ${plural(counted.count, 'размещение', 'размещения', 'размещений')}`;
  const what = `${placements} с CPL ниже ${formatRoubles(salaryReportThreshold(terms))}`;
  return {
    value,
    formula: `${what}: ${formatRoubles(counted.price)} × ${salaryReportPercent} ÷ 100 = ${formatRoubles(value)}`,
  };
};
