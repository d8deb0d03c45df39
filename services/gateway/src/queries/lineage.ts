import { type HistoryView, presentHistory } from '@zakup/contracts/history';
import type { EarningsByLine, LicenceRow, PlacementRow } from '@zakup/contracts/read-models';
import { explainOwnRate } from '@zakup/domain/analytics/buyer-statement';
import { costPerLead } from '@zakup/domain/analytics/cpl';
import { explainEarnings, showTerms } from '@zakup/domain/analytics/earnings';
import { type ExplainedFigure, explainFigure, type Figure } from '@zakup/domain/analytics/figures';
import { noTotals, type Totals, withLine } from '@zakup/domain/analytics/summary';
import { formatRoubles, formatRoublesExact, type Kopecks, kopecks, toRoubles } from '@zakup/domain/money';
import { noCreative } from '@zakup/domain/placement/events';
import { formatNumber } from '@zakup/domain/russian';
import type { DocumentReader, ReadStore } from '@zakup/read-store/read-store';
import type { Aliases } from '../aliases.ts';
import { packedRuns } from '../exports/packed-runs.ts';
import { dataOf } from '../rows.ts';
import { type EntityHistory, entityHistory, valueBefore } from './entity-history.ts';
import { type FigureHistory, figureHistory, movedShown, type OfParticipant } from './figure-history.ts';
import { byNone, type Narrowed } from './narrowing.ts';
import { termsHistory } from './terms-history.ts';

type Line = readonly [
  date: string,
  id: string,
  campaignId: string,
  contractorId: string,
  buyerId: string,
  price: Kopecks,
  leads: number,
];

export interface LineageSubject {
  readonly licence: LicenceRow;
  readonly campaignIds: readonly string[];
  /** Of all campaigns, so that it may have been in others. */
  readonly everywhere: boolean;
  readonly totalBudget: Kopecks;
  /** The participant whose budget that is; null = it is the campaign's. */
  readonly participantId: string | null;
  readonly narrowed: readonly Narrowed[];
  /** The only placement that is asked about; null = all of them. */
  readonly only: string | null;
  readonly page: number;
  readonly pageSize: number;
  readonly to: number;
  readonly view: HistoryView;
}

/** The earnings of one person in one campaign, beside the percent on their own record. */
export interface PersonPay {
  readonly figure: 'earnings' | 'ownRate';
  readonly row: EarningsByLine;
  readonly salaryRate: number | null;
}

/** What everybody earns in one campaign. */
export interface EverybodysPay {
  readonly figure: 'allEarnings';
  readonly rows: readonly (EarningsByLine & { readonly name: string })[];
}

export type Pay = PersonPay | EverybodysPay;

export interface LineageSources {
  /** Of the moment that is asked for. */
  readonly documents: DocumentReader;
  readonly readStore: Pick<ReadStore, 'walk'>;
  readonly aliases: Aliases;
}

const leftOutShown = 200;

/** What of participants moves the figure; undefined = nothing does. */
const participantOf = (figure: Figure | Pay['figure'], userId: string | null): OfParticipant | undefined => {
  if (figure === 'earnings' || figure === 'allEarnings') return { userId, part: 'terms' };
  const isOfBudget = figure === 'budget' || figure === 'remaining' || figure === 'budgetUse';
  return isOfBudget && userId !== null ? { userId, part: 'budget' } : undefined;
};

const fieldsOf = (figure: Figure | Pay['figure'], participantId: string | null): ReadonlySet<string> => {
  const budget = participantId === null ? ['totalBudget'] : [];
  switch (figure) {
    case 'paid':
    case 'unpaid':
      return new Set(['price', 'paymentStatus']);
    case 'remaining':
    case 'budgetUse':
      return new Set(['price', ...budget]);
    case 'leads':
      return new Set(['leads']);
    case 'budget':
      return new Set(budget);
    case 'placements':
      return new Set();
    case 'spent':
    case 'averagePrice':
    case 'ownRate':
      return new Set(['price']);
    case 'cpl':
    case 'roi':
    case 'earnings':
      return new Set(['price', 'leads']);
    case 'allEarnings':
      return new Set(['price', 'leads', 'buyerId']);
    case 'leadsPerPlacement':
    case 'conversion':
      return new Set(['leads']);
    case 'placementsPerBuyer':
      return new Set(['buyerId']);
    case 'budgetPerCreative':
      return new Set(['price', 'creativeId']);
  }
};

