import type { EmployeeRow } from '@zakup/contracts/read-models';
import type { SalarySelection } from '@zakup/contracts/requests/queries';
import {
  explainSalaryReport,
  salaryReportPercent,
  salaryReportReason,
  salaryReportThreshold,
} from '@zakup/domain/analytics/salary-report';
import type { ExplainedFigure } from '@zakup/domain/analytics/figures';
import { formatRoubles, toRoubles } from '@zakup/domain/money';
import { rowOf, rowsOf } from '../read-models/rows.ts';
import { bonusHistory, narrowedToBonus } from './bonus-history.ts';
import { asReceived } from './figure-history.ts';
import type { Lineage, LineageSources, LineageSubject } from './lineage-subject.ts';
import { findLines, type Tally } from './lineage-lines.ts';

export interface BonusAsked extends Pick<LineageSubject, 'licence' | 'to' | 'most' | 'view'> {
  readonly userId: string;
  readonly selection: Pick<SalarySelection, 'campaign' | 'from' | 'to'>;
}

const unpaid: Pick<EmployeeRow, 'salaryType' | 'performanceThreshold'> = {
  salaryType: null,
  performanceThreshold: null,
};

const explain = (terms: typeof unpaid, counted: Tally): ExplainedFigure => {
  const { value, formula } = explainSalaryReport(terms, counted);
  return {
    title: 'Бонус',
    unit: 'money',
    value: toRoubles(value),
    shown: formatRoubles(value),
    formula,
    terms: [
      {
        name: 'Порог CPL',
        shown: formatRoubles(salaryReportThreshold(terms)),
        source: terms.performanceThreshold === null ? 'в карточке сотрудника не задан' : 'карточка сотрудника',
      },
      { name: 'Процент', shown: `${salaryReportPercent}%`, source: 'отчёт по зарплате' },
    ],
  };
};

/** Where somebody's bonus of the salary report comes from (NUM-15): over all campaigns, or one of them, on the days that are asked for. */
export const bonusLineage = async (
  sources: LineageSources,
  { licence, userId, selection, to, most, view }: BonusAsked,
): Promise<Lineage> => {
  const { documents, aliases, readStore } = sources;
  const { campaign } = selection;
  const campaigns = (await rowsOf(documents, 'campaign', licence.id))
    .map(({ id }) => id)
    .filter((id) => campaign === undefined || id === campaign);
  const among = new Set(campaigns);
  const person = await rowOf(documents, 'user', userId, licence.id);
  const terms = person ?? unpaid;
  const narrowed = narrowedToBonus(userId, selection);
  const found = await findLines(documents, aliases, {
    licenceId: licence.id,
    where: [{ buyerId: userId, ...(campaign !== undefined && { campaignId: campaign }) }],
    isOf: (row) => among.has(row.campaignId) && narrowed.every(({ has }) => has(row)),
    reasonOf: salaryReportReason(terms, licence.settings),
    rateOf: () => salaryReportPercent,
  });
  const { moved, leftOut, historyComplete } = await bonusHistory(
    { documents, readStore },
    {
      licenceId: licence.id,
      userId,
      terms: person,
      campaignIds: campaigns,
      selection,
      to,
      counted: found.ids,
      ...(most !== undefined && { most }),
      view,
    },
  );
  return {
    figure: 'bonus',
    explained: explain(terms, found.counted),
    found,
    gone: leftOut.map((line) => asReceived(line, aliases)),
    moved,
    historyComplete,
  };
};
