import type { AnalyticsWire, CampaignWire, CreativeWire, EarningsWire, UserWire } from '@zakup/contracts/wire-entities';
import { type BudgetBarClass, budgetBarClass, budgetBarWidth, budgetUsePercent } from '@zakup/domain/analytics/budget';
import { type CplClass, cplClass, showCpl } from '@zakup/domain/analytics/cpl';
import { showTerms } from '@zakup/domain/analytics/earnings';
import { type Efficiency, efficiencyBarWidth, efficiencyOf } from '@zakup/domain/analytics/efficiency';
import { formatRoublesExact, type Kopecks, kopecks } from '@zakup/domain/money';
import { noCreative } from '@zakup/domain/placement/events';
import { formatPercent } from '@zakup/domain/russian';
import { shortFigure } from '@zakup/domain/short-figure';
import { money } from '../money/roubles.ts';

export type Tone = 'good' | 'mid' | 'bad';

export { money };

const budgetTones: Readonly<Record<BudgetBarClass, Tone>> = { green: 'good', yellow: 'mid', red: 'bad' };
const signs: Readonly<Record<Tone, string>> = { good: '▼', mid: '◆', bad: '▲' };
const cplTones: Readonly<Record<CplClass, Tone | null>> = { good: 'good', middle: 'mid', bad: 'bad', none: null };
const efficiencyTones: Readonly<Record<Efficiency, Tone>> = { Отлично: 'good', Хорошо: 'mid', Средне: 'bad' };

export interface BudgetUse {
  /** `null` without a budget. */
  readonly tone: Tone | null;
  /** `73,7 % ◆`, `105 % перерасход` above the budget, `без бюджета` without one. */
  readonly text: string;
  /** Where that has no room: the sign in place of the word. */
  readonly short: string;
  /** 0 to 100. */
  readonly width: number;
}

/** One of six digits and more by its size. */
const shortPercent = (percent: number): string => {
  const text = formatPercent(percent);
  return percent < 100_000 ? text : (shortFigure(text) ?? text);
};

export const budgetUse = (spent: Kopecks, budget: Kopecks): BudgetUse => {
  if (budget === 0) return { tone: null, text: 'без бюджета', short: 'без бюджета', width: 0 };
  const percent = budgetUsePercent(spent, budget);
  const tone = budgetTones[budgetBarClass(spent, budget)];
  return {
    tone,
    text: `${formatPercent(percent)} ${percent > 100 ? 'перерасход' : signs[tone]}`,
    short: `${shortPercent(percent)} ${signs[tone]}`,
    width: budgetBarWidth(spent, budget),
  };
};

/** `null` without leads. */
export const cplTone = (spent: Kopecks, leads: number): Tone | null => cplTones[cplClass(spent, leads)];

/** Colour and sign of a class that is known; neither without leads. */
export const cplMark = (of: CplClass): { readonly tone: Tone | null; readonly sign: string } => {
  const tone = cplTones[of];
  return { tone, sign: tone === null ? '' : signs[tone] };
};

export interface CplFigure {
  /** `null` without leads. */
  readonly tone: Tone | null;
  /** Always two decimals, `—` without leads. */
  readonly text: string;
  readonly sign: string;
}

export const cplFigure = (spent: Kopecks, leads: number, each: Kopecks): CplFigure => {
  const text = leads === 0 ? showCpl(spent, leads) : formatRoublesExact(each);
  return { ...cplMark(cplClass(spent, leads)), text };
};

export const cplRange: Readonly<Record<Tone, string>> = { good: 'ниже 100 ₽', mid: '100–200 ₽', bad: 'выше 200 ₽' };

export interface EmployeeFigures {
  readonly user: UserWire;
  readonly budget: Kopecks;
  readonly spent: Kopecks;
  readonly leads: number;
  readonly remainder: Kopecks;
  readonly use: BudgetUse;
  readonly cpl: CplFigure;
  /** `null` where this person may not see it. */
  readonly earnings: EarningsWire | null;
  /** `10% от бюджета`; `null` where this person may not see it. */
  readonly terms: string | null;
}

export const termsText = ({ terms }: EarningsWire): string =>
  showTerms({ ...terms, cplThreshold: money(terms.cplThreshold) });

/** Buyers and team leads with a budget or spend in the campaign, greatest budget first. */
export const employeeFigures = (
  campaign: CampaignWire,
  analytics: AnalyticsWire | null,
  users: readonly UserWire[],
  earnings: readonly EarningsWire[],
): readonly EmployeeFigures[] =>
  users
    .filter((user) => user.role === 'MEDIA_BUYER' || user.role === 'TEAM_LEAD')
    .map((user) => {
      const line = analytics?.byBuyer.find((one) => one.buyerId === user.id);
      const earned = earnings.find((one) => one.userId === user.id) ?? null;
      const participant = campaign.participants.find((one) => one.userId === user.id);
      const budget = money(earned?.budget ?? participant?.budget ?? 0);
      const spent = money(line?.spent ?? 0);
      return {
        user,
        budget,
        spent,
        leads: line?.leads ?? 0,
        remainder: kopecks(budget - spent),
        use: budgetUse(spent, budget),
        cpl: cplFigure(spent, line?.leads ?? 0, money(line?.averageCostPerLead ?? 0)),
        earnings: earned,
        terms: earned && termsText(earned),
      };
    })
    .filter((figures) => figures.budget > 0 || figures.spent > 0)
    .sort((a, b) => b.budget - a.budget || (a.user.name < b.user.name ? -1 : 1));

/** A creative's class, with its colour: none before the first lead. */
export const efficiencyFigure = (
  spent: Kopecks,
  leads: number,
): { readonly efficiency: Efficiency; readonly tone: Tone | null } => {
  const efficiency = efficiencyOf(spent, leads);
  return { efficiency, tone: leads === 0 ? null : efficiencyTones[efficiency] };
};

export interface CreativeFigures {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly spent: Kopecks;
  readonly leads: number;
  readonly placements: number;
  readonly cpl: CplFigure;
  readonly efficiency: Efficiency;
  /** `null` without leads. */
  readonly tone: Tone | null;
  /** 0 to 100. */
  readonly width: number;
}

/** Creatives with at least one placement in the campaign, most placements first; never the absent one. */
export const creativeFigures = (
  analytics: AnalyticsWire | null,
  creatives: readonly CreativeWire[],
): readonly CreativeFigures[] =>
  (analytics?.byCreative ?? [])
    .filter((line) => line.creativeId !== noCreative && line.placements > 0)
    .map((line) => {
      const creative = creatives.find((one) => one.id === line.creativeId);
      const spent = money(line.spent);
      return {
        id: line.creativeId,
        name: creative?.name ?? '',
        type: creative?.type ?? '',
        spent,
        leads: line.leads,
        placements: line.placements,
        cpl: cplFigure(spent, line.leads, money(line.averageCostPerLead)),
        ...efficiencyFigure(spent, line.leads),
        width: efficiencyBarWidth(spent, line.leads),
      };
    })
    .sort((a, b) => b.placements - a.placements || (a.id < b.id ? -1 : 1));

export const withoutCreativeCount = (analytics: AnalyticsWire | null): number =>
  analytics?.byCreative.find((line) => line.creativeId === noCreative)?.placements ?? 0;
