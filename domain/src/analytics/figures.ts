import { formatRoubles, type Kopecks, toRoubles } from '../money.ts';
import { ratio } from '../rounding.ts';
import { formatLeads, formatNumber, formatPercent, plural } from '../russian.ts';
import { explainBudgetUse } from './budget.ts';
import { explainCostPerLead, showCpl } from './cpl.ts';
import { averagePrice, explainConversionRate, explainRoi } from './indicators.ts';
import { campaignSummary } from './summary.ts';
import type { Totals } from './sums.ts';

/** The budget of a campaign, and figures that are made of sums over its placements. */
export const figures = [
  'budget',
  'spent',
  'paid',
  'unpaid',
  'remaining',
  'budgetUse',
  'leads',
  'placements',
  'cpl',
  'averagePrice',
  'leadsPerPlacement',
  'placementsPerBuyer',
  'budgetPerCreative',
  'roi',
  'conversion',
] as const;
export type Figure = (typeof figures)[number];

export const figureTitles: Readonly<Record<Figure, string>> = {
  budget: 'Бюджет',
  spent: 'Потрачено',
  paid: 'Оплачено',
  unpaid: 'Не оплачено',
  remaining: 'Остаток бюджета',
  budgetUse: 'Использование бюджета',
  leads: 'Приход',
  placements: 'Размещения',
  cpl: 'Средний CPL',
  averagePrice: 'Средняя цена размещения',
  leadsPerPlacement: 'Лидов на размещение',
  placementsPerBuyer: 'Размещений на байера',
  budgetPerCreative: 'Средний бюджет на креатив',
  roi: 'ROI',
  conversion: 'Конверсия',
};

/** What figures are calculated from. */
export interface FigureOperands {
  readonly totals: Totals;
  readonly totalBudget: Kopecks;
  /** Whose budget that is; absent = the campaign's. */
  readonly budgetOf?: 'participant';
  /** Distinct ones with a placement. */
  readonly buyers: number;
  readonly creatives: number;
  readonly leadValue: Kopecks;
}

/** One operand: what it is, its value as shown, and where it comes from. */
export interface FigureTerm {
  readonly name: string;
  readonly shown: string;
  readonly source: string;
}

export interface ExplainedFigure {
  readonly title: string;
  readonly unit: 'money' | 'whole' | 'ratio' | 'percent';
  /** In outside form: roubles, percent. */
  readonly value: number;
  readonly shown: string;
  /** The calculation in Russian, every operand in it. */
  readonly formula: string;
  readonly terms: readonly FigureTerm[];
}

const countOf = (n: number): string => `${formatNumber(n)} ${plural(n, 'размещение', 'размещения', 'размещений')}`;
const overLines = 'сумма по засчитанным размещениям';

const quotient = (from: string, by: string, shown: string, divisor: number, none: string): string =>
  divisor === 0 ? none : `${from} ÷ ${by} = ${shown}`;

/** The operands that several figures have, by name. */
const termsOf = ({ totals, totalBudget, budgetOf }: FigureOperands) => {
  const { spent, paid, leads, placements } = totals;
  const budgetSource = budgetOf === 'participant' ? 'участие в кампании' : 'поле кампании';
  return {
    spentTerm: { name: figureTitles.spent, shown: formatRoubles(spent), source: overLines },
    paidTerm: { name: figureTitles.paid, shown: formatRoubles(paid), source: overLines },
    leadsTerm: { name: figureTitles.leads, shown: formatNumber(leads), source: overLines },
    placementsTerm: {
      name: figureTitles.placements,
      shown: formatNumber(placements),
      source: 'число засчитанных размещений',
    },
    budgetTerm: { name: 'Бюджет', shown: formatRoubles(totalBudget), source: budgetSource },
  } satisfies Readonly<Record<string, FigureTerm>>;
};

/** A figure with its calculation: the same numbers as everywhere, in words. */
export const explainFigure = (figure: Figure, operands: FigureOperands): ExplainedFigure => ({
  title: figureTitles[figure],
  ...calculationOf(figure, operands),
});

type Calculation = Omit<ExplainedFigure, 'title'>;

const money = (value: Kopecks, formula: string, ...terms: readonly FigureTerm[]): Calculation => ({
  unit: 'money',
  value: toRoubles(value),
  shown: formatRoubles(value),
  formula,
  terms,
});

