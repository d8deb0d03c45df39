import { cplClass, type CplClass } from '@zakup/domain/analytics/cpl';
import { type PersonTerms, resolveTerms, type Terms } from '@zakup/domain/analytics/earnings';
import { earningsOfSums, noEarningsSums, shiftedEarnings } from '@zakup/domain/analytics/earnings-sums';
import { explainFigure, type Figure } from '@zakup/domain/analytics/figures';
import { addTotals, noTotals, subtractTotals, type Totals, totalsOf } from '@zakup/domain/analytics/sums';
import type { Campaign } from '@zakup/domain/campaign/state';
import { type Kopecks, kopecks, toRoubles } from '@zakup/domain/money';
import type { Placement } from '@zakup/domain/placement/state';
import { createYielder } from '@zakup/async/yielder';

/** What of one person in a campaign an action may move. */
interface PersonSums {
  readonly budget: Kopecks;
  readonly spent: Kopecks;
  readonly earnings: Kopecks;
}

/** Everything that a campaign's figures are made of, at one moment; all of it is 0 where there is no campaign, or none any more. */
export interface CampaignSums extends Totals {
  readonly totalBudget: Kopecks;
  readonly people: ReadonlyMap<string, PersonSums>;
}

const nobody: PersonSums = { budget: kopecks(0), spent: kopecks(0), earnings: kopecks(0) };

export const noCampaign: CampaignSums = { ...noTotals, totalBudget: kopecks(0), people: new Map() };

/** What of a placement that counts its campaign's sums are made of. */
export type Bought = Pick<Placement, 'buyerId' | 'price' | 'leads' | 'paymentStatus'>;

/** What else there is at the moment. */
export interface CampaignContent {
  readonly placements: Iterable<Bought>;
  /** The terms on somebody's card; null = there is nobody. */
  readonly termsOf: (userId: string) => Promise<PersonTerms | null>;
  readonly countZeroLeads: boolean;
}

/** Placements that are gone through before the clock is asked. */
const lookedAtOnce = 250;

/** Each of them in turn, with turns for others in between. */
const forEachYielding = async <Item>(items: Iterable<Item>, take: (item: Item) => void): Promise<void> => {
  const yieldIfDue = createYielder();
  let looked = 0;
  for (const item of items) {
    take(item);
    looked += 1;
    if (looked % lookedAtOnce === 0) await yieldIfDue();
  }
};

const byBuyerOf = async (placements: Iterable<Bought>): Promise<ReadonlyMap<string, readonly Bought[]>> => {
  const byBuyer = new Map<string, Bought[]>();
  await forEachYielding(placements, (one) => {
    const others = byBuyer.get(one.buyerId);
    if (others === undefined) byBuyer.set(one.buyerId, [one]);
    else others.push(one);
  });
  return byBuyer;
};

const earningsOf = async (terms: Terms, bought: readonly Bought[], countZeroLeads: boolean): Promise<Kopecks> => {
  let sums = noEarningsSums;
  await forEachYielding(bought, (one) => {
    sums = shiftedEarnings(sums, one, terms.cplThreshold, 1);
  });
  return earningsOfSums(terms, sums, { countZeroLeads }).earnings;
};

/** Of a campaign that is there: what the projections make of the same placements, participants, terms and switch. */
export const campaignSums = async (
  { totalBudget, participants }: Pick<Campaign, 'totalBudget' | 'participants'>,
  { placements, termsOf, countZeroLeads }: CampaignContent,
): Promise<CampaignSums> => {
  const byBuyer = await byBuyerOf(placements);
  const people = new Map<string, PersonSums>();
  let totals = noTotals;
  for (const userId of new Set([...participants.map((one) => one.userId), ...byBuyer.keys()])) {
    const entry = participants.find((one) => one.userId === userId) ?? null;
    const bought = byBuyer.get(userId) ?? [];
    const own = totalsOf(bought);
    const terms = resolveTerms(entry, await termsOf(userId));
    people.set(userId, {
      budget: entry?.budget ?? kopecks(0),
      spent: own.spent,
      earnings: await earningsOf(terms, bought, countZeroLeads),
    });
    totals = addTotals(totals, own);
  }
  return { ...totals, totalBudget, people };
};

/** `sums` and what lies between two others. */
export const withStep = (sums: CampaignSums, from: CampaignSums, to: CampaignSums): CampaignSums => {
  const money = (of: (one: CampaignSums) => Kopecks): Kopecks => kopecks(of(sums) + of(to) - of(from));
  const ids = new Set([sums, from, to].flatMap(({ people }) => [...people.keys()]));
  const person = (id: string): PersonSums => {
    const sum = (member: keyof PersonSums) => money(({ people }) => (people.get(id) ?? nobody)[member]);
    return { budget: sum('budget'), spent: sum('spent'), earnings: sum('earnings') };
  };
  return {
    ...addTotals(sums, subtractTotals(to, from)),
    totalBudget: money(({ totalBudget }) => totalBudget),
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
