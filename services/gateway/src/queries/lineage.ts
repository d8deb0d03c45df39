import type { HistoryView } from '@zakup/contracts/history';
import type { EarningsByLine, LicenceRow, PlacementRow } from '@zakup/contracts/read-models';
import { explainOwnRate } from '@zakup/domain/analytics/buyer-statement';
import { costPerLead } from '@zakup/domain/analytics/cpl';
import { explainEarnings, showTerms } from '@zakup/domain/analytics/earnings';
import { type ExplainedFigure, explainFigure, type Figure } from '@zakup/domain/analytics/figures';
import { noTotals, type Totals, withLine } from '@zakup/domain/analytics/summary';
import { formatRoubles, type Kopecks, toRoubles } from '@zakup/domain/money';
import { noCreative } from '@zakup/domain/placement/events';
import { formatNumber } from '@zakup/domain/russian';
import type { DocumentReader, ReadStore } from '@zakup/read-store/read-store';
import type { Aliases } from '../aliases.ts';
import { packedRuns } from '../exports/packed-runs.ts';
import { dataOf } from '../rows.ts';
import { type FigureHistory, figureHistory, type Narrowed } from './figure-history.ts';

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
  readonly narrowed: readonly Narrowed[];
  /** The only placement that is asked about; null = all of them. */
  readonly only: string | null;
  readonly page: number;
  readonly pageSize: number;
  readonly to: number;
  readonly view: HistoryView;
}

/** The earnings of one person in one campaign, beside the percent on their own record. */
export interface Pay {
  readonly figure: 'earnings' | 'ownRate';
  readonly row: EarningsByLine;
  readonly salaryRate: number | null;
}

export interface LineageSources {
  /** Of the moment that is asked for. */
  readonly documents: DocumentReader;
  readonly readStore: Pick<ReadStore, 'walk'>;
  readonly aliases: Aliases;
}

const leftOutShown = 200;

/** A budget is set by hand: no placement moves it. */
const noPlacement: Narrowed = { field: 'buyerId', has: () => false, movedAway: '' };

const fieldsOf = (figure: Figure | Pay['figure']): ReadonlySet<string> => {
  switch (figure) {
    case 'paid':
    case 'unpaid':
      return new Set(['price', 'paymentStatus']);
    case 'remaining':
    case 'budgetUse':
      return new Set(['price', 'totalBudget']);
    case 'leads':
      return new Set(['leads']);
    case 'budget':
      return new Set(['totalBudget']);
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
        .filter(
          (row) =>
            (only === null || row.id === only) && narrowed.every(({ field, has }) => has(row[field])) && counts(row),
        );
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

const explainPay = ({ figure, row, salaryRate }: Pay): ExplainedFigure => {
  const isOwn = figure === 'ownRate';
  const { value, formula } = isOwn ? explainOwnRate(row.spent, salaryRate) : explainEarnings(row);
  const source = { participant: 'участие в кампании', user: 'карточка сотрудника', none: 'нигде не заданы' };
  const terms = isOwn
    ? { name: 'Ставка', shown: salaryRate === null ? '—' : `${formatNumber(salaryRate)}%`, source: source.user }
    : { name: 'Условия', shown: showTerms(row.terms), source: source[row.terms.source] };
  return {
    title: isOwn ? 'По ставке сотрудника' : 'Заработок',
    unit: 'money',
    value: toRoubles(value),
    shown: formatRoubles(value),
    formula,
    terms: [terms, { name: 'Потрачено', shown: formatRoubles(row.spent), source: 'размещения сотрудника в кампании' }],
  };
};

/** Where a figure comes from. Lines that a person is not paid for are there, and say why; deleted and moved ones are told by the history. */
export const lineage = async (sources: LineageSources, wanted: LineageSubject, asked: Figure | Pay) => {
  const pay = typeof asked === 'string' ? null : asked;
  const figure = typeof asked === 'string' ? asked : asked.figure;
  const subject = figure === 'budget' ? { ...wanted, narrowed: [noPlacement] } : wanted;
  const amounts = new Map(pay?.row.counted.map(({ placementId, amount }) => [placementId, amount]));
  const paidFor = pay?.figure === 'earnings';
  const counted = await countedOf(sources, subject, ({ id, paymentStatus }) => {
    if (paidFor) return amounts.has(id);
    return figure === 'paid' ? paymentStatus === 'paid' : figure === 'unpaid' ? paymentStatus !== 'paid' : true;
  });
  const { licence, totalBudget, campaignIds, everywhere, narrowed, only, to, view } = subject;
  const sums =
    pay === null && (figure === 'paid' || figure === 'unpaid')
      ? await countedOf(sources, { ...subject, page: 1, pageSize: 1 }, () => true)
      : counted;
  const explained =
    typeof asked === 'string'
      ? explainFigure(asked, {
          totals: sums.totals,
          totalBudget,
          buyers: sums.buyers,
          creatives: sums.creatives,
          leadValue: licence.settings.leadValue,
        })
      : explainPay(asked);
  const present = paidFor && pay !== null ? pay.row.leftOut : [];
  const history: FigureHistory = await figureHistory(sources.readStore, {
    licenceId: licence.id,
    campaignIds,
    everywhere,
    to,
    narrowed,
    fields: fieldsOf(figure),
    only,
    counted: new Set([...sums.ids, ...present.map(({ placementId }) => placementId)]),
    view,
  });
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
    moved: history.moved,
    historyComplete: history.complete,
  };
};
