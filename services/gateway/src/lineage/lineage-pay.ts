import type { EarningsRow } from '@zakup/contracts/read-models';
import { explainOwnRate } from '@zakup/domain/analytics/buyer-statement';
import { explainEarnings, leftOutReason, schemeOf, showTerms, type Terms } from '@zakup/domain/analytics/earnings';
import type { ExplainedFigure } from '@zakup/domain/analytics/figures';
import { formatRoubles, formatRoublesExact, kopecks, percentOf, toRoubles } from '@zakup/domain/money';
import { formatNumber } from '@zakup/domain/russian';
import { type EntityHistory, entityHistory, valueBefore } from './entity-history.ts';
import type { LineageSources, LineageSubject } from './lineage-subject.ts';
import { type BuyerTallies, type FoundLines, type LinesAsked, nothingBought } from './lineage-lines.ts';
import { termsHistory } from './terms-history.ts';

/** The terms of somebody in one campaign. */
export interface PaidPerson extends Pick<EarningsRow, 'userId' | 'terms' | 'countZeroLeads'> {
  readonly name: string;
}

/** What one person, or everybody, earns in a campaign. */
export interface Earnings {
  readonly figure: 'earnings' | 'allEarnings';
  readonly people: readonly PaidPerson[];
}

/** What the percent on somebody's own record gives. */
export interface OwnRate {
  readonly figure: 'ownRate';
  readonly userId: string;
  readonly salaryRate: number | null;
}

export type Pay = Earnings | OwnRate;

const noTerms = 'Условия не заданы';
const rateOf = (terms: Terms): number => (schemeOf(terms) === 'none' ? 0 : terms.salaryRate);

/** How lines are judged by the terms of who bought them. */
export const judgedByTerms = ({ people }: Earnings): Pick<LinesAsked, 'reasonOf' | 'rateOf'> => {
  const byBuyer = new Map(
    people.map((person) => {
      const { userId, terms, countZeroLeads } = person;
      return [userId, { rate: rateOf(terms), reasonOf: leftOutReason(terms, { countZeroLeads }) }];
    }),
  );
  return {
    reasonOf: (row) => {
      const judge = byBuyer.get(row.buyerId);
      return judge === undefined ? noTerms : judge.reasonOf(row);
    },
    rateOf: (buyerId) => byBuyer.get(buyerId)?.rate ?? 0,
  };
};

const paySources = {
  participant: 'участие в кампании',
  user: 'карточка сотрудника',
  none: 'ни в кампании, ни в карточке сотрудника',
};

/** Beside their own name: «Условия: не заданы». */
const namedTerms = (terms: Terms | undefined): string =>
  terms === undefined || schemeOf(terms) === 'none' ? 'не заданы' : showTerms(terms);

const earnedBy = ({ terms }: PaidPerson, { all, counted, countedWithoutLeads }: BuyerTallies) => ({
  terms,
  spent: all.price,
  earnings: percentOf(counted.price, rateOf(terms)),
  countedTotal: counted,
  zeroLeads: schemeOf(terms) === 'result' ? countedWithoutLeads : nothingBought.countedWithoutLeads,
});

const explainAll = (people: readonly PaidPerson[], buyers: FoundLines['buyers']): ExplainedFigure => {
  const rows = people
    .map((person) => ({ name: person.name, ...earnedBy(person, buyers.get(person.userId) ?? nothingBought) }))
    .toSorted((a, b) => b.earnings - a.earnings);
  const value = kopecks(rows.reduce((sum, { earnings }) => sum + earnings, 0));
  const parts = rows.map(({ earnings }) => formatRoublesExact(earnings));
  return {
    title: 'Заработок всех',
    unit: 'money',
    value: toRoubles(value),
    shown: formatRoublesExact(value),
    formula: parts.length === 0 ? 'никто пока не заработал' : `${parts.join(' + ')} = ${formatRoublesExact(value)}`,
    terms: rows.map(({ name, terms, earnings }) => ({
      name,
      shown: `${formatRoublesExact(earnings)}, ${schemeOf(terms) === 'none' ? 'условия не заданы' : showTerms(terms)}`,
      source: paySources[terms.source],
    })),
  };
};

/** A figure of pay in words, from the sums of the lines that were found. */
export const explainPay = (pay: Pay, { buyers }: FoundLines): ExplainedFigure => {
  if (pay.figure === 'allEarnings') return explainAll(pay.people, buyers);
  const [paid] = pay.figure === 'earnings' ? pay.people : [];
  const bought = buyers.get(pay.figure === 'ownRate' ? pay.userId : (paid?.userId ?? '')) ?? nothingBought;
  const explained =
    pay.figure === 'ownRate'
      ? explainOwnRate(bought.all.price, pay.salaryRate)
      : paid === undefined
        ? { value: kopecks(0), formula: noTerms }
        : explainEarnings(earnedBy(paid, bought));
  const rate = pay.figure === 'ownRate' ? pay.salaryRate : null;
  const terms =
    pay.figure === 'ownRate'
      ? { name: 'Ставка', shown: rate === null ? '—' : `${formatNumber(rate)}%`, source: paySources.user }
      : {
          name: 'Условия',
          shown: namedTerms(paid?.terms),
          source: paySources[paid?.terms.source ?? 'none'],
        };
  return {
    title: pay.figure === 'ownRate' ? 'По ставке сотрудника' : 'Заработок',
    unit: 'money',
    value: toRoubles(explained.value),
    shown: formatRoubles(explained.value),
    formula: explained.formula,
    terms: [
      terms,
      { name: 'Потрачено', shown: formatRoubles(bought.all.price), source: 'размещения сотрудника в кампании' },
    ],
  };
};

/** What moved what people are paid from outside the campaign. */
export const payHistory = async (
  sources: LineageSources,
  { licence: { id: licenceId }, campaignIds: [campaignId = ''], participantId, to }: LineageSubject,
  pay: Pay,
): Promise<EntityHistory> => {
  if (pay.figure === 'ownRate') {
    const card = { licenceId, kind: 'user', id: participantId ?? '', to } as const;
    const { entries, complete } = await entityHistory(sources.readStore, card);
    return { entries: entries.filter((entry) => valueBefore(entry, 'salaryRate') !== undefined), complete };
  }
  const userIds = pay.figure === 'allEarnings' ? pay.people.map(({ userId }) => userId) : [participantId ?? ''];
  return termsHistory(sources, { licenceId, campaignId, userIds, to });
};
