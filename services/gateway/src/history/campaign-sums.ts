import { cplClass, type CplClass } from '@zakup/domain/analytics/cpl';
import { explainFigure, type Figure } from '@zakup/domain/analytics/figures';
import { type Kopecks, kopecks, toRoubles } from '@zakup/domain/money';
import type { DocumentReader } from '@zakup/read-store/read-store';
import { rowOf, rowsOf } from '../rows.ts';

/** What of one person in a campaign an action may move. */
interface PersonSums {
  readonly budget: Kopecks;
  readonly spent: Kopecks;
  readonly earnings: Kopecks;
}

/** Everything that a campaign's figures are made of, at one moment; all of it is 0 where there is no campaign, or none any more. */
export interface CampaignSums {
  readonly totalBudget: Kopecks;
  readonly spent: Kopecks;
  readonly paid: Kopecks;
  readonly leads: number;
  readonly placements: number;
  readonly people: ReadonlyMap<string, PersonSums>;
}

const nobody: PersonSums = { budget: kopecks(0), spent: kopecks(0), earnings: kopecks(0) };

export const noSums: CampaignSums = {
  totalBudget: kopecks(0),
  spent: kopecks(0),
  paid: kopecks(0),
  leads: 0,
  placements: 0,
  people: new Map(),
};

/** As the documents of a moment have them: the same rows that the dashboard shows of that moment. */
export const campaignSums = async (
  documents: DocumentReader,
  licenceId: string,
  campaignId: string,
): Promise<CampaignSums> => {
  const campaign = await rowOf(documents, 'campaign', campaignId, licenceId);
  if (campaign === null) return noSums;
  const { totalBudget, participants } = campaign;
  const analytics = await rowOf(documents, 'analytics', campaignId, licenceId);
  const earned = await rowsOf(documents, 'earnings', licenceId, { where: { campaignId } });
  const budgets = new Map(participants.map(({ userId, budget }) => [userId, budget]));
  const earnings = new Map(earned.map((row) => [row.userId, row.earnings]));
  const byBuyer = analytics?.byBuyer ?? {};
  const ids = new Set([...budgets.keys(), ...earnings.keys(), ...Object.keys(byBuyer)]);
  return {
    totalBudget,
    spent: analytics?.total.spent ?? kopecks(0),
    paid: analytics?.paid ?? kopecks(0),
    leads: analytics?.total.leads ?? 0,
    placements: analytics?.total.placements ?? 0,
    people: new Map(
      [...ids].map((id) => [
        id,
        {
          budget: budgets.get(id) ?? kopecks(0),
          spent: byBuyer[id]?.spent ?? kopecks(0),
          earnings: earnings.get(id) ?? kopecks(0),
        },
      ]),
    ),
  };
};

/** `sums` and what lies between two others. */
export const withStep = (sums: CampaignSums, from: CampaignSums, to: CampaignSums): CampaignSums => {
  const moved = (of: (one: CampaignSums) => number): number => of(sums) + of(to) - of(from);
  const money = (of: (one: CampaignSums) => Kopecks): Kopecks => kopecks(moved(of));
  const ids = new Set([sums, from, to].flatMap(({ people }) => [...people.keys()]));
  const person = (id: string): PersonSums => {
    const sum = (member: keyof PersonSums) => money(({ people }) => (people.get(id) ?? nobody)[member]);
    return { budget: sum('budget'), spent: sum('spent'), earnings: sum('earnings') };
  };
  return {
    totalBudget: money(({ totalBudget }) => totalBudget),
    spent: money(({ spent }) => spent),
    paid: money(({ paid }) => paid),
    leads: moved(({ leads }) => leads),
    placements: moved(({ placements }) => placements),
    people: new Map([...ids].map((id) => [id, person(id)])),
  };
};

/** In outside form; null = there is none: a CPL without leads, a share of no budget. */
export interface Moved {
  readonly from: number | null;
  readonly to: number | null;
}

const movedFigureNames = [
  'budget',
  'spent',
  'paid',
  'remaining',
  'budgetUse',
  'placements',
  'leads',
  'cpl',
] as const satisfies readonly Figure[];
type MovedFigureName = (typeof movedFigureNames)[number];

const valueOf = (figure: MovedFigureName, sums: CampaignSums): number | null => {
  const { totalBudget, leads } = sums;
  if (figure === 'cpl' && leads === 0) return null;
  if (figure === 'budgetUse' && totalBudget === 0) return null;
  // None of the figures told here asks for the rest.
  const operands = { totals: sums, totalBudget, buyers: 0, creatives: 0, leadValue: kopecks(0) };
  return explainFigure(figure, operands).value;
};

const isMoved = ({ from, to }: Moved): boolean => from !== to;

/** The campaign's figures that are not the same, as every other screen calculates them. */
export const movedFigures = (from: CampaignSums, to: CampaignSums) =>
  movedFigureNames
    .map((figure) => ({ figure, from: valueOf(figure, from), to: valueOf(figure, to) }))
    .filter(isMoved)
    .map((moved) => ({ ...moved, ...(moved.figure === 'cpl' && { classes: classesOf(from, to) }) }));

const classesOf = (from: CampaignSums, to: CampaignSums): { readonly from: CplClass; readonly to: CplClass } => ({
  from: cplClass(from.spent, from.leads),
  to: cplClass(to.spent, to.leads),
});

export interface MovedOfPerson extends Moved {
  readonly userId: string;
  readonly figure: 'remaining' | 'earnings';
}

/** What moved of people: what remains of the budget that they have or had, and their earnings where those may be told. */
export const movedOfPeople = (
  from: CampaignSums,
  to: CampaignSums,
  mayTell: (userId: string) => boolean,
): readonly MovedOfPerson[] =>
  [...new Set([...from.people.keys(), ...to.people.keys()])].toSorted().flatMap((userId) => {
    const [before, after] = [from.people.get(userId) ?? nobody, to.people.get(userId) ?? nobody];
    const remainderOf = ({ budget, spent }: PersonSums): number => toRoubles(kopecks(budget - spent));
    const figures: MovedOfPerson[] = [];
    if (before.budget !== 0 || after.budget !== 0)
      figures.push({ userId, figure: 'remaining', from: remainderOf(before), to: remainderOf(after) });
    if (mayTell(userId))
      figures.push({ userId, figure: 'earnings', from: toRoubles(before.earnings), to: toRoubles(after.earnings) });
    return figures.filter(isMoved);
  });
