import { presentAnalytics } from '@zakup/contracts/to-wire';
import type { AnalyticsRow, EarningsTotals, EmployeeRow, LicenceRow } from '@zakup/contracts/read-models';
import { noSums, type Sums } from '@zakup/domain/analytics/sums';
import { differsFromOwnRate, explainOwnRate } from '@zakup/domain/analytics/buyer-statement';
import { efficiencyOf } from '@zakup/domain/analytics/efficiency';
import { conversionRate, indicators, roi, topBuyers, topCreatives } from '@zakup/domain/analytics/indicators';
import { toRoubles } from '@zakup/domain/money';
import { noCreative } from '@zakup/domain/placement/events';

type Settings = Pick<LicenceRow, 'settings'>;

/** Conversion and return of some sums. */
export const ratesOf = ({ spent, leads, placements }: Sums, { settings }: Settings) => ({
  conversionRate: conversionRate(leads, placements),
  roi: roi(spent, leads, settings.leadValue),
});

const indicatorsOf = (row: AnalyticsRow, { settings }: Settings) => {
  const figures = indicators({
    totalBudget: row.totalBudget,
    totals: { ...row.total, paid: row.paid },
    buyers: Object.keys(row.byBuyer).length,
    creatives: Object.keys(row.byCreative).filter((id) => id !== noCreative).length,
    leadValue: settings.leadValue,
  });
  return { ...figures, budgetPerCreative: toRoubles(figures.budgetPerCreative) };
};

/** The report of one campaign: sums by everything, conversion and return of buyers and creatives, the best, the indicators. */
export const campaignReport = (analytics: AnalyticsRow, licence: Settings) => {
  const report = presentAnalytics(analytics);
  const byBuyer = report.byBuyer.map((line) => ({
    ...line,
    ...ratesOf(analytics.byBuyer[line.buyerId] ?? noSums, licence),
  }));
  const byCreative = report.byCreative.map((line) => {
    const sums = analytics.byCreative[line.creativeId] ?? noSums;
    return { ...line, ...ratesOf(sums, licence), efficiency: efficiencyOf(sums.spent, sums.leads) };
  });
  return {
    ...report,
    byBuyer,
    byCreative,
    topBuyers: topBuyers(byBuyer),
    topCreatives: topCreatives(byCreative),
    withoutCreative: analytics.byCreative[noCreative]?.placements ?? 0,
    indicators: indicatorsOf(analytics, licence),
  };
};

/** What a person's own percent makes of what they spent in a campaign, beside what its terms say. */
export const ownStatement = (row: EarningsTotals, person: Pick<EmployeeRow, 'salaryRate'> | undefined) => {
  const salaryRate = person?.salaryRate ?? null;
  const { value, formula } = explainOwnRate(row.spent, salaryRate);
  const differs = differsFromOwnRate(row.terms, salaryRate);
  return { userId: row.userId, salaryRate, amount: toRoubles(value), formula, differs };
};