const number = (
  unit: 'whole' | 'ratio' | 'percent',
  value: number,
  formula: string,
  ...terms: readonly FigureTerm[]
): Calculation => {
  const shown = unit === 'percent' ? formatPercent(value) : formatNumber(value);
  return { unit, value, shown, formula, terms };
};

const calculationOf = (figure: Figure, operands: FigureOperands): Calculation => {
  const { totals, totalBudget, budgetOf, buyers, creatives, leadValue } = operands;
  const { spent, paid, leads, placements } = totals;
  const { spentTerm, paidTerm, leadsTerm, placementsTerm, budgetTerm } = termsOf(operands);

  switch (figure) {
    case 'budget':
      return money(
        totalBudget,
        `${budgetOf === 'participant' ? 'задан участнику в настройках кампании' : 'задан в кампании'}: ${formatRoubles(totalBudget)}`,
        budgetTerm,
      );
    case 'spent':
      return money(spent, `цены вместе: ${countOf(placements)} на ${formatRoubles(spent)}`, placementsTerm);
    case 'paid':
      return money(paid, `цены оплаченных размещений вместе: ${formatRoubles(paid)}`, spentTerm);
    case 'unpaid': {
      const { unpaidBudget: unpaid } = campaignSummary(totalBudget, totals);
      return money(
        unpaid,
        `${formatRoubles(spent)} − ${formatRoubles(paid)} = ${formatRoubles(unpaid)}`,
        spentTerm,
        paidTerm,
      );
    }
    case 'remaining': {
      const { remainingBudget: rest } = campaignSummary(totalBudget, totals);
      const formula = `${formatRoubles(totalBudget)} − ${formatRoubles(spent)} = ${formatRoubles(rest)}`;
      return money(rest, formula, budgetTerm, spentTerm);
    }
    case 'budgetUse': {
      const { value, formula } = explainBudgetUse(spent, totalBudget);
      return number('percent', value, formula, spentTerm, budgetTerm);
    }
    case 'leads':
      return number('whole', leads, `приход вместе: ${countOf(placements)}, ${formatLeads(leads)}`, placementsTerm);
    case 'placements':
      return number('whole', placements, `засчитано: ${countOf(placements)}`);
    case 'cpl': {
      const { value, formula } = explainCostPerLead(spent, leads);
      return { ...money(value, formula, spentTerm, leadsTerm), shown: showCpl(spent, leads) };
    }
    case 'averagePrice': {
      const value = averagePrice(spent, placements);
      const formula = quotient(
        formatRoubles(spent),
        formatNumber(placements),
        formatRoubles(value),
        placements,
        'размещений пока нет',
      );
      return money(value, formula, spentTerm, placementsTerm);
    }
    case 'leadsPerPlacement': {
      const value = ratio(leads, placements);
      const formula = quotient(
        formatNumber(leads),
        formatNumber(placements),
        formatNumber(value),
        placements,
        'размещений пока нет',
      );
      return number('ratio', value, formula, leadsTerm, placementsTerm);
    }
    case 'placementsPerBuyer': {
      const value = ratio(placements, buyers);
      const formula = quotient(
        formatNumber(placements),
        formatNumber(buyers),
        formatNumber(value),
        buyers,
        'размещений пока нет',
      );
      const term = { name: 'Байеры', shown: formatNumber(buyers), source: 'у кого есть размещение' };
      return number('ratio', value, formula, placementsTerm, term);
    }
    case 'budgetPerCreative': {
      const value = averagePrice(spent, creatives);
      const formula = quotient(
        formatRoubles(spent),
        formatNumber(creatives),
        formatRoubles(value),
        creatives,
        'креативов с размещениями пока нет',
      );
      const term = { name: 'Креативы', shown: formatNumber(creatives), source: 'у которых есть размещение' };
      return money(value, formula, spentTerm, term);
    }
    case 'roi': {
      const { value, formula } = explainRoi(spent, leads, leadValue);
      const term = { name: 'Цена лида', shown: formatRoubles(leadValue), source: 'параметр лицензии' };
      return number('percent', value, formula, leadsTerm, term, spentTerm);
    }
    case 'conversion': {
      const { value, formula } = explainConversionRate(leads, placements);
      return number('percent', value, formula, leadsTerm, placementsTerm);
    }
  }
};