interface Counted {
  readonly totals: Totals;
  readonly buyers: number;
  readonly creatives: number;
  readonly ids: ReadonlySet<string>;
  readonly lines: readonly Line[];
}

/** Everything that counts, and one page of it, newest first. */
const countedOf = async (
  { documents, aliases }: LineageSources,
  { licence, campaignIds, narrowed, only, page, pageSize }: LineageSubject,
  counts: (row: PlacementRow) => boolean,
): Promise<Counted> => {
  const runs = packedRuns<Line>((a, b) => (a[0] === b[0] ? (a[1] < b[1] ? -1 : 1) : a[0] < b[0] ? 1 : -1));
  const buyers = new Set<string>();
  const creatives = new Set<string>();
  const ids = new Set<string>();
  let totals = noTotals;
  for (const campaignId of campaignIds) {
    await documents.readEach('placement', { licenceId: licence.id, where: { campaignId } }, async (docs) => {
      const rows = docs
        .map((doc) => aliases.placement(dataOf('placement', doc)))
        .filter((row) => (only === null || row.id === only) && narrowed.every(({ has }) => has(row)) && counts(row));
      for (const row of rows) {
        totals = withLine(totals, row);
        buyers.add(row.buyerId);
        if (row.creativeId !== noCreative) creatives.add(row.creativeId);
        ids.add(row.id);
      }
      await runs.add(
        rows.map(({ id, date, contractorId, buyerId, price, leads }): Line => {
          return [date, id, campaignId, contractorId, buyerId, price, leads];
        }),
      );
    });
  }
  const lines: Line[] = [];
  let place = 0;
  for await (const line of runs.sorted()) {
    if (place >= (page - 1) * pageSize) lines.push(line);
    place += 1;
    if (lines.length === pageSize) break;
  }
  return { totals, buyers: buyers.size, creatives: creatives.size, ids, lines };
};

const paySources = { participant: 'участие в кампании', user: 'карточка сотрудника', none: 'нигде не заданы' };

const explainAll = ({ rows }: EverybodysPay): ExplainedFigure => {
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
      shown: `${formatRoublesExact(earnings)}, ${showTerms(terms)}`,
      source: paySources[terms.source],
    })),
  };
};

const explainPay = (pay: Pay): ExplainedFigure => {
  if (pay.figure === 'allEarnings') return explainAll(pay);
  const { figure, row, salaryRate } = pay;
  const isOwn = figure === 'ownRate';
  const { value, formula } = isOwn ? explainOwnRate(row.spent, salaryRate) : explainEarnings(row);
  const terms = isOwn
    ? { name: 'Ставка', shown: salaryRate === null ? '—' : `${formatNumber(salaryRate)}%`, source: paySources.user }
    : { name: 'Условия', shown: showTerms(row.terms), source: paySources[row.terms.source] };
  return {
    title: isOwn ? 'По ставке сотрудника' : 'Заработок',
    unit: 'money',
    value: toRoubles(value),
    shown: formatRoubles(value),
    formula,
    terms: [terms, { name: 'Потрачено', shown: formatRoubles(row.spent), source: 'размещения сотрудника в кампании' }],
  };
};

