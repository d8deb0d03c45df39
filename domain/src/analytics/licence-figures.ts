import { formatRoubles, type Kopecks, kopecks, toRoubles } from '../money.ts';
import { formatNumber } from '../russian.ts';
import type { ExplainedFigure } from './figures.ts';

/** Figures over all campaigns, and the parameter by which ROI is calculated. */
export const licenceFigures = ['campaigns', 'activeCampaigns', 'channels', 'budgets', 'leadValue'] as const;
export type LicenceFigure = (typeof licenceFigures)[number];

/** What they are calculated from: whatever is there, without what is deleted. */
export interface LicenceOperands {
  readonly campaigns: readonly { readonly status: string; readonly totalBudget: Kopecks }[];
  readonly channels: number;
  readonly leadValue: Kopecks;
}

/** The figure with its calculation. */
export const explainLicenceFigure = (
  figure: LicenceFigure,
  { campaigns, channels, leadValue }: LicenceOperands,
): ExplainedFigure => {
  const count = (status: string): number => campaigns.filter((campaign) => campaign.status === status).length;
  const [active, completed, drafts] = [count('ACTIVE'), count('COMPLETED'), count('DRAFT')];
  const whole = (title: string, value: number, formula: string): ExplainedFigure => ({
    title,
    unit: 'whole',
    value,
    shown: formatNumber(value),
    formula,
    terms: [],
  });
  const money = (title: string, value: Kopecks, formula: string): ExplainedFigure => ({
    title,
    unit: 'money',
    value: toRoubles(value),
    shown: formatRoubles(value),
    formula,
    terms: [],
  });
  switch (figure) {
    case 'campaigns': {
      const all = formatNumber(campaigns.length);
      return whole(
        'Все кампании',
        campaigns.length,
        `активные ${formatNumber(active)} + завершённые ${formatNumber(completed)} + черновики ${formatNumber(drafts)} = ${all}`,
      );
    }
    case 'activeCampaigns':
      return whole('Активные кампании', active, 'кампании со статусом «Активная»');
    case 'channels':
      return whole('Каналы', channels, 'все каналы, кроме удалённых');
    case 'budgets': {
      const sum = kopecks(campaigns.reduce((total, { totalBudget }) => total + totalBudget, 0));
      return money('Общий бюджет', sum, `бюджеты всех кампаний вместе: ${formatRoubles(sum)}`);
    }
    case 'leadValue':
      return money('Цена лида', leadValue, 'параметр лицензии: по нему считается ROI');
  }
};