/** What moved what people are paid from outside the campaign. */
const payHistory = async (
  sources: LineageSources,
  { licence: { id: licenceId }, campaignIds: [campaignId = ''], participantId, to }: LineageSubject,
  pay: Pay,
): Promise<EntityHistory> => {
  if (pay.figure === 'ownRate') {
    const card = { licenceId, kind: 'user', id: participantId ?? '', to } as const;
    const { entries, complete } = await entityHistory(sources.readStore, card);
    return { entries: entries.filter((entry) => valueBefore(entry, 'salaryRate') !== undefined), complete };
  }
  const userIds = pay.figure === 'allEarnings' ? pay.rows.map(({ userId }) => userId) : [pay.row.userId];
  return termsHistory(sources, { licenceId, campaignId, userIds, to });
};

/** Where a figure comes from. Lines that a person is not paid for are there, and say why; deleted and moved ones are told by the history. */
export const lineage = async (sources: LineageSources, wanted: LineageSubject, asked: Figure | Pay) => {
  const pay = typeof asked === 'string' ? null : asked;
  const figure = typeof asked === 'string' ? asked : asked.figure;
  const subject = figure === 'budget' ? { ...wanted, narrowed: [byNone] } : wanted;
  const paid = pay === null ? [] : pay.figure === 'allEarnings' ? pay.rows : [pay.row];
  const amounts = new Map(paid.flatMap(({ counted }) => counted.map((line) => [line.placementId, line.amount])));
  const paidFor = pay !== null && pay.figure !== 'ownRate';
  const counted = await countedOf(sources, subject, ({ id, paymentStatus }) => {
    if (paidFor) return amounts.has(id);
    return figure === 'paid' ? paymentStatus === 'paid' : figure === 'unpaid' ? paymentStatus !== 'paid' : true;
  });
  const { licence, totalBudget, participantId, campaignIds, everywhere, narrowed, only, to, view } = subject;
  const sums =
    pay === null && (figure === 'paid' || figure === 'unpaid')
      ? await countedOf(sources, { ...subject, page: 1, pageSize: 1 }, () => true)
      : counted;
  const explained =
    typeof asked === 'string'
      ? explainFigure(asked, {
          totals: sums.totals,
          totalBudget,
          ...(participantId !== null && { budgetOf: 'participant' }),
          buyers: sums.buyers,
          creatives: sums.creatives,
          leadValue: licence.settings.leadValue,
        })
      : explainPay(asked);
  const present = paidFor ? paid.flatMap((row) => row.leftOut) : [];
  const participant = participantOf(figure, participantId);
  const history: FigureHistory = await figureHistory(sources.readStore, {
    licenceId: licence.id,
    campaignIds,
    everywhere,
    to,
    narrowed,
    fields: fieldsOf(figure, participantId),
    ...(participant !== undefined && { participant }),
    only,
    counted: new Set([...sums.ids, ...present.map(({ placementId }) => placementId)]),
    documents: sources.documents,
    view,
  });
  const beside = pay === null ? { entries: [], complete: true } : await payHistory(sources, subject, pay);
  const leftOut = [
    ...present.map(({ placementId, reason }) => ({ placementId, name: null, reason, at: null })),
    ...history.leftOut,
  ];
  return {
    figure,
    ...explained,
    terms: [...explained.terms],
    counted: {
      total: counted.ids.size,
      lines: counted.lines.map(([date, placementId, campaignId, contractorId, buyerId, price, leads]) => {
        const amount = amounts.get(placementId);
        return {
          placementId,
          campaignId,
          contractorId,
          buyerId,
          date,
          price: toRoubles(price),
          leads,
          costPerLead: toRoubles(costPerLead(price, leads)),
          amount: amount === undefined || !paidFor ? null : toRoubles(amount),
        };
      }),
    },
    leftOut: { total: leftOut.length, lines: leftOut.slice(0, leftOutShown) },
    moved: [...history.moved, ...beside.entries.map(({ position, row }) => presentHistory(position, row, view))]
      .toSorted((a, b) => b.position - a.position)
      .slice(0, movedShown),
    historyComplete: history.complete && beside.complete,
  };
};
